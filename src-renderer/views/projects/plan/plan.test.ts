import { describe, expect, it } from 'vitest'
import { standings, type Standing } from '@shared/contract/orchestration'
import { haveOneShape, holdOf, planOf, wayOut } from './plan'

/** Tasks in one phase `P`: their standing, and what they depend on. */
function plan(tasks: Readonly<Record<string, readonly [Standing, ...string[]]>>) {
  const keys = ['P', ...Object.keys(tasks)]
  const edges = Object.entries(tasks).flatMap(([key, [, ...dependencies]]) =>
    dependencies.flatMap((dependency) => [keys.indexOf(dependency), keys.indexOf(key)]),
  )
  const graph = planOf({
    revision: 1,
    keys,
    titles: keys,
    standings: [0, ...Object.values(tasks).map(([standing]) => standings.indexOf(standing))],
    phases: keys.map((key) => (key === 'P' || tasks[key]?.[0] === 'missing' ? -1 : 0)),
    edges,
    critical: [],
    workers: [],
    rows: keys.length,
    more: { nodes: 0, edges: 0 },
  })
  const hold = (key: string) => {
    const { chain, roots, before } = holdOf(graph, keys.indexOf(key))
    return {
      chain: chain.map((node) => keys[node]).join(' '),
      roots: roots.map((node) => keys[node]).join(' '),
      before,
    }
  }
  return { hold, wayOut: (key: string) => wayOut(graph, keys.indexOf(key)) }
}

describe('what holds a task', () => {
  it('is found by way of everything between, what needs somebody first', () => {
    const { hold, wayOut } = plan({
      a: ['active'],
      b: ['blocked', 'a'],
      c: ['failed'],
      d: ['dead', 'b', 'c'],
      e: ['dead', 'd'],
    })
    expect(hold('e')).toEqual({ chain: 'e d c', roots: 'c a', before: 4 })
    expect(wayOut('e')).toBe('First retry or skip c, which failed. 4 tasks come before it.')
  })

  it('may be work alone', () => {
    const { hold, wayOut } = plan({ z: ['done'], a: ['active', 'z'], b: ['ready'], c: ['blocked', 'a', 'b'] })
    expect(hold('c')).toEqual({ chain: 'c a', roots: 'a b', before: 2 })
    expect(wayOut('c')).toBe('Only work: a is active and b is ready. 2 tasks come before it.')
    expect(wayOut('b')).toBe('')
    expect(wayOut('z')).toBe('')
  })

  it('may be a ring, shown round to its first', () => {
    const { hold, wayOut } = plan({ a: ['cyclic', 'c'], b: ['cyclic', 'a'], c: ['cyclic', 'b'], d: ['dead', 'c'] })
    expect(hold('a').chain).toBe('a c b a')
    expect(wayOut('a')).toBe('Take one dependency out of the ring a → c → b → a.')
    expect(wayOut('d')).toBe('First take a dependency out of the ring c → b → a → c. 3 tasks come before it.')
  })

  it('may be a name that is nowhere', () => {
    const { hold, wayOut } = plan({ a: ['dead', 'gone'], gone: ['missing'] })
    expect(hold('a')).toEqual({ chain: 'a gone', roots: 'gone', before: 0 })
    expect(wayOut('a')).toBe(
      'First add gone, which is not there, or take out the dependency on it. 0 tasks come before it.',
    )
    expect(wayOut('gone')).toBe('Add gone to the plan, or take it out of a.')
  })
})

it('only what stands elsewhere in the plan gives a graph another shape', () => {
  expect(haveOneShape({ phases: [-1, 0], edges: [0, 1] }, { phases: [-1, 0], edges: [0, 1] })).toBe(true)
  expect(haveOneShape({ phases: [-1, 0], edges: [0, 1] }, { phases: [-1, 0], edges: [1, 0] })).toBe(false)
  expect(haveOneShape({ phases: [-1, 0], edges: [] }, { phases: [-1], edges: [] })).toBe(false)
})
