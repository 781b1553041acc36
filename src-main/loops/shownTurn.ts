import { MAX_TURN_COMMITS, MAX_TURN_FILES, MAX_TURN_SHARERS, type LoopTurn } from '@shared/contract/loops'
import type { TurnRecord } from '@shared/turnRecord'

/** @param records also those shared with agents that worked at the same time */
export function shownTurn(
  { log, commits, elsewhere, uncommitted, before, after }: TurnRecord,
  records: readonly TurnRecord[],
): LoopTurn {
  const shared = records.filter((record) => record.shared?.some((sharer) => sharer.log === log))
  return {
    commits: commits.toReversed().slice(0, MAX_TURN_COMMITS),
    moreCommits: Math.max(0, commits.length - MAX_TURN_COMMITS),
    elsewhere: elsewhere.toReversed().slice(0, MAX_TURN_COMMITS),
    uncommitted: uncommitted.slice(0, MAX_TURN_FILES).map((path) => path.slice(0, 1000)),
    branchBefore: before.branch?.slice(0, 300) ?? null,
    branchAfter: after.branch?.slice(0, 300) ?? null,
    shared: shared.slice(0, MAX_TURN_SHARERS).map((record) => ({
      agents: (record.shared ?? []).slice(0, MAX_TURN_SHARERS).map(({ role }) => role.slice(0, 100)),
      commits: [...record.commits, ...record.elsewhere].toReversed().slice(0, MAX_TURN_COMMITS),
      uncommitted: record.uncommitted.slice(0, MAX_TURN_FILES).map((path) => path.slice(0, 1000)),
    })),
  }
}
