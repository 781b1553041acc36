import { describe, expect, it } from 'vitest'
import { loadedParts } from './loadedParts'

const memory = new Uint8Array(0x10000)
memory.set([1, 2, 3, 4], 0x1000)
const program = (name: string, start: number, ...bytes: number[]) => ({ name, start, bytes: Uint8Array.from(bytes) })
const partsOf = (...programs: ReturnType<typeof program>[]) =>
  loadedParts(programs, (address) => memory[address] ?? 0).map(({ name, start, end, why }) => [name, start, end, why])

describe('the programs that were loaded', () => {
  it('are each where they lie, with how many of their bytes are no longer there', () => {
    expect(partsOf(program('a', 0x1000, 1, 2, 3, 4))).toEqual([['a', 0x1000, 0x1003, 'loaded, unchanged']])
    expect(partsOf(program('b', 0x1000, 1, 0, 0, 4))).toEqual([['b', 0x1000, 0x1003, 'loaded, 2 of 4 changed since']])
  })

  it('lose to a newer one what it was loaded over', () => {
    expect(partsOf(program('old', 0x1000, 1, 9, 9, 4), program('new', 0x1001, 2, 3))).toEqual([
      ['new', 0x1001, 0x1002, 'loaded, unchanged'],
      ['old', 0x1000, 0x1000, 'loaded, unchanged'],
      ['old', 0x1003, 0x1003, 'loaded, unchanged'],
    ])
    expect(partsOf(program('old', 0x1001, 9), program('new', 0x1000, 1, 2, 3))).toHaveLength(1)
  })

  it('are not compared where memory cannot be seen', () => {
    const [hidden] = loadedParts([program('a', 0x1000, 1)], () => null)
    expect(hidden?.why).toBe('loaded, not compared: ROM or I/O lies over it')
  })
})
