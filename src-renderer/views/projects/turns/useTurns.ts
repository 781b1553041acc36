import { useMemo } from 'react'
import type { AgentRun } from '@shared/contract/agents'
import type { Run } from '@shared/contract/orchestration'
import { useAgents } from '../../../client/agents/agentRuns'
import { keyOf, loopName } from '../loops'

/** The agents' turns of a run that Bridgedeck ran, the newest first; none while they are being read. */
export function useTurns(project: number, run: Run | undefined): readonly AgentRun[] {
  const runs = useAgents((state) => state.runs)
  const name = run ? loopName(project, run) : null
  const key = name && keyOf(name)
  return useMemo(
    () =>
      [...(runs?.values() ?? [])]
        .filter(({ turn }) => turn !== null && keyOf(turn) === key)
        .sort((a, b) => (a.run < b.run ? 1 : -1)),
    [runs, key],
  )
}
