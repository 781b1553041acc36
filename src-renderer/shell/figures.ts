import { create } from 'zustand'
import type { Task } from '@shared/contract/tasks'
import { describeTrouble } from '../client/machineLabels'
import { useMachines } from '../client/machines'
import { refreshTasks, useTasks } from '../client/tasks'
import { refreshAgentRuns, useAgents } from '../client/agents/agentRuns'
import { refreshProjects, useProjects } from '../views/projects/store'
import { agentFigures, type AgentFigures } from './agentFigures'
import { useLayout } from './layout'

export const readFigures = (): Promise<unknown> =>
  Promise.allSettled([refreshTasks(), refreshAgentRuns(), refreshProjects()])

export const useNeedCount = (): number =>
  useProjects(({ runs }) => {
    let count = 0
    for (const { run } of runs.values()) if (!run.archived) count += run.needCount
    return count
  })

export const useTroubleCount = (): number =>
  useMachines(({ machines }) => machines.filter((state) => describeTrouble(state) !== null).length)

/** ms since 1970. Earlier failures have been seen. */
const useSeen = create<{ readonly at: number }>(() => ({ at: Date.now() }))

useLayout.subscribe(({ current }, before) => {
  if (before.current === 'tasks' && current !== 'tasks') useSeen.setState({ at: Date.now() })
})

const failedAfter = (task: Task, time: number): boolean =>
  (task.status === 'error' || task.interrupted !== null) && (task.stoppedAt ?? task.updatedAt ?? 0) > time

export function useFailedTaskCount(): number {
  const { at } = useSeen()
  return useTasks(({ tasks, problems }) => {
    let count = problems.length
    for (const task of tasks.values()) if (failedAfter(task, at)) count++
    return count
  })
}

export const useRunningTaskCount = (): number =>
  useTasks(({ tasks }) => {
    let count = 0
    for (const task of tasks.values()) if (task.status === 'running') count++
    return count
  })

export function useAgentFigures(): AgentFigures {
  const runs = useAgents((state) => state.runs)
  return agentFigures(runs?.values() ?? [], new Date().setHours(0, 0, 0, 0), Date.now())
}
