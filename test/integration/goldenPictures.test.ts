import { describe, expect, it } from 'vitest'
import type { RgbaImage } from '@shared/rgbaImage'
import { compare, indexedPng, MAX_DIFFERENT_PIXELS, readPicture } from '../support/goldenPictures'

function picture(colour: (at: number) => number): RgbaImage {
  const rgba = new Uint8Array(64 * 32 * 4)
  for (let at = 0; at < 64 * 32; at++)
    rgba.set([(colour(at) >> 16) & 0xff, (colour(at) >> 8) & 0xff, colour(at) & 0xff, 0xff], at * 4)
  return { width: 64, height: 32, rgba }
}

describe('a picture that is kept', () => {
  it('has its colours as they are where a palette holds them', () => {
    const few = picture((at) => (at % 200) * 0x010203)
    expect(readPicture(indexedPng(few)).rgba).toEqual(few.rgba)
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
    expect(compare(plain, { ...plain, width: 32, rgba: plain.rgba.slice(32 * 32 * 4) }).count).toBe(64 * 32)
  })
})
