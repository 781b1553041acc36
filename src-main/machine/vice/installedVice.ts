import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { describeFailure, toFailure } from '@shared/contract/errors'
import type { Connections } from '@shared/contract/connections'
import { findVice } from './process'

const VERSION_WAIT_MS = 2_000
/** A program that takes longer is ended, and asked again the next time. */
const VERSION_DEADLINE_MS = 60_000

export function createViceFinder(
  chosen: () => string | null,
  waitMs = VERSION_WAIT_MS,
): () => Promise<Connections['vice']> {
  const versions = new Map<string, Promise<string | null>>()
  const ask = (executable: string) => {
    const version = askVersion(executable).catch(() => {
      versions.delete(executable)
      return null
    })
    versions.set(executable, version)
    return version
  }
  return async () => {
    let executable: string
    try {
      executable = findVice(chosen())
    } catch (error) {
      return { executable: null, version: null, problem: describeFailure(toFailure(error)) }
    }
    const told = versions.get(executable) ?? ask(executable)
    const version = await Promise.race([told, wait(waitMs, null, { ref: false })])
    return { executable, version, problem: null }
  }
}

/** Null where it does not say. Rejects where it was ended before. */
function askVersion(executable: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: VERSION_DEADLINE_MS, killSignal: 'SIGKILL' } as const
    execFile(executable, ['--version'], limits, (error, stdout) => {
      if (error?.killed === true) reject(new Error(`${executable} did not answer`, { cause: error }))
      else resolve(/VICE \d+(\.\d+)*/.exec(stdout)?.[0] ?? null)
    })
  })
}
