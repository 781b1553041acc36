import { describe, expect, it } from 'vitest'
import { moveOn } from './moves'
import { planOf } from './plan'
import { layOutPlan } from './planLayout'

/** A phase, then its tasks; edges by number. */
function moves(tasks: number, edges: number[], shut: number[] = []) {
  const phases = [-1, ...Array<number>(tasks).fill(0), -1]
  const names = phases.map((_, node) => `n${node}`)
  const plan = planOf({
    revision: 1,
    keys: names,
    titles: names,
    standings: names.map(() => 0),
    phases,
    edges,
    critical: [],
    workers: [],
    rows: names.length,
    more: { nodes: 0, edges: 0 },
  })
  const layout = layOutPlan({ phases, edges, shut })
  return (from: number, arrow: 'Left' | 'Right' | 'Up' | 'Down') => moveOn(plan, layout, from, `Arrow${arrow}`)
}

describe('the arrow keys in a plan', () => {
  it('lead along the edges', () => {
    const move = moves(4, [1, 2, 1, 3, 2, 4, 3, 4])
    expect([2, 3]).toContain(move(1, 'Right'))
    expect(move(2, 'Right')).toBe(4)
    expect(move(3, 'Left')).toBe(1)
  })

  it('lead up and down in a layer', () => {
    const move = moves(4, [1, 2, 1, 3, 2, 4, 3, 4])
    expect(move(2, 'Down')).toBe(3)
    expect(move(3, 'Up')).toBe(2)
  })

  it('lead out of a phase that is shut along the edges of its tasks, and nowhere where nothing is', () => {
    const move = moves(2, [1, 3, 2, 3], [0])
    expect(move(0, 'Right')).toBe(3)
    expect(move(3, 'Left')).toBe(0)
    expect(move(3, 'Right')).toBeUndefined()
  })
})
