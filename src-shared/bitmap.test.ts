import { describe, expect, it } from 'vitest'
import { clearBit, eachBit, hasBit, setBit } from './bitmap'

describe('a bitmap', () => {
  it('has the numbers that were set, the lowest first', () => {
    const bits = new Uint8Array(4)
    for (const n of [31, 0, 9, 8]) setBit(bits, n)
    clearBit(bits, 9)
    const found: number[] = []
    eachBit(bits, (n) => found.push(n))
    expect(found).toEqual([0, 8, 31])
    expect([0, 1, 8, 9, 31].map((n) => hasBit(bits, n))).toEqual([true, false, true, false, true])
  })

  it('has none beyond its end', () => {
    expect(hasBit(new Uint8Array(1).fill(0xff), 8)).toBe(false)
  })
})
