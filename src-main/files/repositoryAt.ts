/** Where repositories are, by the names of their files: git itself would read the settings of one that others wrote. */
import { lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Whether the work tree of a repository begins in a folder. As for git, a `.git` folder without HEAD is none: Codex leaves an
 * empty one in a folder that an agent may write, such as that for temporary files.
 */
export function isRepository(folder: string): boolean {
  const path = join(folder, '.git')
  const found = statSync(path, { throwIfNoEntry: false })
  // HEAD may be a link to a branch without a commit.
  return found?.isDirectory()
    ? lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false }) !== undefined
    : found !== undefined
}

/** The folder itself, or the nearest above it, in which a repository begins. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isRepository(at)) return at
    if (dirname(at) === at) return undefined
  }
}
