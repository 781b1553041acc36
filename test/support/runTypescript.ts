import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A program of this project in a process of its own, with its output as text. */
export function runTypescript(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'typescript.mjs'), program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  })
  child.stdout.setEncoding('utf8')
  return child
}
