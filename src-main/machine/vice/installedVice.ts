import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describeFailure, toFailure } from '@shared/contract/errors'
import type { Connections } from '@shared/contract/connections'
import { findVice } from './process'

const VERSION_DEADLINE_MS = 2_000

const run = promisify(execFile)

/** Finds the VICE that would be started; each program is asked for its version once. */
export function createViceFinder(chosen: () => string | null): () => Promise<Connections['vice']> {
  const versions = new Map<string, Promise<string | null>>()
  return async () => {
    let executable: string
    try {
      executable = findVice(chosen())
    } catch (error) {
      return { executable: null, version: null, problem: describeFailure(toFailure(error)) }
    }
    const version = versions.get(executable) ?? askVersion(executable)
    versions.set(executable, version)
    return { executable, version: await version, problem: null }
  }
}

/** `VICE 3.7.1`; null where it does not say. */
async function askVersion(executable: string): Promise<string | null> {
  try {
    const { stdout } = await run(executable, ['--version'], { timeout: VERSION_DEADLINE_MS, killSignal: 'SIGKILL' })
    return /VICE \d+(\.\d+)*/.exec(stdout)?.[0] ?? null
  } catch {
    return null
  }
}
