/**
 * A gate is a phase after which a person approves. Approvals and completed turns are not on disk; they are remembered
 * beside the run's files.
 */
import type { Located } from '../text/located'
import type { Remembered } from '../format'
import { phaseSlug, slug } from './heading'
import type { Phase } from './phases'
import { humanGates, phaseName, type State } from './state'

export const gateName = (phase: Phase): string => `gate:${slug(phase.name)}`

const REACHED = 'reached'

/** @param at ms since 1970 */
export const approvedAt = (at: number): string => `approved ${new Date(at).toISOString()}`
/** The phase waits even when an earlier approval is remembered or the next phase has begun. */
export const reachedAt = (at: number): string => `${REACHED} ${new Date(at).toISOString()}`

export interface Gate {
  readonly phase: Phase
  readonly entry: Located
}

export const gatesOf = (state: State): Gate[] =>
  state.phases.flatMap((phase) => {
    const entry = humanGates(state).find((node) => phaseSlug(phaseName(node) ?? '') === slug(phase.name))
    return entry ? [{ phase, entry }] : []
  })

/**
 * A gate waits where its phase is complete, and either a turn was seen to complete it, or nothing after it has begun
 * and no approval is remembered.
 */
export function openGate(state: State, remembered: Remembered): Gate | undefined {
  const last = state.phases.findLast(({ derived }) => derived === 'COMPLETE' || derived === 'IN PROGRESS')
  return gatesOf(state).find(({ phase }) => {
    if (phase.derived !== 'COMPLETE') return false
    const known = remembered.get(gateName(phase))
    return known === undefined ? phase === last : known.startsWith(REACHED)
  })
}
