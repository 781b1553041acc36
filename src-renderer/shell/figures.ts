/** The figures of the activity bar and the status bar, each counted here alone. */
import { create } from 'zustand'
import type { MachineState } from '@shared/contract/machine'
import type { Task } from '@shared/contract/tasks'
import { describeTrouble } from '../client/machineLabels'
import { useMachines } from '../client/machines'
import { refreshTasks, useTasks } from '../client/tasks'
import { refreshAgentRuns, useAgents } from '../views/agents/store'
import { refreshProjects, useProjects } from '../views/projects/store'
import { agentFigures, type AgentFigures } from './agentFigures'
import { useLayout } from './layout'

/** What is counted, also of views that nobody has opened yet. Where something cannot be read, its view says why. */
export const readFigures = (): Promise<unknown> =>
  Promise.allSettled([refreshTasks(), refreshAgentRuns(), refreshProjects()])

/** What needs the person, in all open projects. */
export const useNeedCount = (): number =>
  useProjects(({ runs }) => {
    let count = 0
    for (const { run } of runs.values()) if (!run.archived) count += run.needCount
    return count
  })

/** Machines that should be live and are not. */
export const useTroubleCount = (): number =>
  useMachines(({ machines }) => machines.filter((state) => describeTrouble(state) !== null).length)

/** When the Tasks workspace was left last, or the window opened, ms since 1970: what failed before has been seen. */
const useSeen = create<{ readonly at: number }>(() => ({ at: Date.now() }))

useLayout.subscribe(({ current }, before) => {
  if (before.current === 'tasks' && current !== 'tasks') useSeen.setState({ at: Date.now() })
})

const failedAfter = (task: Task, time: number): boolean =>
  (task.status === 'error' || task.interrupted !== null) && (task.stoppedAt ?? task.updatedAt ?? 0) > time

/** Tasks that failed since the person last looked, and damaged files of tasks. */
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
  return agentFigures(runs?.values() ?? [], new Date().setHours(0, 0, 0, 0))
}

/** Below this share of the frames that are read, the window is behind. */
const BAD_SHARE = 0.8
/** Frames a second up to which a missing one is no sign. */
const FEW_FRAMES = 10

/** Whether a window that paints frames misses many of those that are read. */
export const isRateBad = (paintRate: number, { sampling, execution }: MachineState): boolean =>
  execution === 'running' &&
  paintRate > 0 &&
  sampling.measured > FEW_FRAMES &&
  paintRate < sampling.measured * BAD_SHARE
