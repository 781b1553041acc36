import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSetBits, selectSprites, SPRITE_BYTES, spriteCandidates } from './spriteScan'

const anything = { minSetBits: 0, minNonZeroRows: 0, skipUniform: false, skipDuplicates: false }
const sprite = (...start: number[]) => Uint8Array.from({ length: SPRITE_BYTES }, (_, index) => start[index] ?? 0)
const offsets = (sprites: readonly { offset: number }[]) => sprites.map(({ offset }) => offset)

describe('places where a sprite may be', () => {
  it('are a stride apart, and the last one still fits', () => {
    expect(offsets(spriteCandidates(new Uint8Array(191), 64))).toEqual([0, 64, 128])
    expect(offsets(spriteCandidates(new Uint8Array(190), 64))).toEqual([0, 64])
    expect(offsets(spriteCandidates(new Uint8Array(126), 63))).toEqual([0, 63])
    expect(spriteCandidates(new Uint8Array(62), 64)).toEqual([])
  })

  it('hold the bytes that are there', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 63, maxLength: 600 }),
        fc.integer({ min: 63, max: 100 }),
        (memory, stride) => {
          for (const { offset, bytes } of spriteCandidates(memory, stride))
            expect(Buffer.compare(bytes, memory.subarray(offset, offset + 63))).toBe(0)
        },
      ),
    )
  })
})

describe('what is taken for a sprite', () => {
  const select = (all: Uint8Array[], thresholds: object) =>
    selectSprites(
      all.map((bytes, offset) => ({ offset, bytes })),
      { ...anything, ...thresholds },
    )

  it('has a bit set, whatever the thresholds', () => {
    expect(offsets(select([sprite(), sprite(1)], {}))).toEqual([1])
  })

  it('has as many bits and rows as are asked for', () => {
    const threeRows = sprite(1, 0, 0, 1, 0, 0, 1)
    expect(offsets(select([sprite(0b111), threeRows], { minSetBits: 3 }))).toEqual([0, 1])
    expect(offsets(select([sprite(0b111), threeRows], { minSetBits: 4 }))).toEqual([])
    expect(offsets(select([sprite(0b111), threeRows], { minNonZeroRows: 3 }))).toEqual([1])
    expect(select([threeRows], {})).toMatchObject([{ setBits: 3, nonZeroRows: 3 }])
  })

  it('is neither uniform nor there already, if that is asked for', () => {
    const filled = new Uint8Array(SPRITE_BYTES).fill(0xff)
    expect(offsets(select([filled, sprite(1), filled, sprite(1)], { skipUniform: true }))).toEqual([1, 3])
    expect(offsets(select([filled, sprite(1), filled, sprite(1)], { skipDuplicates: true }))).toEqual([0, 1])
  })

  it('has 504 bits at most', () => expect(countSetBits(new Uint8Array(63).fill(0xff))).toBe(504))
})
