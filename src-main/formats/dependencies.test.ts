import { describe, expect, it } from 'vitest'
import { findCycles } from './dependencies'

const tasks = (graph: Record<string, string[]>) =>
  Object.entries(graph).map(([key, dependencies]) => ({ key, dependencies }))

describe('dependencies', () => {
  it('in rings are found, each once, from the first task on', () => {
    expect(findCycles(tasks({ a: ['b'], b: ['c'], c: ['a'], d: ['a'], e: ['f'], f: ['e'] }))).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ])
  })

  it('of a task on itself are a ring', () => {
    expect(findCycles(tasks({ a: ['a'], b: ['a'] }))).toEqual([['a']])
  })

  it('that fork and join, or lead nowhere, are none', () => {
    expect(findCycles(tasks({ a: [], b: ['a'], c: ['a'], d: ['b', 'c', 'gone'] }))).toEqual([])
  })

  it('may form a chain of any length', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => ({ key: `${n}`, dependencies: [`${n + 1}`] }))
    expect(findCycles(chain)).toEqual([])
    expect(findCycles([...chain, { key: '50000', dependencies: ['0'] }])).toHaveLength(1)
  })
})
