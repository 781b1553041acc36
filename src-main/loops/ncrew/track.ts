import type { TextEdit } from '../../formats/finding'
import { numberOf, type Located } from '../../formats/text/located'
import { replaceSpan } from '../../formats/text/splice'
import { indexField } from '../../formats/ncrew/indexFacts'
import type { State } from '../../formats/ncrew/state'

export interface Counters {
  /** Null where INDEX.md does not say. */
  readonly iteration: number | null
  /** USD */
  readonly cost: number | null
}

export const countersOf = (state: State): Counters => ({
  iteration: numberOf(indexField(state, 'current_iteration')) ?? null,
  cost: numberOf(indexField(state, 'cost_so_far')) ?? null,
})

export interface Tracking {
  readonly edits: readonly TextEdit[]
  /** USD lost by rounding to cents, added the next time. */
  readonly remainder: number
}

/**
 * An expert may have counted already. A file without such a field, or that cannot be parsed, stays as it is.
 * @param before the turn
 * @param cost USD of the turn, with the remainder of earlier ones; null when unknown
 */
export function trackTurn(after: State, before: Counters, cost: number | null): Tracking {
  const { index } = after
  if (!index || index.front.document.findings.some(({ severity }) => severity === 'error'))
    return { edits: [], remainder: cost ?? 0 }
  const edits: TextEdit[] = []
  const now = countersOf(after)
  const iteration = indexField(after, 'current_iteration')
  if (iteration && now.iteration !== null && now.iteration === before.iteration)
    edits.push(...setNumber(iteration, String(now.iteration + 1)))
  if (cost === null || now.cost === null) return { edits, remainder: cost ?? 0 }
  const total = (before.cost ?? now.cost) + cost
  const print = total.toFixed(2)
  // The expert counted it, or we did before an interruption: then keep what was rounded off.
  if (now.cost !== before.cost) return { edits, remainder: now.cost === Number(print) ? total - now.cost : 0 }
  const node = indexField(after, 'cost_so_far')
  if (!node || print === now.cost.toFixed(2)) return { edits, remainder: cost }
  return { edits: [...edits, ...setNumber(node, print)], remainder: total - Number(print) }
}

function setNumber(node: Located, print: string): TextEdit[] {
  if (node.kind !== 'scalar') return []
  const quotes = /^["']/.exec(node.written)?.[0] ?? ''
  return [replaceSpan(node, `${quotes}${print}${quotes}`)]
}
