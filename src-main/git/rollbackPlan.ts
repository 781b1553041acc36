/** What a rollback would change or has changed, and why it cannot be done. */
import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { GitAnswer } from './gitProcess'
import type { CommitInfo } from './commits'
import type { Difference } from './difference'

/** Commits that one rollback takes back. */
export const MAX_COMMITS = 200
/** In one sentence. */
const MAX_NAMED_FILES = 8

export interface RollbackPlan extends Difference {
  /** Those that are taken back, the newest first. */
  readonly commits: readonly CommitInfo[]
  /** Of {@link commits}: they change nothing, as later ones undid them. When that is all of them, git has nothing to do. */
  readonly undone: readonly string[]
  /** No branch has them any more, as after an amend: there is nothing to take back. */
  readonly gone: readonly string[]
  /** Those that are there again, the newest first. */
  readonly returned: readonly CommitInfo[]
  /** Of a run's own branch that what is checked out does not have, the newest first. */
  readonly branch: readonly CommitInfo[]
  /** Folders and files that go with a work tree. */
  readonly lost: readonly string[]
  /** Why it cannot be done as things stand, a sentence each; none: it can. */
  readonly obstacles: readonly string[]
}

export interface RollbackResult {
  /** The ref of where HEAD was: `git reset --hard` to it brings that back. */
  readonly backup: string
  /** What was not committed, for `git stash apply`; null when there was nothing. */
  readonly changesBackup: string | null
  /** HEAD before. */
  readonly before: string
  /** HEAD now. */
  readonly head: string
  /** Made by it, the newest first. */
  readonly commits: readonly string[]
}

/** Called when all is prepared, and neither branch nor work tree is touched yet. */
export type OnReady = (result: RollbackResult) => void

export const named = (names: readonly string[]): string => listNames(names, MAX_NAMED_FILES)

export const uncommittedObstacles = (files: readonly string[]): string[] =>
  files.length === 0
    ? []
    : [`There are changes that are not committed, in ${named(files)}: commit them, or put them away with git stash.`]

export const inTheWayObstacles = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : [`${named(files)} would come back, but a file that git does not know stands there.`]

export const short = (commit: string): string => commit.slice(0, 10)

export const emptyPlan: RollbackPlan = {
  commits: [],
  undone: [],
  gone: [],
  returned: [],
  branch: [],
  lost: [],
  files: [],
  diff: '',
  isCut: false,
  obstacles: [],
}

export const filterObstacle = (files: readonly string[]): string =>
  `${named(files)} would be changed, which git stores through a filter, and Bridgedeck runs no program that a repository names: roll back with git itself.`

export const changedConflict = ({ message }: GitAnswer): AppError =>
  new AppError(
    'CONFLICT',
    `Nothing was changed: the repository changed meanwhile, or a file is in the way. ${message.trim()}`.slice(0, 1800),
    { hint: 'Look again at what would change.' },
  )

export function refuseWith({ obstacles }: RollbackPlan): void {
  const [first, ...more] = obstacles
  if (first !== undefined)
    throw new AppError(
      'CONFLICT',
      `Nothing was changed. ${first}`,
      more.length === 0 ? {} : { hint: more.join(' ').slice(0, 2000) },
    )
}
