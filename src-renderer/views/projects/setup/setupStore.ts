import { create } from 'zustand'
import type { LoopName, RunLoopSystem } from '@shared/contract/loops'
import { notify } from '../../../client/messages'
import { showView } from '../../../client/navigation'
import { useProjects } from '../store'

export const useAgentSetup = create<{ readonly run: LoopName | null }>(() => ({ run: null }))

export const setUpAgent = (run: LoopName | null): void => useAgentSetup.setState({ run })

export const useNewRun = create<{ readonly run: { readonly project: number; readonly system: RunLoopSystem } | null }>(
  () => ({ run: null }),
)

export const newRun = (project: number, system: RunLoopSystem): void => useNewRun.setState({ run: { project, system } })

export const endNewRun = (): void => useNewRun.setState({ run: null })

export async function newRunHere(): Promise<void> {
  const { projects, choice } = useProjects.getState()
  const open = [...(projects?.values() ?? [])].filter(({ state }) => state === 'open')
  const here = choice ? open.find(({ project }) => project === choice.project) : open.length === 1 ? open[0] : undefined
  await showView('projects')
  if (here) newRun(here.project, 'metashell')
  else notify('Choose an open project first.')
}
