import { describe, expect, it } from 'vitest'
import { standings, type Standing } from '@shared/contract/orchestration'
import { columnsByPhase, columnsByState } from './board'
import { planOf } from './plan'

/** Each with its phase's number, -1 for a phase. */
function plan(...nodes: (readonly [key: string, phase: number, standing: Standing])[]) {
  return planOf({
    revision: 1,
    keys: nodes.map(([key]) => key),
    titles: nodes.map(() => ''),
    standings: nodes.map(([, , standing]) => standings.indexOf(standing)),
    phases: nodes.map(([, phase]) => phase),
    edges: [],
    critical: [],
    workers: [],
    rows: nodes.length,
    more: { nodes: 0, edges: 0 },
  })
}

const two = plan(
  ['A', -1, 'done'],
  ['a1', 0, 'done'],
  ['a2', 0, 'dead'],
  ['B', -1, 'active'],
  ['b1', 3, 'ready'],
  ['b2', 3, 'cyclic'],
  ['b3', 3, 'blocked'],
  ['C', -1, 'unknown'],
)
const shown = (columns: ReturnType<typeof columnsByState>) =>
  columns.map(({ title, nodes }) => `${title}: ${nodes.map((node) => two.keys[node]).join(' ')}`)

describe('the board of a plan', () => {
  it('by state has the columns of work always, others when there is anything in them, and no phase that has tasks', () => {
    expect(shown(columnsByState(two))).toEqual([
      'ready: b1',
      'blocked: a2 b2 b3',
      'active: ',
      'done: a1',
      'failed: ',
      'skipped: ',
      'unknown: C',
    ])
  })

  it('by phase has the tasks of each, and the phases without any in one', () => {
    expect(shown(columnsByPhase(two))).toEqual(['phases without tasks: C', 'A: a1 a2', 'B: b1 b2 b3'])
  })
})
