import { git, gitOrFail } from '../git/git'
import type { TrustedFolder } from '../git/trustedFolder'

export interface WorkRepository {
  readonly isRepository: boolean
  readonly branch: string | null
  readonly changes: number
}

export async function readRepository(at: TrustedFolder, signal: AbortSignal): Promise<WorkRepository> {
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

export const hasRepository = async (at: TrustedFolder, signal: AbortSignal): Promise<boolean> =>
  (await git(at, ['rev-parse', '--git-dir'], { signal })).code === 0

export async function createRepository(at: TrustedFolder, signal: AbortSignal): Promise<'committed' | 'there'> {
  if (await hasRepository(at, signal)) return 'there'
  await gitOrFail(at, ['init', '-q'], { signal })
  await gitOrFail(at, ['add', '.'], { signal })
  await gitOrFail(at, ['commit', '-q', '-m', 'chore: begin'], { signal })
  return 'committed'
}
