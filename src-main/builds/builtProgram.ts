import { readdir, realpath, stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { isInside } from '../files/containedPath'
import type { TrustedFolder } from '../git/trustedFolder'

const endings: readonly string[] = ['.prg', '.crt', '.p00', '.t64', '.tap', '.d64', '.d71', '.d81', '.g64', '.sid']
const MAX_DEPTH = 4
const MAX_ENTRIES = 20_000
/** ms; file systems round the time of a change. */
const CLOCK_STEP_MS = 2_000

/**
 * @param named relative to the folder; null for the newest program written since the build began
 * @throws AppError NOT_FOUND, FORBIDDEN outside the trusted folder
 */
export async function builtProgram(
  { root, path: folder }: TrustedFolder,
  named: string | null,
  startedAt: number,
): Promise<string> {
  if (named === null) {
    const found = await newestProgram(folder, startedAt - CLOCK_STEP_MS)
    if (found !== undefined) return found
    throw new AppError('NOT_FOUND', `The build wrote no program in ${folder}.`, {
      hint: 'Name the program that it makes.',
    })
  }
  const path = await realpath(resolve(folder, named)).catch(() => {
    throw new AppError('NOT_FOUND', `The build left no ${named} in ${folder}.`, {
      hint: 'Check the name of the program.',
    })
  })
  if (!isInside(root, path))
    throw new AppError('FORBIDDEN', `${named} lies outside ${root}, so it was not run.`, {
      hint: 'Have the program written in the folder, or run it by itself.',
    })
  return path
}

async function newestProgram(folder: string, since: number): Promise<string | undefined> {
  let newest: { readonly path: string; readonly at: number } | undefined
  let entries = 0
  const folders = [{ path: folder, depth: 0 }]
  for (const { path, depth } of folders) {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (++entries > MAX_ENTRIES) return newest?.path
      const at = join(path, entry.name)
      if (entry.isDirectory() && depth < MAX_DEPTH && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        folders.push({ path: at, depth: depth + 1 })
      if (!entry.isFile() || !endings.includes(extname(entry.name).toLowerCase())) continue
      const written = await stat(at).catch(() => undefined)
      if (written && written.mtimeMs >= since && written.mtimeMs > (newest?.at ?? 0))
        newest = { path: at, at: written.mtimeMs }
    }
  }
  return newest?.path
}
