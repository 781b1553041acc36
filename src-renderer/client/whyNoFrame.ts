import type { ActionId } from '@shared/actions'
import type { MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'
import { describeRetry, notReachedText, whyNotSampled } from './machineLabels'

export interface WhyNoFrame {
  readonly text: string
  readonly action?: { readonly id: ActionId; readonly label: string }
}

const sentences = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' ')

export function whyNoFrame(state: MachineState | undefined, name: string, bridge: BridgeState): WhyNoFrame {
  if (bridge.state === 'failed' || bridge.state === 'stopped')
    return {
      text: 'The bridge, which talks to the machines, has stopped.',
      action: { id: 'help.restartBridge', label: 'Restart the bridge' },
    }
  if (bridge.state !== 'ready') return { text: 'Waiting for the bridge…' }
  const title = state?.title ?? name
  switch (state?.connection) {
    case undefined:
    case 'idle':
      return {
        text: sentences(`${title} is not connected.`, state?.reason, state?.hint),
        action: { id: 'machine.connect', label: 'Connect' },
      }
    case 'connecting':
      if (state.retry === null) return { text: sentences(`Connecting to ${title}…`, state.reason) }
      return { text: notReached(state), action: { id: 'machine.disconnect', label: 'Stop trying' } }
    case 'lost':
      return {
        text: notReached(state),
        action: { id: 'machine.connect', label: state.retry === null ? 'Connect again' : 'Try now' },
      }
    case 'stale':
      return {
        text: sentences(`${title} does not answer in time.`, state.reason, state.hint),
        action: { id: 'machine.disconnect', label: 'Disconnect' },
      }
    case 'live':
      return state.sampling.mode === 'off'
        ? {
            text: sentences(`Nothing is sampled from ${title}.`, whyNotSampled(state)),
            action: { id: 'machine.sampling', label: 'Start sampling' },
          }
        : { text: 'Waiting for the first frame…' }
  }
}

const notReached = (state: MachineState): string =>
  sentences(notReachedText(state), state.reason, describeRetry(state), state.hint)
