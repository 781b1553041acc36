import { create } from 'zustand'
import type { LoopName, RunLoopSystem } from '@shared/contract/loops'
import { notify } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { useProjects } from '../store'

/** For which run an agent is being set up; null for none. */
export const useAgentSetup = create<{ readonly run: LoopName | null }>(() => ({ run: null }))

export const setUpAgent = (run: LoopName | null): void => useAgentSetup.setState({ run })

/** In which project a run is being made, and of which format; null for none. */
export const useNewRun = create<{ readonly run: { readonly project: number; readonly system: RunLoopSystem } | null }>(
  () => ({ run: null }),
)

export const newRun = (project: number, system: RunLoopSystem): void => useNewRun.setState({ run: { project, system } })

export const endNewRun = (): void => useNewRun.setState({ run: null })

/** In the project that is chosen, or the only one that is open. */
export async function newRunHere(): Promise<void> {
  const { projects, choice } = useProjects.getState()
  const open = [...(projects?.values() ?? [])].filter(({ state }) => state === 'open')
  const here = choice ? open.find(({ project }) => project === choice.project) : open.length === 1 ? open[0] : undefined
  await showView('projects')
  if (here) newRun(here.project, 'metashell')
  else notify('Choose an open project first.')
}
