import { git, gitOrFail } from './git'
import type { TrustedFolder } from './trustedFolder'

export const backupName = (): string => `refs/bridgedeck/backup/${new Date().toISOString().replace(/[-:.]/g, '')}`

export const keep = (at: TrustedFolder, name: string, commit: string) =>
  gitOrFail(at, ['update-ref', '-m', 'bridgedeck backup', '--create-reflog', name, commit, '0'.repeat(commit.length)])

export const bridgedeck = {
  GIT_AUTHOR_NAME: 'Bridgedeck',
  GIT_AUTHOR_EMAIL: 'bridgedeck@localhost',
  GIT_COMMITTER_NAME: 'Bridgedeck',
  GIT_COMMITTER_EMAIL: 'bridgedeck@localhost',
}

export async function identity(at: TrustedFolder): Promise<Record<string, string>> {
  return (await git(at, ['var', 'GIT_COMMITTER_IDENT'])).code === 0 ? {} : bridgedeck
}
