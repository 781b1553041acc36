import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitOrFail } from './git'
import { findCommits } from './repository'
import { TrustedFolder } from './trustedFolder'

const MAX_SUBMODULES = 100

/**
 * Leaves out submodules that are not checked out, or lie outside the project.
 * @param top links resolved
 */
export async function findInSubmodules(
  at: TrustedFolder,
  top: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const path of await submodulesOf(at, signal)) {
    const folder = await checkedOut(at, join(top, path), signal)
    if (!folder) continue
    const there = await findCommits(folder, names, signal)
    for (const name of names) if (typeof there.get(name) === 'string' && !found.has(name)) found.set(name, path)
  }
  return found
}

async function submodulesOf(at: TrustedFolder, signal?: AbortSignal): Promise<readonly string[]> {
  const { text } = await gitOrFail(at, ['ls-files', '--stage', '--full-name', '-z', '--', ':/'], { signal })
  // Fields: mode, object, stage, tab, path; mode 160000 is a submodule.
  return text
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .slice(0, MAX_SUBMODULES)
}

/** Without its own .git, git would use the repository around it. */
async function checkedOut(at: TrustedFolder, folder: string, signal?: AbortSignal): Promise<TrustedFolder | undefined> {
  try {
    const real = await realpath(folder)
    await lstat(join(real, '.git'))
    if (!at.holds(real)) return undefined
    const there = new TrustedFolder(at.root, real, at.bounds)
    return (await git(there, ['rev-parse', '--is-inside-work-tree'], { signal })).code === 0 ? there : undefined
  } catch {
    return undefined
  }
}
