/** Looks at file names only: git itself would read the settings of a repository that others wrote. */
import { lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** As for git, a `.git` folder without HEAD is none: Codex leaves an empty one in folders that an agent may write. */
export function isRepository(folder: string): boolean {
  const path = join(folder, '.git')
  const found = statSync(path, { throwIfNoEntry: false })
  // HEAD may be a link to a branch without a commit.
  return found?.isDirectory()
    ? lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false }) !== undefined
    : found !== undefined
}

export function repositoryAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isRepository(at)) return at
    if (dirname(at) === at) return undefined
  }
}
