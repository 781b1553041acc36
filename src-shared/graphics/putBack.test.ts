import { describe, expect, it } from 'vitest'
import type { MemoryRun } from '../contract/memory'
import { putBack } from './putBack'

const run = (space: MemoryRun['space'], address: number, ...bytes: number[]): MemoryRun => ({
  space,
  address,
  bytes: Uint8Array.from(bytes),
})

describe('what is put back', () => {
  it('is all that is as it was left, in the order in which it came', () => {
    const before = [run('io', 0xd018, 21), run('ram', 0x6000, 1, 2, 3)]
    const left = [run('io', 0xd018, 120), run('ram', 0x6000, 9, 9, 9)]
    expect(putBack(before, left, left)).toEqual(before)
  })

  it('leaves what was changed since', () => {
    const before = [run('ram', 0x6000, 1, 2, 3, 4)]
    const left = [run('ram', 0x6000, 9, 9, 9, 9)]
    const now = [run('ram', 0x6000, 9, 7, 7, 9)]
    expect(putBack(before, left, now)).toEqual([run('ram', 0x6000, 1), run('ram', 0x6003, 4)])
  })

  it('does not take bits that nothing drives for a change', () => {
    const before = [run('colorRam', 0xd800, 0xfe), run('io', 0xdd00, 0x97)]
    const left = [run('colorRam', 0xd800, 0xf1), run('io', 0xdd00, 0x96)]
    const now = [run('colorRam', 0xd800, 0x31), run('io', 0xdd00, 0xd6)]
    expect(putBack(before, left, now)).toEqual(before)
  })
})
