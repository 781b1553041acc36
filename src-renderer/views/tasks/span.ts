/** The stretch of time that a chart shows, ms since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Nothing changes within less, ms: no machine makes more frames. */
const MIN_SPAN_MS = 20

/** Within the whole, and as long as it was where there is room. */
function within({ from, to }: Span, whole: Span): Span {
  const length = Math.min(Math.max(to - from, MIN_SPAN_MS), Math.max(whole.to - whole.from, MIN_SPAN_MS))
  const start = Math.max(whole.from, Math.min(from, whole.to - length))
  return { from: start, to: start + length }
}

/**
 * @param factor below 1 shows less time, above 1 more
 * @param at where in the chart what is there stays, 0 to 1
 */
export function zoom({ from, to }: Span, whole: Span, factor: number, at: number): Span {
  const middle = from + (to - from) * at
  return within({ from: middle - (middle - from) * factor, to: middle + (to - middle) * factor }, whole)
}

/** @param share of what is shown: 0.5 goes on by half of it */
export function pan({ from, to }: Span, whole: Span, share: number): Span {
  const step = (to - from) * share
  return within({ from: from + step, to: to + step }, whole)
}

/** Moves one end towards the other, by a share of what is shown. */
export function crop({ from, to }: Span, whole: Span, end: 'from' | 'to', share: number): Span {
  const step = (to - from) * share
  return within(end === 'from' ? { from: from + step, to } : { from, to: to - step }, whole)
}
