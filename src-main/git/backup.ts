/** Refs that keep what a rollback takes away. */
import { git, gitOrFail } from './git'
import type { TrustedFolder } from './trustedFolder'

export const backupName = (): string => `refs/bridgedeck/backup/${new Date().toISOString().replace(/[-:.]/g, '')}`

/** Makes a ref that is not there yet. */
export const keep = (at: TrustedFolder, name: string, commit: string) =>
  gitOrFail(at, ['update-ref', '-m', 'bridgedeck backup', '--create-reflog', name, commit, '0'.repeat(commit.length)])

/** Who commits where git is not set up. */
export const bridgedeck = {
  GIT_AUTHOR_NAME: 'Bridgedeck',
  GIT_AUTHOR_EMAIL: 'bridgedeck@localhost',
  GIT_COMMITTER_NAME: 'Bridgedeck',
  GIT_COMMITTER_EMAIL: 'bridgedeck@localhost',
}

/** Who commits: as git is set up, or Bridgedeck where it is not. */
export async function identity(at: TrustedFolder): Promise<Record<string, string>> {
  return (await git(at, ['var', 'GIT_COMMITTER_IDENT'])).code === 0 ? {} : bridgedeck
}
