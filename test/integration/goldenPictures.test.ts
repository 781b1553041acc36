import { describe, expect, it } from 'vitest'
import { compare, indexedPng, MAX_DIFFERENT_PIXELS, readPicture, type Pixels } from '../support/goldenPictures'

const picture = (colour: (at: number) => number): Pixels => ({
  width: 64,
  height: 32,
  colours: Uint32Array.from({ length: 64 * 32 }, (_, at) => colour(at)),
})

describe('a picture that is kept', () => {
  it('has its colours as they are where a palette holds them', () => {
    const few = picture((at) => (at % 200) * 0x010203)
    expect(readPicture(indexedPng(few)).colours).toEqual(few.colours)
  })

  it('is alike to one with more colours than a palette holds', () => {
    const many = picture((at) => at * 8191)
    expect(compare(readPicture(indexedPng(many)), many).count).toBe(0)
  })

  it('differs where a letter or the size does, and not in the shade of an edge', () => {
    const plain = picture(() => 0xffffff)
    expect(
      compare(
        plain,
        picture((at) => (at < 60 ? 0x1a1e26 : 0xffffff)),
      ).count,
    ).toBeGreaterThan(MAX_DIFFERENT_PIXELS)
    expect(
      compare(
        plain,
        picture(() => 0xf0f0f0),
      ).count,
    ).toBe(0)
    expect(compare(plain, { ...plain, width: 32, colours: plain.colours.slice(32 * 32) }).count).toBe(64 * 32)
  })
})
