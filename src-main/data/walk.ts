import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isCode } from '../files/fileErrors'

export interface FoundFile {
  /** Relative, with slashes. */
  readonly path: string
  readonly bytes: number
  readonly mtimeMs: number
}

interface WalkOptions {
  readonly signal: AbortSignal
  readonly enters?: (path: string, names: readonly string[]) => boolean
}

/** Links are not followed; files that are gone or unreadable are left out. */
export async function* walk(
  folder: string,
  { signal, enters = () => true }: WalkOptions,
  below = '',
): AsyncGenerator<FoundFile> {
  const entries = await orNothing(readdir(join(folder, below), { withFileTypes: true }), [])
  const names = entries.map(({ name }) => name)
  if (below !== '' && !enters(below, names)) return
  for (const entry of entries) {
    signal.throwIfAborted()
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* walk(folder, { signal, enters }, path)
    else if (entry.isFile()) {
      const found = await orNothing(lstat(join(folder, path)), undefined)
      if (found) yield { path, bytes: found.size, mtimeMs: found.mtimeMs }
    }
  }
}

const orNothing = <Value, Nothing>(asked: Promise<Value>, nothing: Nothing): Promise<Value | Nothing> =>
  asked.catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return nothing
    throw error
  })
