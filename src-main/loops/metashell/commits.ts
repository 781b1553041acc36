import { isSameCommit } from '@shared/commitName'
import { toFailure } from '@shared/contract/errors'
import { findCommits, findRepository, notInHead } from '../../git/repository'
import { findInSubmodules } from '../../git/submodules'
import type { TrustedFolder } from '../../git/trustedFolder'

export interface CommitCheck {
  readonly missing: readonly string[]
  /** By commit name: the submodule that has a missing commit. */
  readonly inSubmodule: ReadonlyMap<string, string>
  /** Commits that exist, but that no turn of the task made on a branch. */
  readonly notNew: readonly string[]
  /** Commits that exist, but not in the checked-out branch. */
  readonly elsewhere: readonly string[]
  readonly unknown?: string
}

const nothing = { missing: [], inSubmodule: new Map<string, string>(), notNew: [], elsewhere: [] }

/** @param own null where it is unknown which commits the task's turns made */
export async function checkCommits(
  at: TrustedFolder,
  names: readonly string[],
  own: readonly string[] | null,
  signal: AbortSignal,
): Promise<CommitCheck> {
  if (names.length === 0) return nothing
  try {
    const repository = await findRepository(at, signal)
    if (!repository) return { ...nothing, unknown: 'Not a git repository, so the reported commits are not checked.' }
    const found = await findCommits(at, names, signal)
    const missing = names.filter((name) => typeof found.get(name) !== 'string')
    const isOwn = (commit: string) => own === null || own.some((name) => isSameCommit(name, commit))
    const notNew = names.filter((name) => !missing.includes(name) && !isOwn(found.get(name) ?? name))
    const whole = new Map([...found].flatMap(([name, commit]) => (commit === null ? [] : [[commit, name] as const])))
    const outside = repository.head === null ? new Set<string>() : await notInHead(at, [...whole.keys()], signal)
    const inSubmodule =
      missing.length === 0 ? nothing.inSubmodule : await findInSubmodules(at, repository.top, missing, signal)
    return { missing, inSubmodule, notNew, elsewhere: [...outside].flatMap((commit) => whole.get(commit) ?? []) }
  } catch (error) {
    signal.throwIfAborted()
    return { ...nothing, unknown: `Cannot check the reported commits: ${toFailure(error).message}` }
  }
}
