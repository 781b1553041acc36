/** ms since 1970. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** `value` holds until the next point; `low` and `high` are the extremes of a stretch. */
export interface ChartPoint {
  readonly time: number
  readonly value: number
  readonly low: number
  readonly high: number
}

type DrawnPoint = ChartPoint | { readonly time: number; readonly value: null; readonly low: null; readonly high: null }

/**
 * A line that holds each value up to the next, the last one up to the end, and breaks at gaps.
 * @param gaps in the order of time
 */
export function chartPoints(points: readonly ChartPoint[], gaps: readonly Stretch[], end: number): DrawnPoint[] {
  const last = points.at(-1)
  if (!last) return []
  const drawn: DrawnPoint[] = []
  let at = 0
  let held: ChartPoint | undefined
  const take = (until: number) => {
    for (let point = points[at]; point !== undefined && point.time <= until; point = points[++at]) {
      drawn.push(point)
      held = point
    }
  }
  const hold = (time: number) => {
    const before = drawn.at(-1)
    if (held && (before === undefined || before.time < time))
      drawn.push({ time, value: held.value, low: held.value, high: held.value })
  }
  for (const { from, to } of gaps) {
    take(from)
    if (held) {
      hold(from)
      drawn.push({ time: from, value: null, low: null, high: null })
    }
    // The same value after the gap is no new step.
    if (points[at]?.time !== to) hold(to)
  }
  take(Infinity)
  hold(Math.max(last.time, end))
  return drawn
}

export function pointAt(points: readonly ChartPoint[], gaps: readonly Stretch[], time: number): ChartPoint | undefined {
  if (gaps.some(({ from, to }) => time > from && time < to)) return undefined
  return points.findLast((point) => point.time <= time)
}

/** Missing runs: from when the next was due until it came. Times are ascending. */
export function gapsBetween(times: readonly number[], usual: number): Stretch[] {
  return times.flatMap((to, index) => {
    const before = times[index - 1]
    return before !== undefined && to - before > usual * MIN_GAP ? [{ from: before + usual, to }] : []
  })
}

/** In usual distances between runs: a smaller delay does not count as a missing run. */
const MIN_GAP = 1.9
