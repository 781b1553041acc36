/**
 * The command line's `maestro …`: the state helpers of specification 003, with its streams, messages and exit codes. They
 * only read and write files, so they need no bridge.
 */
import { buffer } from 'node:stream/consumers'
import { ensureWorkspace, readActiveSession, readState, writeState } from '../loops/maestro/stateFiles'

type Helper = (words: readonly string[], folder: string) => Promise<Buffer | string>

function subject([path]: readonly string[], usage: string): string {
  if (!path) throw new Error(`Usage: bridgedeck maestro ${usage}`)
  return path
}

const helpers: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['read-state', (words, folder) => readState(folder, subject(words, 'read-state <relative-path>'))],
  [
    'write-state',
    async (words, folder) => {
      await writeState(folder, subject(words, 'write-state <relative-path>'), await buffer(process.stdin))
      return ''
    },
  ],
  [
    'read-active-session',
    async (_words, folder) => (await readActiveSession(folder, process.env)) ?? 'No active session\n',
  ],
  [
    'ensure-workspace',
    async ([stateDir], folder) => {
      await ensureWorkspace(folder, stateDir || undefined)
      return ''
    },
  ],
])

/** @returns the exit code */
export async function maestro([name = '', ...words]: readonly string[], folder: string): Promise<number> {
  try {
    const helper = helpers.get(name)
    if (!helper) throw new Error(`Usage: bridgedeck maestro ${[...helpers.keys()].join('|')}`)
    process.stdout.write(await helper(words, folder))
    return 0
  } catch (error) {
    process.stderr.write(`ERROR: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
