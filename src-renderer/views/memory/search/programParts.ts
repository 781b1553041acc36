import { create } from 'zustand'
import type { OfProgram } from '@shared/c64/memoryLayout'
import type { Payload } from '@shared/contract/contract'
import { call } from '../../../client/call'
import { useLabels } from '../../../client/labels'
import { isConnected, useFrontMachine, useFrontName } from '../../../client/machines'
import { useAnswer } from '../../../client/useAnswer'
import { usePlayback } from '../../../frames/shownMoment'

const useLoads = create<Readonly<Record<string, number>>>(() => ({}))

export const receiveLoadedChanged = ({ machine }: Payload<'running.loadedChanged'>): void =>
  useLoads.setState((loads) => ({ [machine]: (loads[machine] ?? 0) + 1 }))

const none: OfProgram = { programs: [], segments: [] }

/** Nothing for a moment of a recording, as that may be of any time. */
export function useProgramParts(visible: boolean): OfProgram {
  const machine = useFrontName()
  const isLive = usePlayback(({ shown }) => shown === null)
  const isAsked = isConnected(useFrontMachine()) && visible && isLive
  const loads = useLoads((all) => all[machine] ?? 0)
  const revision = useLabels((labels) => labels.revision)
  const loaded = useAnswer(machine, isAsked, (signal) => call('running.loaded', { machine }, { signal }), loads)
  const named = useAnswer(machine, isAsked, (signal) => call('labels.segments', { machine }, { signal }), revision)
  if (!isLive) return none
  return { programs: loaded.data?.programs ?? none.programs, segments: named.data?.segments ?? none.segments }
}
