import { AppError } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { GitAnswer } from './gitProcess'
import type { CommitInfo } from './commits'
import type { Difference } from './difference'

export const MAX_COMMITS = 200
const MAX_NAMED_FILES = 8

export interface RollbackPlan extends Difference {
  readonly commits: readonly CommitInfo[]
  readonly undone: readonly string[]
  /** No branch has them any more, as after an amend: there is nothing to take back. */
  readonly gone: readonly string[]
  readonly returned: readonly CommitInfo[]
  readonly branch: readonly CommitInfo[]
  readonly lost: readonly string[]
  readonly obstacles: readonly string[]
}

export interface RollbackResult {
  /** `git reset --hard` to this ref restores the former HEAD. */
  readonly backup: string
  /** For `git stash apply`; null when there was nothing uncommitted. */
  readonly changesBackup: string | null
  readonly before: string
  readonly head: string
  readonly commits: readonly string[]
}

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
