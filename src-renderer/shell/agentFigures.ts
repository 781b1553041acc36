import type { AgentRun } from '@shared/contract/agents'

export interface AgentFigures {
  readonly atWork: number
  /** USD, of the runs that began today. */
  readonly cost: number
  /** Ended runs of today that did not say what they cost. */
  readonly unknownCosts: number
}

/** @param midnight when today began, ms since 1970 */
export function agentFigures(runs: Iterable<AgentRun>, midnight: number): AgentFigures {
  const figures = { atWork: 0, cost: 0, unknownCosts: 0 }
  for (const { state, startedAt, cost } of runs) {
    if (state === 'running' || state === 'stopping' || state === 'left') figures.atWork++
    if (startedAt === null || startedAt < midnight) continue
    figures.cost += cost ?? 0
    if (cost === null && state === 'ended') figures.unknownCosts++
  }
  return figures
}

/** At least so much where some runs did not say. */
export const costText = ({ cost, unknownCosts }: AgentFigures): string =>
  `$${cost.toFixed(2)}${unknownCosts === 0 ? '' : '+'}`
