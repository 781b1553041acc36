import { describe, expect, it } from 'vitest'
import { magnify, placePicture } from './screenCanvas'

const pal = { width: 384, height: 272 }

describe('placePicture', () => {
  it('uses the largest whole number of device pixels for sharp scaling', () => {
    expect(placePicture(pal, { width: 900, height: 900 }, 1, 'whole')).toEqual({ width: 768, height: 544, zoom: 1 })
    expect(placePicture(pal, { width: 700, height: 700 }, 2, 'whole')).toEqual({ width: 576, height: 408, zoom: 1 })
  })

  it('never goes below one device pixel in sharp scaling', () => {
    expect(placePicture(pal, { width: 100, height: 100 }, 1, 'whole').width).toBe(384)
  })

  it('fills the space and draws at the next whole number when fitting', () => {
    const fitted = placePicture(pal, { width: 576, height: 1000 }, 1, 'fit')
    expect(fitted).toEqual({ width: 576, height: 408, zoom: 2 })
    expect(placePicture(pal, { width: 768, height: 1000 }, 1, 'fit').zoom).toBe(2)
    expect(placePicture(pal, { width: 2000, height: 2000 }, 1, 'fit').zoom).toBe(3)
  })
})

describe('magnify', () => {
  it('makes each pixel of the part a square of its own', () => {
    // prettier-ignore
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
