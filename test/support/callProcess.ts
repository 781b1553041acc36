/** The built command line in a process of its own: where its exit, signals, kills or two programs at once are what is tested. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { resolve } from 'node:path'
import type { Ended, RunningCall } from './callHere'

export interface CallProcess extends RunningCall {
  readonly pid: number
  readonly child: ChildProcessWithoutNullStreams
}

interface Caller {
  /** All of it: nothing is inherited. */
  readonly environment: NodeJS.ProcessEnv
  /** Standard input, which the caller writes and ends where this is `open`. */
  readonly input?: 'empty' | 'open'
  /** Another user than that of the tests, by number. */
  readonly user?: number | undefined
}

/** @param words without the program's name */
export function startProcess(words: readonly string[], { environment, input = 'empty', user }: Caller): CallProcess {
  const child = spawn(process.execPath, [resolve('out/main/cli.cjs'), ...words], {
    env: environment,
    ...(user === undefined ? {} : { uid: user, gid: user }),
  })
  // A call that refuses its words does not read its input.
  child.stdin.on('error', () => undefined)
  if (input === 'empty') child.stdin.end()
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const output = () => Buffer.concat(stdout).toString()
  const errors = () => Buffer.concat(stderr).toString()
  return {
    pid: child.pid ?? 0,
    child,
    ended: new Promise<Ended>((done) =>
      child.on('close', (code) => done({ code, stdout: output(), stderr: errors() })),
    ),
    output,
    errors,
    interrupt: () => void child.kill('SIGINT'),
  }
}
