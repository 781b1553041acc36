import { describe, expect, it } from 'vitest'
import { mergeBefore } from './restore'

const of = (space: 'ram' | 'io', address: number, ...bytes: number[]) => ({
  space,
  address,
  bytes: Uint8Array.from(bytes),
})

describe('what memory held before several changes', () => {
  it('is what the first change of each byte found there', () => {
    expect(mergeBefore([of('ram', 0x1000, 1, 2, 3), of('ram', 0x1002, 9, 4), of('ram', 0x1001, 9)])).toEqual([
      of('ram', 0x1000, 1, 2, 3, 4),
    ])
  })

  it('is told in runs of bytes, each memory by itself', () => {
    expect(mergeBefore([of('ram', 0xd020, 1), of('io', 0xd020, 2), of('ram', 0x2000, 3)])).toEqual([
      of('ram', 0x2000, 3),
      of('ram', 0xd020, 1),
      of('io', 0xd020, 2),
    ])
  })
})
