import type { MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'
import { timeOfDay } from '../widgets/times'

export type Tone = 'ok' | 'warn' | 'bad' | 'off'

export function describeState(state: MachineState | undefined, bridge: BridgeState): { word: string; tone: Tone } {
  if (bridge.state === 'failed' || bridge.state === 'stopped') return { word: 'Bridge stopped', tone: 'bad' }
  if (bridge.state !== 'ready') return { word: bridge.state === 'starting' ? 'Starting…' : 'Restarting…', tone: 'warn' }
  if (!state) return { word: 'Not connected', tone: 'off' }
  switch (state.connection) {
    case 'idle':
      return { word: 'Not connected', tone: 'off' }
    case 'connecting':
      return { word: state.retry === null ? 'Connecting…' : 'Trying again…', tone: 'warn' }
    case 'lost':
      return { word: state.wasLive ? 'Lost' : 'Could not connect', tone: 'bad' }
    case 'stale':
      return { word: 'Not answering', tone: 'warn' }
    case 'live':
      return describeExecution(state)
  }
}

export const notReachedText = ({ title, wasLive }: MachineState): string =>
  wasLive ? `The connection to ${title} was lost.` : `${title} could not be connected.`

export function describeRetry({ retry }: MachineState): string | null {
  if (retry === null) return null
  const attempts =
    retry.failures === 0 ? '' : retry.failures === 1 ? ' One attempt failed.' : ` ${retry.failures} attempts failed.`
  return retry.next === null ? `Trying again now.${attempts}` : `Next try at ${timeOfDay(retry.next)}.${attempts}`
}

export function describeTrouble(state: MachineState): string | null {
  const { connection, reason } = state
  const isInTrouble =
    connection === 'lost' || connection === 'stale' || (connection === 'connecting' && state.retry !== null)
  return isInTrouble ? [reason, describeRetry(state)].filter(Boolean).join(' ') : null
}

export function whyNotSampled({ sampling, reason, hint, samplingRisk }: MachineState): string | null {
  if (sampling.mode !== 'off') return null
  return [reason, samplingRisk, hint ?? 'Start sampling to see memory and screen live.'].filter(Boolean).join(' ')
}

function describeExecution({ execution, warp, slow, sampling }: MachineState): { word: string; tone: Tone } {
  if (sampling.mode === 'off' && (execution === 'running' || execution === 'unknown'))
    return { word: 'Not sampled', tone: 'warn' }
  switch (execution) {
    case 'paused':
      return { word: 'Paused', tone: 'warn' }
    case 'jammed':
      return { word: 'Jammed', tone: 'bad' }
    case 'running':
      if (slow) return { word: 'Slow motion', tone: 'warn' }
      return { word: warp ? 'Live, warp' : 'Live', tone: 'ok' }
    case 'unknown':
      return { word: 'Live', tone: 'ok' }
  }
}
