import { readFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * Arguments for `node -e`: FILE COMMAND ARGUMENT…. A signal that ends the agent does not end this process before it has
 * noted that.
 */
const script = `
const { spawn } = require('node:child_process')
const { renameSync, writeFileSync } = require('node:fs')
const [file, command, ...args] = process.argv.slice(1)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
const note = (end) => {
  writeFileSync(file + '.tmp', JSON.stringify(end), { mode: 0o600 })
  renameSync(file + '.tmp', file)
}
spawn(command, args, { stdio: 'inherit' })
  .once('error', ({ code }) => note({ failed: code ?? '' }))
  .once('exit', (exitCode, signal) => note({ exitCode, signal }))
`

export const witnessArgs = (file: string, command: string, args: readonly string[]): string[] => [
  '-e',
  script,
  '--',
  file,
  command,
  ...args,
]

const endSchema = z.union([
  z.strictObject({ exitCode: z.int().nullable(), signal: z.string().nullable() }),
  z.strictObject({ failed: z.string() }),
])
export type NotedEnd = z.infer<typeof endSchema>

export function readEnd(file: string): NotedEnd | undefined {
  try {
    return endSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
