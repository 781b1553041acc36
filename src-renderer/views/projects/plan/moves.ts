import type { Plan } from './plan'
import type { PlanLayout } from './planLayout'

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

const MAX_ASIDE = 3

export function moveOn(plan: Plan, layout: PlanLayout, from: number, arrow: Arrow): number | undefined {
  const place = (node: number): { x: number; y: number } => ({ x: layout.x[node] ?? NaN, y: layout.y[node] ?? NaN })
  const here = place(from)
  if (arrow === 'ArrowLeft' || arrow === 'ArrowRight') {
    const members = plan.tasks.get(from) ?? []
    const ends = [from, ...members.filter((member) => layout.shown[member] === from)].flatMap(
      (node) => (arrow === 'ArrowRight' ? plan.dependents[node] : plan.dependencies[node]) ?? [],
    )
    const tied = [...new Set(ends.map((node) => layout.shown[node] ?? node))].filter((node) => node !== from)
    const [nearest] = tied.sort((a, b) => Math.abs(place(a).y - here.y) - Math.abs(place(b).y - here.y) || a - b)
    if (nearest !== undefined) return nearest
  }
  const isAcross = arrow === 'ArrowLeft' || arrow === 'ArrowRight'
  const sign = arrow === 'ArrowRight' || arrow === 'ArrowDown' ? 1 : -1
  let best: number | undefined
  let least = Infinity
  for (let node = 0; node < layout.x.length; node++) {
    const { x, y } = place(node)
    const ahead = sign * (isAcross ? x - here.x : y - here.y)
    const aside = Math.abs(isAcross ? y - here.y : x - here.x)
    if (node === from || !(ahead > 0.5)) continue
    const cost = ahead + MAX_ASIDE * aside
    if (cost >= least) continue
    best = node
    least = cost
  }
  return best
}
