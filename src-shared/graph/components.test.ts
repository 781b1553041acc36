import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjacencyOf, isRing, strongComponents } from './components'

const graphs = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    edges: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 30 }).map((pairs) => pairs.flat()),
  }),
)

/** Whether `to` can be reached from `from` by at least one edge, the slow way. */
function reaches(edges: readonly number[], from: number, to: number): boolean {
  const seen = new Set<number>()
  const open = [from]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (let edge = 0; edge < edges.length; edge += 2) {
      const next = edges[edge + 1] ?? -1
      if (edges[edge] !== node || seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return seen.has(to)
}

describe('the components of a graph', () => {
  it('hold what reaches each other, and come after what they lead to', () => {
    fc.assert(
      fc.property(graphs, ({ count, edges }) => {
        const components = strongComponents(adjacencyOf(count, edges, 0))
        const place = new Map(components.flatMap((members, at) => members.map((member) => [member, at] as const)))
        expect(place.size).toBe(count)
        for (let a = 0; a < count; a++) {
          for (let b = 0; b < count; b++) {
            if (a === b) continue
            expect(place.get(a) === place.get(b)).toBe(reaches(edges, a, b) && reaches(edges, b, a))
            if (reaches(edges, a, b)) expect(place.get(b)).toBeLessThanOrEqual(place.get(a) ?? -1)
          }
        }
      }),
    )
  })

  it('are rings when they lead to themselves', () => {
    fc.assert(
      fc.property(graphs, ({ count, edges }) => {
        const neighbours = adjacencyOf(count, edges, 0)
        for (const component of strongComponents(neighbours)) {
          expect(isRing(component, neighbours)).toBe(component.every((node) => reaches(edges, node, node)))
        }
      }),
    )
  })

  it('of a chain of fifty thousand are found', () => {
    const count = 50_000
    const chain = Array.from({ length: count - 1 }, (_, n) => [n, n + 1]).flat()
    expect(strongComponents(adjacencyOf(count, chain, 0))).toHaveLength(count)
    expect(strongComponents(adjacencyOf(count, [...chain, count - 1, 0], 0))).toHaveLength(1)
  })

  it('can be asked along the edges and against them', () => {
    expect(adjacencyOf(3, [0, 1, 0, 2], 0)).toEqual([[1, 2], [], []])
    expect(adjacencyOf(3, [0, 1, 0, 2], 1)).toEqual([[], [0], [0]])
  })
})
