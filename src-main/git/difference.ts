import { git, gitOrFail } from './git'
import { WORK_TREE_LIMIT_MS } from './gitProcess'
import type { TrustedFolder } from './trustedFolder'

const MAX_DIFF_BYTES = 1024 * 1024

interface FileDifference {
  readonly path: string
  readonly added: number | null
  readonly deleted: number | null
}

export interface Difference {
  readonly files: readonly FileDifference[]
  readonly diff: string
  readonly isCut: boolean
}

export async function differenceOf(
  at: TrustedFolder,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<Difference> {
  const counts = await gitOrFail(at, ['diff', '--numstat', '-z', '--no-renames', from, to, '--'], {
    limitMs: WORK_TREE_LIMIT_MS,
    signal,
  })
  const { text, isCut } = await git(at, ['diff', from, to, '--'], {
    maxOutputBytes: MAX_DIFF_BYTES,
    limitMs: WORK_TREE_LIMIT_MS,
    signal,
  })
  const files = counts.text.split('\0').flatMap((entry) => {
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(entry) ?? []
    if (added === undefined || deleted === undefined || path === undefined) return []
    return [{ path, added: added === '-' ? null : Number(added), deleted: deleted === '-' ? null : Number(deleted) }]
  })
  return { files, diff: text, isCut }
}
