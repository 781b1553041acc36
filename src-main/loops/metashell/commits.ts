import { toFailure } from '@shared/contract/errors'
import { findCommits, findRepository, notInHead } from '../../git/repository'
import type { TrustedFolder } from '../../git/trustedFolder'

/** What git knows of the commits that an agent says it made. */
export interface CommitCheck {
  readonly missing: readonly string[]
  /** They are there, but not in the branch that is checked out. */
  readonly elsewhere: readonly string[]
  /** Why it is unknown, in one sentence; then both lists are empty. */
  readonly unknown?: string
}

export async function checkCommits(
  at: TrustedFolder,
  names: readonly string[],
  signal: AbortSignal,
): Promise<CommitCheck> {
  if (names.length === 0) return { missing: [], elsewhere: [] }
  try {
    const repository = await findRepository(at, signal)
    if (!repository)
      return {
        missing: [],
        elsewhere: [],
        unknown: 'Not a git repository, so the reported commits are not checked.',
      }
    const found = await findCommits(at, names, signal)
    const missing = names.filter((name) => typeof found.get(name) !== 'string')
    const whole = new Map([...found].flatMap(([name, commit]) => (commit === null ? [] : [[commit, name] as const])))
    const outside = repository.head === null ? new Set<string>() : await notInHead(at, [...whole.keys()], signal)
    return { missing, elsewhere: [...outside].flatMap((commit) => whole.get(commit) ?? []) }
  } catch (error) {
    signal.throwIfAborted()
    return {
      missing: [],
      elsewhere: [],
      unknown: `Cannot check the reported commits: ${toFailure(error).message}`,
    }
  }
}
