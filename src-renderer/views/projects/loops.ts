import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import { loopSystems, type Loop, type LoopName } from '@shared/contract/loops'
import type { Run } from '@shared/contract/orchestration'
import { isMaestroSession, loopPlace } from '@shared/formats/systems'
import { call } from '../../client/call'
import { takeAnswer } from '../../client/events'
import { showView } from '../../client/navigation'
import { notify, reportError } from '../../client/messages'
import { placeOf, useProjects } from './store'

interface LoopsState {
  readonly loops: ReadonlyMap<string, Loop>
}

export const useLoops = create<LoopsState>(() => ({ loops: new Map() }))

export const keyOf = ({
  project,
  system,
  place,
}: Readonly<Record<'system' | 'place', string>> & Pick<LoopName, 'project'>): string => `${project} ${system} ${place}`

export function loopName(project: number, run: Run): LoopName | null {
  const system = loopSystems.find((known) => known === run.system)
  const place = loopPlace(run)
  if (system === undefined || run.archived || (system === 'maestro' && !isMaestroSession(place))) return null
  return { project, system, place }
}

export function useLastLoop(project: number, run: Run): Loop | undefined {
  const name = loopName(project, run)
  return useLoops(({ loops }) => (name ? loops.get(keyOf(name)) : undefined))
}

export function receiveLoops({ loops }: Payload<'loops.changed'>): void {
  const known = new Map(useLoops.getState().loops)
  for (const loop of loops) known.set(keyOf(loop), loop)
  useLoops.setState({ loops: known })
}

export const takeLoop = (ask: () => Promise<{ readonly loop: Loop }>): Promise<void> =>
  takeAnswer('loops.changed', ask, ({ loop }) => receiveLoops({ loops: [loop] }))

export function readLoops(): void {
  useLoops.setState({ loops: new Map() })
  takeAnswer('loops.changed', () => call('loops.list', {}), receiveLoops).catch(reportError)
}

function withChosen(act: (name: LoopName) => Promise<{ readonly loop: Loop }>): () => Promise<void> {
  return async () => {
    const { choice, runs } = useProjects.getState()
    const run = !choice || choice.run === null ? undefined : runs.get(placeOf(choice.project, choice.run))?.run
    const name = choice && run ? loopName(choice.project, run) : null
    if (name) {
      await takeLoop(() => act(name))
      return
    }
    if (!run) void showView('projects')
    notify(run ? 'Bridgedeck does not run this run itself.' : 'Choose a run first.')
  }
}

export const startChosen = withChosen((name) =>
  call('loops.start', { ...name, options: { testsAgents: true, asChosen: true } }),
)
/** One agent's turn, or one step of skill tuning, then it rests. A test before it does not count. */
export const stepChosen = withChosen(({ system, ...name }) =>
  call(
    'loops.start',
    system === 'tuning'
      ? { ...name, system, options: { asChosen: true, maxSteps: 1 } }
      : { ...name, system, options: { testsAgents: true, asChosen: true, maxTurns: 1 } },
  ),
)
export const retryFailed = ({ project, place }: LoopName): Promise<void> =>
  takeLoop(() =>
    call('loops.start', {
      project,
      system: 'maestro',
      place,
      options: { testsAgents: true, asChosen: true, retriesFailed: true },
    }),
  )
export const pauseChosen = withChosen((name) => call('loops.pause', name))
export const stopChosen = withChosen((name) => call('loops.stop', name))
