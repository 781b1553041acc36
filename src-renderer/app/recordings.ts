import { create } from 'zustand'
import type { Space } from '@shared/contract/memory'
import type { RecordingState } from '@shared/contract/recorder'
import { call } from './client'
import { requireFront } from './machineControl'
import { frontMachine, useMachines } from './machines'
import { notify } from './messages'

interface Recordings {
  /** Those that the record button started and that are being made. */
  readonly states: readonly RecordingState[]
}

export const useRecordings = create<Recordings>(() => ({ states: [] }))

const stateOf = ({ states }: Recordings, machine: string): RecordingState | undefined => states.find((state) => state.machine === machine)

/** The recording that is being made of the machine in front. */
export function useFrontRecording(): RecordingState | undefined {
  const front = useMachines((state) => state.front)
  return useRecordings((recordings) => stateOf(recordings, front))
}

export function receiveRecordings({ recordings }: { readonly recordings: readonly RecordingState[] }): void {
  useRecordings.setState({ states: recordings.filter(({ failure }) => failure === null) })
}

/** Begins to record the machine in front, all that the views show of it, or ends that. */
export async function toggleRecording(): Promise<void> {
  const machine = requireFront()
  const made = stateOf(useRecordings.getState(), machine)
  if (made) {
    await call('recorder.stop', { recording: made.recording })
    notify('The recording is kept.', 'The Timeline view shows it.')
    return
  }
  const limits = frontMachine()?.capabilities
  const spaces: Space[] = ['cpu', ...(limits?.ramUnderRom === null ? ['ram' as const] : []), 'io']
  await call('recorder.start', { machine, spaces, picture: limits?.picture === null })
}
