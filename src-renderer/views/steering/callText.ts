import type { MachineState, PastSpan } from '@shared/contract/machine'
import { isHeldBack, type AgentCall } from '@shared/contract/steering'
import { counted } from '@shared/countedText'
import { durationText } from '@shared/durationText'

interface OutcomeLabel {
  readonly word: AgentCall['outcome']
  readonly tone: 'ok' | 'warn' | 'bad' | 'off'
}

const tones: Readonly<Record<AgentCall['outcome'], OutcomeLabel['tone']>> = {
  running: 'ok',
  done: 'off',
  failed: 'bad',
  refused: 'warn',
  unanswered: 'warn',
  cancelled: 'off',
}

export const outcomeLabel = ({ outcome }: AgentCall): OutcomeLabel => ({ word: outcome, tone: tones[outcome] })

export const callLine = ({ outcome, message, text }: AgentCall): string =>
  message === null || isHeldBack(outcome) ? text : `${message} ${text}`.trim()

export const callDuration = ({ ms }: AgentCall): string =>
  ms === null ? '' : ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms)

export function undoText({ undo, bytes }: AgentCall): string | null {
  switch (undo) {
    case 'bytes':
      return `Puts ${counted(bytes, 'byte')} back`
    case 'time':
      return 'Takes the machine back to before this call'
    case 'ram':
      return 'Puts RAM back as it was before this call'
    case 'state':
      return 'Loads the state that the machine had before this call'
    case 'warp':
      return 'Sets warp as it was before this call'
    case null:
      return null
  }
}

export const undoneWith = (calls: readonly AgentCall[], { call, agent, name, machine }: AgentCall): AgentCall[] =>
  calls.filter(
    (each) =>
      each.call >= call && each.undo !== null && each.agent === agent && each.name === name && each.machine === machine,
  )

/**
 * Cycles between the call and the end of the machine's time; null where the moment before the call is not in its past.
 */
export function cyclesBack({ clock, undo }: AgentCall, past: PastSpan | null | undefined): number | null {
  // A call that this bridge does not keep may belong to another machine's time.
  if (clock === null || undo === null || !past || clock <= past.start || clock > past.end) return null
  return Math.round(past.end - clock)
}

export const pastOf = (machines: readonly MachineState[], machine: string | null): PastSpan | null =>
  machines.find((state) => state.machine === machine)?.past ?? null
