import { field, numberOf } from '../text/located'
import { compositeScore, type CompositeScore, type SeverityCounts } from './scores'
import type { TuningState } from './state'

export function compositeOf(
  counts: SeverityCounts,
  done: number,
  state?: Pick<TuningState, 'root' | 'details'>,
): CompositeScore {
  const applied = state?.details.fixes.flatMap((fix) => fix.applied) ?? []
  const passed = applied.filter(({ verification }) => verification.value === 'pass').length
  const iterations = numberOf(field(state?.root, 'iteration_count')) ?? 0
  return compositeScore(counts, done, { applied: applied.length, passed }, iterations)
}
