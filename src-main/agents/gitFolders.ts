/**
 * Finds where a commit is written without running git, which would read the settings of a repository that others wrote.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { repositoryAround } from '../files/repositoryAt'

/**
 * As `git rev-parse --git-common-dir` names it, and the own git folder of a linked worktree. Links resolved; empty
 * outside a repository.
 */
export function gitFoldersOf(folder: string): readonly string[] {
  const top = repositoryAround(folder)
  const found = top === undefined ? undefined : gitFolderAt(join(top, '.git'))
  if (found === undefined) return []
  return [...new Set([commonFolderOf(found), found].filter(isGitFolder).map((path) => realpathSync(path)))]
}

/** @see https://git-scm.com/docs/gitrepository-layout */
function gitFolderAt(path: string): string | undefined {
  if (statSync(path).isDirectory()) return path
  const named = /^gitdir: (.+)$/m.exec(readText(path))?.[1]
  return named === undefined ? undefined : resolve(dirname(path), named.trim())
}

function commonFolderOf(gitFolder: string): string {
  const named = readText(join(gitFolder, 'commondir')).trim()
  return named === '' ? gitFolder : resolve(gitFolder, named)
}

/** A `.git` file could name any folder. */
const isGitFolder = (path: string): boolean =>
  existsSync(join(path, 'HEAD')) && ['objects', 'refs'].every((name) => existsSync(join(commonFolderOf(path), name)))

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
