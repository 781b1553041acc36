import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitOrFail } from './git'
import { findCommits } from './repository'
import { TrustedFolder } from './trustedFolder'

const MAX_SUBMODULES = 100

/**
 * Which submodule of the work tree has a commit, by each of the names that one of them has. A submodule that is not checked out, or
 * lies outside the project, is not asked.
 * @param top of the work tree, links resolved
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

/** Their paths from the top of the work tree. */
async function submodulesOf(at: TrustedFolder, signal?: AbortSignal): Promise<readonly string[]> {
  const { text } = await gitOrFail(at, ['ls-files', '--stage', '--full-name', '-z', '--', ':/'], { signal })
  // A mode, an object, a stage, a tab and the path; 160000 is the mode of a submodule.
  return text
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .slice(0, MAX_SUBMODULES)
}

/** Without a .git of its own, git would ask the repository around it. */
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
