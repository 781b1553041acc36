import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differingRanges } from './differingRanges'

const compare = (before: number[], now: number[], options: Partial<Parameters<typeof differingRanges>[2]> = {}) =>
  differingRanges(Uint8Array.from(before), Uint8Array.from(now), { address: 0x400, mask: 0xff, ignore: [], ...options })

describe('ranges that differ', () => {
  it('are none where nothing does', () => expect(compare([1, 2], [1, 2])).toEqual([]))

  it('reach from the first to the last byte that differs, also at the ends', () => {
    expect(compare([0, 0, 0, 0, 0], [1, 1, 0, 0, 1])).toEqual([
      { address: 0x400, length: 2 },
      { address: 0x404, length: 1 },
    ])
  })

  it('leave out what is ignored, and split around it', () => {
    const ignore = [
      { address: 0x3ff, length: 2 },
      { address: 0x402, length: 1 },
      { address: 0x900, length: 5 },
    ]
    expect(compare([0, 0, 0, 0], [1, 1, 1, 1], { ignore })).toEqual([
      { address: 0x401, length: 1 },
      { address: 0x403, length: 1 },
    ])
  })

  it('go by the bits that count', () =>
    expect(compare([0x0f, 0x01], [0xff, 0x02], { mask: 0x0f })).toEqual([{ address: 0x401, length: 1 }]))

  it('cover exactly the bytes that differ and are not ignored', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 40, maxLength: 40 })
    const ignored = fc.array(
      fc.record({ address: fc.integer({ min: 0x3f0, max: 0x430 }), length: fc.integer({ min: 1, max: 10 }) }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(bytes, bytes, ignored, (before, now, ignore) => {
        const found = compare(before, now, { ignore }).flatMap(({ address, length }) =>
          Array.from({ length }, (_, index) => address + index),
        )
        const isIgnored = (address: number) =>
          ignore.some((range) => address >= range.address && address < range.address + range.length)
        const wanted = before.flatMap((byte, index) =>
          byte !== now[index] && !isIgnored(0x400 + index) ? [0x400 + index] : [],
        )
        expect(found).toEqual(wanted)
      }),
    )
  })
})
