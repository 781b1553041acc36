import { sumUse, type AgentUse } from '@shared/agentUse'
import type { AgentRun } from '@shared/contract/agents'

export interface AgentFigures {
  readonly atWork: number
  readonly today: AgentUse
}

/** @param midnight when today began, ms since 1970 */
export function agentFigures(runs: Iterable<AgentRun>, midnight: number, now: number): AgentFigures {
  const all = [...runs]
  return {
    atWork: all.filter(({ state }) => state === 'running' || state === 'stopping' || state === 'left').length,
    today: sumUse(
      all.filter(({ startedAt }) => startedAt !== null && startedAt >= midnight),
      now,
    ),
  }
}
