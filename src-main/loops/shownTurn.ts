import { MAX_TURN_COMMITS, MAX_TURN_FILES, type LoopTurn } from '@shared/contract/loops'
import type { TurnRecord } from '@shared/turnRecord'

export const shownTurn = ({ commits, elsewhere, uncommitted, before, after }: TurnRecord): LoopTurn => ({
  commits: commits.toReversed().slice(0, MAX_TURN_COMMITS),
  moreCommits: Math.max(0, commits.length - MAX_TURN_COMMITS),
  elsewhere: elsewhere.toReversed().slice(0, MAX_TURN_COMMITS),
  uncommitted: uncommitted.slice(0, MAX_TURN_FILES).map((path) => path.slice(0, 1000)),
  branchBefore: before.branch?.slice(0, 300) ?? null,
  branchAfter: after.branch?.slice(0, 300) ?? null,
})
