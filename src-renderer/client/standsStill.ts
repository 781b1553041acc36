import type { MachineState } from '@shared/contract/machine'
import { call } from './call'
import { attempt } from './messages'

export function whyStandsStill(state: MachineState | undefined): string | null {
  switch (state?.execution) {
    case 'paused':
      return `${state.title} is paused: until it runs on, each sample is the same.`
    case 'jammed':
      return `${state.title} has stopped (JAM): until it is reset, each sample is the same.`
    case 'running':
    case 'unknown':
    case undefined:
      return null
  }
}

export const resumeOffer = (state: MachineState | undefined) =>
  state?.execution === 'paused'
    ? { label: 'Resume', run: () => attempt(() => call('machine.resume', { machine: state.machine })) }
    : null
