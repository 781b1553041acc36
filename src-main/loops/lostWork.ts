import { counted } from '@shared/countedText'
import { listNames } from '@shared/listNames'
import { turnRecords, type RepositoryState, type TurnRecord } from '@shared/turnRecord'
import { isRepositoryGone } from '../git/repositoryState'
import type { LoopWork } from './loop'
import { holdRun } from './runGuard'

export const shortNames = (commits: readonly string[]): string =>
  listNames(commits.map((commit) => commit.slice(0, 10)))

export const whoIn = ({ role, task }: Pick<TurnRecord, 'role' | 'task'>): string =>
  `The ${role}${task === null ? '' : ` of task ${task}`}`

export const tookOff = (left: readonly string[]): string =>
  `took ${counted(left.length, 'commit')} off the branch: ${shortNames(left)}.`

/**
 * Commits that are gone from the branch. Another attempt may replace its own task's commits, and agents at work
 * together those that they made meanwhile.
 */
export function holdForLost(
  { remembered, holds }: Pick<LoopWork, 'remembered' | 'holds'>,
  records: readonly TurnRecord[],
): void {
  const all = [...turnRecords(remembered), ...records]
  for (const record of records) {
    const workers = new Set(workersOf(record))
    const own = all.filter((other) => workersOf(other).some((worker) => workers.has(worker)))
    const lost = record.left.filter((commit) => !own.some(({ commits }) => commits.includes(commit)))
    if (lost.length > 0) holdRun(holds, 'lost-commits', `${whoIn(record)} ${tookOff(lost)}`)
  }
}

export function holdForGone(
  holds: LoopWork['holds'],
  before: RepositoryState | null,
  after: RepositoryState | null,
  roles: readonly string[],
): void {
  if (!before || !after || !isRepositoryGone(before, after)) return
  const turn = roles.length > 1 ? 'the turns of' : 'the turn of the'
  holdRun(holds, 'lost-commits', `The git repository was there before ${turn} ${listNames(roles)}, and is gone.`)
}

const workersOf = ({ task, log, shared = [] }: TurnRecord): string[] =>
  [{ task, log }, ...shared].flatMap((each) =>
    each.task !== null ? `task ${each.task}` : each.log !== '' ? `log ${each.log}` : [],
  )
