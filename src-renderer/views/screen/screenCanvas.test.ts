import { describe, expect, it } from 'vitest'
import { placePicture } from './screenCanvas'

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
