import type { ValueSource } from '@shared/contract/orchestration'
import { numberOf } from '../text/located'
import { indexFact } from './indexFacts'
import { limitOf, maxCost, maxIterations, type State } from './state'

export interface ReachedLimit {
  readonly text: string
  readonly used: ValueSource | null
  readonly source: ValueSource | null
}

export function reachedLimit(state: State): ReachedLimit | undefined {
  const iterations = indexFact(state, 'current_iteration', numberOf)
  const cost = indexFact(state, 'cost_so_far', numberOf)
  const sourceOf = (name: 'max_iterations' | 'max_cost', used: ValueSource | null): ValueSource | null => {
    const node = limitOf(state, name)
    return state.manifest && node ? state.manifest.source(node) : used
  }
  if ((iterations.value ?? 0) >= maxIterations(state))
    return {
      text: `Iteration limit reached: ${iterations.value ?? 0} of ${maxIterations(state)} used.`,
      used: iterations.source,
      source: sourceOf('max_iterations', iterations.source),
    }
  if ((cost.value ?? 0) >= maxCost(state))
    return {
      text: `Cost limit reached: ${cost.value ?? 0} of ${maxCost(state)} USD spent.`,
      used: cost.source,
      source: sourceOf('max_cost', cost.source),
    }
  return undefined
}
