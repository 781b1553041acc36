import { MAX_TURNS_COMMITS } from '@shared/contract/loops'
import type { Output } from '@shared/contract/contract'
import type { TurnRecord } from '@shared/turnRecord'

export function commitsOfTurns(records: readonly TurnRecord[], turns: readonly string[]): Output<'loops.commits'> {
  const wanted = new Set(turns)
  const recorded = new Set(records.map(({ log }) => log))
  const own = records.filter(({ log, shared }) => wanted.has(log) || shared?.some((sharer) => wanted.has(sharer.log)))
  const commits = [...new Set(own.flatMap((record) => [...record.commits, ...record.elsewhere]))].toReversed()
  return {
    commits: commits.slice(0, MAX_TURNS_COMMITS),
    moreCommits: Math.max(0, commits.length - MAX_TURNS_COMMITS),
    unrecorded: turns.filter((turn) => !recorded.has(turn)).length,
  }
}
