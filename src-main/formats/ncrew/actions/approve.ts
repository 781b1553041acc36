import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { approvedAt, gateName, openGate } from '../gates'
import { isOpen } from '../questions'
import type { State } from '../state'

/** Not kept in the project's files: the next expert would commit approvals or clean them away. */
export function approve(files: RunFiles, state: State): Offer[] {
  const gate =
    state.complete === undefined && !state.questions.some(isOpen) ? openGate(state, files.remembered) : undefined
  if (!gate || !state.manifest) return []
  const { key, name } = gate.phase
  return [
    {
      name: 'approve',
      target: key,
      title: `Approve phase ${name}`,
      effect: 'Stores the approval in Bridgedeck; the loop can continue with the next phase. No project file changes.',
      fields: [],
      source: state.manifest.source(gate.entry),
      answersNeed: true,
      unattended: {},
      plan: ({ now }) => ({
        summary: `Approved phase ${name}`,
        changes: [],
        warnings: ['Only Bridgedeck knows the approval: other runners stop at this gate again.'],
        remember: { [gateName(gate.phase)]: approvedAt(now) },
      }),
    },
  ]
}
