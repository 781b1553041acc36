/**
 * Gates: phases after which a person approves. That one was approved, or that a turn has completed its phase, is on no disk; it is
 * remembered beside the run's files.
 */
import type { Located } from '../text/located'
import type { Remembered } from '../format'
import { phaseSlug, slug } from './heading'
import type { Phase } from './phases'
import { humanGates, phaseName, type State } from './state'

/** The name under which a gate is remembered. */
export const gateName = (phase: Phase): string => `gate:${slug(phase.name)}`

const REACHED = 'reached'

/** @param at ms since 1970 */
export const approvedAt = (at: number): string => `approved ${new Date(at).toISOString()}`
/** Of a phase that a turn has just completed: it waits, also when an approval from before is remembered or the next phase has begun. */
export const reachedAt = (at: number): string => `${REACHED} ${new Date(at).toISOString()}`

export interface Gate {
  readonly phase: Phase
  /** Its entry in the manifest. */
  readonly entry: Located
}

/** The phases of tasks.md that the manifest names as gates, in the order of tasks.md. */
export const gatesOf = (state: State): Gate[] =>
  state.phases.flatMap((phase) => {
    const entry = humanGates(state).find((node) => phaseSlug(phaseName(node) ?? '') === slug(phase.name))
    return entry ? [{ phase, entry }] : []
  })

/**
 * The first gate that waits for its approval: its phase is complete, and either a turn was seen to complete it, or nothing after it
 * has begun and no approval is remembered.
 */
export function openGate(state: State, remembered: Remembered): Gate | undefined {
  const last = state.phases.findLast(({ derived }) => derived === 'COMPLETE' || derived === 'IN PROGRESS')
  return gatesOf(state).find(({ phase }) => {
    if (phase.derived !== 'COMPLETE') return false
    const known = remembered.get(gateName(phase))
    return known === undefined ? phase === last : known.startsWith(REACHED)
  })
}
