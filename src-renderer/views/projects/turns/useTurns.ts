import { useMemo } from 'react'
import type { AgentRun } from '@shared/contract/agents'
import { useAgents } from '../../../client/agents/agentRuns'

/** The agents' turns of a run that Bridgedeck ran, the newest first; none while they are being read. */
export function useTurns(project: number, run: string): readonly AgentRun[] {
  const runs = useAgents((state) => state.runs)
  return useMemo(
    () =>
      [...(runs?.values() ?? [])]
        .filter(({ turn }) => turn !== null && turn.project === project && turn.run === run)
        .sort((a, b) => (a.run < b.run ? 1 : -1)),
    [runs, project, run],
  )
}
