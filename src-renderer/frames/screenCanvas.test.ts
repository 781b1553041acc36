import { describe, expect, it } from 'vitest'
import { magnify, placePicture } from './screenCanvas'

const pal = { width: 384, height: 272 } as const

describe('placePicture', () => {
  const whole = { scaling: 'whole', borders: 'shown', aspect: 1 } as const

  it('uses the largest whole number of device pixels for sharp scaling', () => {
    const all = { x: 0, y: 0, ...pal }
    expect(placePicture(pal, { width: 900, height: 900 }, 1, whole)).toEqual({
      part: all,
      width: 768,
      height: 544,
      zoom: 1,
    })
    expect(placePicture(pal, { width: 770, height: 770 }, 2, whole)).toEqual({
      part: all,
      width: 768,
      height: 544,
      zoom: 1,
    })
  })

  it('cuts the border in sharp scaling rather than half the size', () => {
    const { part, width, height } = placePicture(pal, { width: 660, height: 480 }, 1, whole)
    expect(part).toEqual({ x: 27, y: 15, width: 330, height: 240 })
    expect({ width, height }).toEqual({ width: 660, height: 480 })
  })

  it('shows all of the picture smaller where one device pixel each is too large', () => {
    const small = { width: 192, height: 160 }
    expect(placePicture(pal, small, 1, whole)).toEqual(placePicture(pal, small, 1, { ...whole, scaling: 'fit' }))
    expect(placePicture(pal, small, 1, whole)).toMatchObject({ part: { x: 0, y: 0, ...pal }, width: 192, height: 136 })
  })

  it('shows the display window alone without borders, in both standards', () => {
    const space = { width: 900, height: 900 }
    const cropped = { scaling: 'fit', borders: 'cropped', aspect: 1 } as const
    expect(placePicture(pal, space, 1, cropped).part).toEqual({ x: 32, y: 35, width: 320, height: 200 })
    expect(placePicture({ width: 384, height: 247 }, space, 1, cropped).part.y).toBe(23)
    expect(placePicture({ width: 384, height: 240 }, space, 1, cropped).part.y).toBe(20)
  })

  it('fills the space and draws at the next whole number when fitting', () => {
    const fit = { scaling: 'fit', borders: 'shown', aspect: 1 } as const
    const fitted = placePicture(pal, { width: 576, height: 1000 }, 1, fit)
    expect(fitted).toMatchObject({ width: 576, height: 408, zoom: 2 })
    expect(placePicture(pal, { width: 768, height: 1000 }, 1, fit).zoom).toBe(2)
    expect(placePicture(pal, { width: 2000, height: 2000 }, 1, fit).zoom).toBe(3)
  })
})

describe('placePicture with the pixels of a television', () => {
  const space = { width: 2000, height: 544 }

  it('makes the picture narrower, and not lower', () => {
    const look = { scaling: 'fit', borders: 'shown', aspect: 0.75 } as const
    expect(placePicture(pal, space, 1, look)).toMatchObject({ width: 576, height: 544, zoom: 2 })
    expect(placePicture(pal, { width: 288, height: 2000 }, 1, look)).toMatchObject({ width: 288, height: 272 })
  })

  it('keeps whole lines in sharp scaling', () => {
    const look = { scaling: 'whole', borders: 'shown', aspect: 0.9365 } as const
    const { width, height, zoom } = placePicture(pal, space, 1, look)
    expect([height, zoom]).toEqual([544, 2])
    expect(width).toBeCloseTo(384 * 2 * 0.9365)
  })
})

describe('magnify', () => {
  it('makes each pixel of the part a square of its own', () => {
    // oxfmt-ignore
    const picture = Uint32Array.of(
      0, 0, 0, 0,
      0, 1, 2, 0,
      0, 3, 4, 0,
    )
    const out = new Uint32Array(16)
    magnify(picture, 4, { x: 1, y: 1, width: 2, height: 2 }, 2, out)
    expect([...out]).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4])
  })

  it('leaves a picture as it is at one to one', () => {
    const picture = Uint32Array.of(1, 2, 3, 4, 5, 6)
    const out = new Uint32Array(6)
    magnify(picture, 3, { x: 0, y: 0, width: 3, height: 2 }, 1, out)
    expect(out).toEqual(picture)
  })
})
