import type { ValueSource } from '@shared/contract/orchestration'
import { field, isNull, numberOf } from '../text/located'
import { printed, unclearAmounts, type Unclear } from '../unclearAmounts'
import type { TuningState } from './state'

const amounts = ['iteration_count', 'max_iterations', 'error_count', 'max_errors'] as const
const lists = [
  'issues',
  'proposed_fixes',
  'applied_fixes',
  'pending_fixes',
  'completed_actions',
  'action_history',
  'errors',
] as const

/** Read as 0, default or empty, they would let a run go on and pass its gate. */
export const unclearValues = ({ document, root }: TuningState): Unclear[] => [
  ...unclearAmounts(document, Object.fromEntries(amounts.map((name) => [name, field(root, name)]))),
  ...lists.flatMap((name) => {
    const node = field(root, name)
    return !node || isNull(node) || node.kind === 'list'
      ? []
      : [{ text: `${document.file} has no list as ${name}: ${printed(node)}.`, source: document.source(node) }]
  }),
]

interface ReachedLimit {
  readonly text: string
  readonly used: number
  readonly source: ValueSource
}

export function reachedLimit({ document, root, details: { status, score } }: TuningState): ReachedLimit | undefined {
  const node = field(root, 'iteration_count')
  const used = numberOf(node)
  const most = numberOf(field(root, 'max_iterations'))
  if (status.value !== 'completed' || score.gate.value === 'pass') return undefined
  if (!node || used === undefined || most === undefined || used < most) return undefined
  return {
    text: `Ended after ${used} of ${most} iterations without passing its gate.`,
    used,
    source: document.source(node),
  }
}

export const ACCEPTED_RESULT = 'accepted result'

/** Includes the iterations, so that a run that goes on and ends at its limit again asks again. */
export const acceptedResult = (state: TuningState): string => `after ${reachedLimit(state)?.used ?? 0} iterations`
