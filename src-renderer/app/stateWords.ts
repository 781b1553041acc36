import type { MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'

export type Tone = 'ok' | 'warn' | 'bad' | 'off'

/** A machine's state as the bar says it: a word or two, and how good that is. */
export function describeState(state: MachineState | undefined, bridge: BridgeState): { word: string; tone: Tone } {
  if (bridge.state === 'failed' || bridge.state === 'stopped') return { word: 'Bridge stopped', tone: 'bad' }
  if (bridge.state !== 'ready') return { word: bridge.state === 'starting' ? 'Starting…' : 'Restarting…', tone: 'warn' }
  if (!state) return { word: 'Not connected', tone: 'off' }
  switch (state.connection) {
    case 'idle':
      return { word: 'Not connected', tone: 'off' }
    case 'connecting':
      return { word: 'Connecting…', tone: 'warn' }
    case 'lost':
      return { word: 'Lost', tone: 'bad' }
    case 'stale':
      return { word: 'Not answering', tone: 'warn' }
    case 'live':
      return describeExecution(state)
  }
}

function describeExecution({ execution, warp }: MachineState): { word: string; tone: Tone } {
  switch (execution) {
    case 'paused':
      return { word: 'Paused', tone: 'warn' }
    case 'jammed':
      return { word: 'Jammed', tone: 'bad' }
    case 'running':
      return { word: warp ? 'Live, warp' : 'Live', tone: 'ok' }
    case 'unknown':
      return { word: 'Live', tone: 'ok' }
  }
}
