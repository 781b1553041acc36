import type { Standing } from '@shared/contract/orchestration'
import type { Size } from './layered'
import { standingOf, type Plan } from './plan'
import { centreOnPlane, fitPlane, type PlaneView } from './plane'
import type { PlanLayout } from './planLayout'

/** Below this scale text of 12 px is hard to read. */
export const LEGIBLE_SCALE = 0.75

const order: readonly Standing[] = ['active', 'ready', 'failed', 'cyclic', 'missing', 'unknown', 'blocked', 'dead']

export function firstToShow(plan: Plan, layout: PlanLayout): number | null {
  let best: number | null = null
  let least = Infinity
  plan.keys.forEach((_, node) => {
    const [first] = plan.tasks.get(node) ?? []
    const isLane = first !== undefined && layout.shown[first] === first
    if (isLane || layout.shown[node] !== node) return
    const place = order.indexOf(standingOf(plan, node))
    const rank = place < 0 ? order.length : place
    if (rank >= least) return
    best = node
    least = rank
  })
  return best
}

export function openingView(layout: PlanLayout, window: Size, node: number | null): PlaneView {
  const whole = fitPlane(layout, window)
  if (whole.scale >= LEGIBLE_SCALE) return whole
  const [x = 0, y = 0] = node === null ? [] : [layout.x[node], layout.y[node]]
  const [width = 0, height = 0] = node === null ? [] : [layout.widths[node], layout.heights[node]]
  return centreOnPlane({ x: x + width / 2, y: y + height / 2 }, LEGIBLE_SCALE, layout, window)
}
