import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutPlan, type PlanLayout } from './planLayout'
import { freeAt } from './routes'

/** How many boxes of tasks a route runs through, by points along it. */
function boxesHit({ x, y, widths, heights, routes }: PlanLayout, edge: number, tasks: readonly number[]): number {
  const route = routes.get(edge) ?? []
  const hit = new Set<number>()
  for (let at = 2; at < route.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = route.slice(at - 2, at + 2)
    for (let step = 1; step < 40; step++) {
      const [px, py] = [ax + ((bx - ax) * step) / 40, ay + ((by - ay) * step) / 40]
      for (const node of tasks) {
        const [left = 0, top = 0] = [x[node], y[node]]
        if (px > left && px < left + (widths[node] ?? 0) && py > top && py < top + (heights[node] ?? 0)) hit.add(node)
      }
    }
  }
  return hit.size
}

describe('the way of an edge', () => {
  it('is straight to the next column, and goes around what stands between', () => {
    const edges = [1, 2, 2, 3, 1, 3]
    const layout = layOutPlan({ phases: [-1, 0, 0, 0], edges, shut: [] })
    expect([...layout.routes.keys()]).toEqual([4])
    expect(boxesHit(layout, 4, [1, 2, 3])).toBe(0)
  })

  it('runs through no task, whatever waits for whatever in the lanes', () => {
    const plans = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
      ends: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 25 }),
    })
    fc.assert(
      fc.property(plans, ({ sizes, ends }) => {
        const phases: number[] = []
        const tasks: number[] = []
        for (const size of sizes) {
          const phase = phases.push(-1) - 1
          for (let task = 0; task < size; task++) tasks.push(phases.push(phase) - 1)
        }
        const at = (number: number): number => tasks[number % tasks.length] ?? 0
        const edges = ends.flatMap(([a, b]) => [at(a), at(b)])
        const layout = layOutPlan({ phases, edges, shut: [] })
        for (const edge of layout.routes.keys()) expect(boxesHit(layout, edge, tasks)).toBe(0)
      }),
    )
  })

  it('from lane to lane is a line down, and past a lane along its side', () => {
    const edges = [0, 2, 0, 4]
    const { routes } = layOutPlan({ phases: [-1, 0, -1, 2, -1, 4], edges, shut: [] })
    const [next = [], past = []] = [routes.get(0), routes.get(2)]
    expect(next).toHaveLength(4)
    expect(next[0]).toBe(next[2])
    expect(Math.min(...past.filter((_, at) => at % 2 === 0))).toBeLessThan(0)
  })
})

describe('a free height in a column', () => {
  it('is the one wanted, or the nearer side of what stands there', () => {
    const column = [{ top: 0, bottom: 56 }]
    expect(freeAt(column, 100)).toBe(100)
    expect(freeAt(column, 10)).toBeLessThan(0)
    expect(freeAt(column, 50)).toBeGreaterThan(56)
  })
})
