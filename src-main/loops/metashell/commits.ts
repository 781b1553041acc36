import { isSameCommit } from '@shared/commitName'
import { toFailure } from '@shared/contract/errors'
import { findCommits, findRepository, notInHead } from '../../git/repository'
import { findInSubmodules } from '../../git/submodules'
import type { TrustedFolder } from '../../git/trustedFolder'

/** What git knows of the commits that an agent says it made. */
export interface CommitCheck {
  readonly missing: readonly string[]
  /** Of the missing: the submodule that has it, by the commit's name. */
  readonly inSubmodule: ReadonlyMap<string, string>
  /** They are there, and no turn of the task made them on a branch: they were there before, or are on none. */
  readonly notNew: readonly string[]
  /** They are there, but not in the branch that is checked out. */
  readonly elsewhere: readonly string[]
  /** Why it is unknown, in one sentence; then the lists are empty. */
  readonly unknown?: string
}

const nothing = { missing: [], inSubmodule: new Map<string, string>(), notNew: [], elsewhere: [] }

/** @param own the commits that the task's turns made; null where that is unknown */
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
