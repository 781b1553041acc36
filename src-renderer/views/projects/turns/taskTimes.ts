import { useState } from 'react'
import type { Run } from '@shared/contract/orchestration'
import type { AgentRun } from '@shared/contract/agents'
import { useTurns } from './useTurns'

/** A turn of an agent, ms since 1970; `to` is null while it runs. */
export interface TurnSpan {
  readonly from: number
  readonly to: number | null
}

export type TaskTimes = ReadonlyMap<string, readonly TurnSpan[]>

export function taskTimesOf(turns: readonly Pick<AgentRun, 'turn' | 'startedAt' | 'endedAt'>[]): TaskTimes {
  const times = new Map<string, TurnSpan[]>()
  for (const { turn, startedAt: from, endedAt: to } of turns) {
    const task = turn?.task ?? null
    if (task === null || from === null) continue
    times.set(task, [...(times.get(task) ?? []), { from, to }])
  }
  return times
}

/** In ms. */
export const workedFor = (spans: readonly TurnSpan[], now: number): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0)

/** The same object until a turn begins or ends, as what agents print meanwhile does not change a plan. */
export function useTaskTimes(project: number, run: Run): TaskTimes {
  const current = taskTimesOf(useTurns(project, run))
  const [times, setTimes] = useState(current)
  if (signatureOf(times) !== signatureOf(current)) setTimes(current)
  return times
}

const signatureOf = (times: TaskTimes): string => JSON.stringify([...times])
