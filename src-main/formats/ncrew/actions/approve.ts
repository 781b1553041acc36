import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { approvedAt, gateName, openGate } from '../gates'
import { isPending, type State } from '../state'

/** A gate's approval has no place in the project's files: it would be committed by the next expert, or cleaned away. */
export function approve(files: RunFiles, state: State): Offer[] {
  const gate =
    state.complete === undefined && !state.questions.some(isPending) ? openGate(state, files.remembered) : undefined
  if (!gate || !state.manifest) return []
  const { key, name } = gate.phase
  return [
    {
      name: 'approve',
      target: key,
      title: `Approve the phase ${name}`,
      effect: 'Bridgedeck stores the approval, and the loop continues with the next phase. No project file changes.',
      fields: [],
      source: state.manifest.source(gate.entry),
      answersNeed: true,
      plan: ({ now }) => ({
        summary: `Approved the phase ${name}`,
        changes: [],
        warnings: ['Only Bridgedeck knows of the approval: another runner stops at this gate again.'],
        remember: { [gateName(gate.phase)]: approvedAt(now) },
      }),
    },
  ]
}
