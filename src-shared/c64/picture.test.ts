import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayY, firstRasterLine, packPixels, pictureHeight, pictureToRgba, unpackPixels } from './picture'

const palette = [0x000000, 0xffffff, 0x68372b, 0x70a4b2, ...Array<number>(12).fill(0x102030)]

describe('the visible picture', () => {
  it('has the size that x64sc shows, with raster line 51 as the first line of the display window', () => {
    expect([pictureHeight('pal'), pictureHeight('ntsc')]).toEqual([272, 247])
    for (const standard of ['pal', 'ntsc'] as const) expect(firstRasterLine(standard) + displayY(standard)).toBe(51)
    expect(firstRasterLine('pal')).toBe(16)
    expect(firstRasterLine('ntsc')).toBe(28)
  })

  it('packs the left pixel into the low nibble', () => {
    expect([...packPixels(Uint8Array.of(1, 2, 15, 0, 0xf3))]).toEqual([0x21, 0x0f, 0x03])
  })

  it('comes back unchanged from packing and unpacking', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 15, maxLength: 64 }), (pixels) => {
        const unpacked = unpackPixels(packPixels(pixels))
        expect([...unpacked.subarray(0, pixels.length)]).toEqual([...pixels])
      }),
    )
  })

  it('refuses an output that is too small', () => {
    expect(() => unpackPixels(new Uint8Array(4), new Uint8Array(7))).toThrow(RangeError)
    const picture = { width: 384, height: 240, pixels: new Uint8Array(384 * 120) } as const
    expect(() => pictureToRgba(picture, palette, new Uint32Array(384 * 240 - 1))).toThrow(RangeError)
  })

  it('is painted with opaque colours in the byte order of ImageData, and follows a changed palette', () => {
    const picture = { width: 384, height: 240, pixels: new Uint8Array(384 * 120) } as const
    picture.pixels[0] = 0x32
    const rgba = new Uint8Array(384 * 240 * 4)
    pictureToRgba(picture, palette, new Uint32Array(rgba.buffer))
    expect([...rgba.subarray(0, 12)]).toEqual([0x68, 0x37, 0x2b, 0xff, 0x70, 0xa4, 0xb2, 0xff, 0, 0, 0, 0xff])
    pictureToRgba(picture, palette.toReversed(), new Uint32Array(rgba.buffer))
    expect([...rgba.subarray(0, 4)]).toEqual([0x10, 0x20, 0x30, 0xff])
  })
})
