/** What a chart shows, ms since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Shortest span, ms: no machine makes frames faster. */
const MIN_SPAN_MS = 20

function within({ from, to }: Span, whole: Span): Span {
  const length = Math.min(Math.max(to - from, MIN_SPAN_MS), Math.max(whole.to - whole.from, MIN_SPAN_MS))
  const start = Math.max(whole.from, Math.min(from, whole.to - length))
  return { from: start, to: start + length }
}

/**
 * @param factor below 1 shows less time, above 1 more
 * @param at the place in the chart that stays where it is, 0 to 1
 */
export function zoom({ from, to }: Span, whole: Span, factor: number, at: number): Span {
  const middle = from + (to - from) * at
  return within({ from: middle - (middle - from) * factor, to: middle + (to - middle) * factor }, whole)
}

/** @param share of the span shown: 0.5 moves by half of it */
export function pan({ from, to }: Span, whole: Span, share: number): Span {
  const step = (to - from) * share
  return within({ from: from + step, to: to + step }, whole)
}

export function crop({ from, to }: Span, whole: Span, end: 'from' | 'to', share: number): Span {
  const step = (to - from) * share
  return within(end === 'from' ? { from: from + step, to } : { from, to: to - step }, whole)
}
