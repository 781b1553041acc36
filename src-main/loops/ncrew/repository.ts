/** The git repository that a crew works in. */
import { git, gitOrFail } from '../../git/git'
import type { TrustedFolder } from '../../git/trustedFolder'

export interface CrewRepository {
  readonly isRepository: boolean
  /** Null where no branch is checked out. */
  readonly branch: string | null
  /** Files that are not committed. */
  readonly changes: number
}

export async function readRepository(at: TrustedFolder, signal: AbortSignal): Promise<CrewRepository> {
  const args = ['status', '--porcelain', '--branch', '--untracked-files=all', '--', '.']
  const { code, text } = await git(at, args, { signal })
  if (code !== 0) return { isRepository: false, branch: null, changes: 0 }
  const lines = text.split('\n').filter((line) => line !== '')
  const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(lines[0] ?? '')?.[1] ?? null
  return {
    isRepository: true,
    branch: branch?.startsWith('HEAD (') === true ? null : branch,
    changes: lines.filter((line) => !line.startsWith('##')).length,
  }
}

/** A repository with a first commit of everything; nothing where there is a repository already. */
export async function createRepository(at: TrustedFolder, signal: AbortSignal): Promise<'committed' | 'there'> {
  const { code } = await git(at, ['rev-parse', '--git-dir'], { signal })
  if (code === 0) return 'there'
  await gitOrFail(at, ['init', '-q'], { signal })
  await gitOrFail(at, ['add', '.'], { signal })
  await gitOrFail(at, ['commit', '-q', '-m', 'chore: begin'], { signal })
  return 'committed'
}
