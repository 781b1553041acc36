import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spread } from './layered'
import { layOutPlan, NODE, type PlanLayout, type PlanShape } from './planLayout'

/** One phase with so many tasks. */
const onePhase = (count: number, edges: number[], shut: number[] = []): PlanShape => ({
  phases: [-1, ...Array<number>(count).fill(0)],
  edges,
  shut,
})

const shapes = fc
  .record({
    sizes: fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
    ends: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 }),
    shut: fc.array(fc.nat(4)),
  })
  .map(({ sizes, ends, shut }): PlanShape => {
    const phases: number[] = []
    for (const size of sizes) {
      const phase = phases.push(-1) - 1
      for (let task = 0; task < size; task++) phases.push(phase)
    }
    const tops = phases.flatMap((phase, node) => (phase < 0 ? [node] : []))
    return {
      phases,
      edges: ends.flatMap(([a, b]) => [a % phases.length, b % phases.length]),
      shut: shut.flatMap((at) => tops[at] ?? []),
    }
  })

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
const boxOf = ({ x, y, widths, heights }: PlanLayout, node: number): Box => {
  const [left = NaN, top = NaN] = [x[node], y[node]]
  return { left, top, right: left + (widths[node] ?? NaN), bottom: top + (heights[node] ?? NaN) }
}
// Half a pixel is within what single precision loses.
const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5

describe('the layout of a plan', () => {
  it('lets no two boxes overlap, keeps tasks in their phase, and hides those of a shut one, whatever waits for whatever', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const layout = layOutPlan(shape)
        const { phases, shut } = shape
        const seen = phases.flatMap((phase, node) => (phase >= 0 && shut.includes(phase) ? [] : [node]))
        phases.forEach((phase, node) => {
          expect(layout.shown[node]).toBe(seen.includes(node) ? node : phase)
          if (!seen.includes(node)) expect(layout.x[node]).toBeNaN()
        })
        for (const a of seen) {
          const box = boxOf(layout, a)
          for (const b of seen) {
            if (phases[b] === a) {
              const inside = boxOf(layout, b)
              expect(
                inside.left > box.left &&
                  inside.right < box.right &&
                  inside.top > box.top &&
                  inside.bottom < box.bottom,
              ).toBe(true)
            } else if (a < b && phases[a] !== b) expect(overlap(box, boxOf(layout, b))).toBe(false)
          }
        }
      }),
    )
  })

  it('puts each task to the right of what it waits for', () => {
    const edges = [1, 2, 1, 3, 2, 4, 3, 4, 4, 5]
    const { x } = layOutPlan(onePhase(5, edges))
    for (let edge = 0; edge < edges.length; edge += 2)
      expect(x[edges[edge] ?? 0]).toBeLessThanOrEqual((x[edges[edge + 1] ?? 0] ?? 0) - NODE.width)
  })

  it('puts a ring into one layer, and what waits for it behind', () => {
    const { x } = layOutPlan(onePhase(4, [1, 2, 2, 3, 3, 1, 3, 4]))
    expect(x[1]).toBe(x[2])
    expect(x[2]).toBe(x[3])
    expect(x[4]).toBeGreaterThan(x[3] ?? Infinity)
  })

  it('draws two chains without a crossing, whatever order their tasks come in', () => {
    const { y } = layOutPlan(onePhase(6, [1, 4, 2, 3, 3, 6, 4, 5]))
    const above = (y[1] ?? 0) < (y[2] ?? 0)
    expect((y[4] ?? 0) < (y[3] ?? 0)).toBe(above)
    expect((y[5] ?? 0) < (y[6] ?? 0)).toBe(above)
  })

  it('ties the edges of shut phases into one bundle that counts them', () => {
    const phases = [-1, 0, 0, -1, 3, 3]
    const { bundles } = layOutPlan({ phases, edges: [1, 4, 2, 5, 1, 2], shut: [0, 3] })
    expect(bundles).toHaveLength(5)
    expect(bundles[4]).toBe(2)
  })

  it('takes ten thousand tasks with twenty thousand edges, and bundles what would be a mist', () => {
    const edges = Array.from({ length: 20_000 }, (_, n) => {
      const to = 2 + (n % 9_999)
      return [Math.max(1, to - 1 - ((n * 7_919) % 300)), to]
    }).flat()
    const { bundles, x } = layOutPlan(onePhase(10_000, edges))
    expect(x.every(Number.isFinite)).toBe(true)
    expect(bundles.length / 5).toBeLessThanOrEqual(1_500)
  })
})

describe('the lanes of a plan', () => {
  it('go across the plane one below the other, in the order of their phases', () => {
    // Two phases with three tasks and one, then one without any.
    const { x, y, widths, heights, width } = layOutPlan({
      phases: [-1, 0, 0, 0, -1, 4, -1],
      edges: [1, 2, 0, 4],
      shut: [],
    })
    expect([x[0], x[4]]).toEqual([0, 0])
    expect([widths[0], widths[4]]).toEqual([width, width])
    expect(y[4]).toBeGreaterThan((y[0] ?? 0) + (heights[0] ?? 0))
    expect(y[6]).toBeGreaterThan((y[4] ?? 0) + (heights[4] ?? 0))
    expect(x[5]).toBe(x[1])
    expect(x[6]).toBe(x[1])
  })

  it('stay where they are whatever the states, as no state is part of what is laid out', () => {
    const shape = { phases: [-1, 0, 0], edges: [1, 2], shut: [] }
    expect(layOutPlan(shape)).toEqual(layOutPlan(structuredClone(shape)))
  })
})

describe('spreading places', () => {
  it('keeps the order and the steps, and what has room where it wants to be', () => {
    expect(spread([0, 100, 200], [0, 10, 10])).toEqual([0, 100, 200])
    expect(spread([50, 50], [0, 10])).toEqual([45, 55])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: 0, max: 50 })), { minLength: 1 }),
        (pairs) => {
          const wanted = pairs.map(([place]) => place).sort((a, b) => a - b)
          const steps = pairs.map(([, step]) => step)
          const places = spread(wanted, steps)
          places.forEach((place, at) => {
            if (at > 0) expect(place - (places[at - 1] ?? 0)).toBeGreaterThanOrEqual((steps[at] ?? 0) - 1e-6)
          })
        },
      ),
    )
  })
})
