import { useMemo } from 'react'
import type { AgentRun } from '@shared/contract/agents'
import type { Run } from '@shared/contract/orchestration'
import { loopPlace } from '@shared/formats/systems'
import { useAgents } from '../../../client/agents/agentRuns'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { keyOf } from '../loops'

const noPlaces: readonly string[] = []

/**
 * Newest first; none while they are being read.
 * @param batches that belong to the run, by their folders
 */
export function useTurns(
  project: number,
  run: Run | undefined,
  batches: readonly string[] = noPlaces,
): readonly AgentRun[] {
  const runs = useAgents((state) => state.runs)
  return useMemo(() => {
    if (!run || run.archived) return []
    const { system } = run
    const keys = new Set([loopPlace(run), ...batches].map((place) => keyOf({ project, system, place })))
    return [...(runs?.values() ?? [])]
      .filter(({ turn }) => turn !== null && keys.has(keyOf(turn)))
      .sort((a, b) => (a.run < b.run ? 1 : -1))
  }, [runs, project, run, batches])
}

export function useBatchPlaces(project: number, { key, system, revision }: Run): readonly string[] {
  const { data } = useAnswer(
    `${project} ${key}`,
    system === 'maestro',
    (signal) => call('projects.details', { project, run: key }, { signal }),
    revision,
  )
  return useMemo(
    () => (data?.details.system === 'maestro' ? data.details.batches.map(({ folder }) => folder) : noPlaces),
    [data],
  )
}
