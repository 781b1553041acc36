import { describe, expect, it } from 'vitest'
import { beamIn } from './beam'

describe('the raster beam in the picture', () => {
  it('is at the top left of the display window in line 51, with the first of its columns', () => {
    expect(beamIn('pal', 51, 17)).toEqual({ x: 33, y: 35 })
    expect(beamIn('ntsc', 51, 17)).toEqual({ x: 33, y: 23 })
  })

  it('is outside of the picture while the beam goes back', () => {
    expect(beamIn('pal', 100, 12).x).toBeNull()
    expect(beamIn('pal', 100, 61).x).toBeNull()
    expect(beamIn('ntsc', 100, 64).x).toBeNull()
    expect(beamIn('pal', 300, 20).y).toBeNull()
    expect(beamIn('pal', 15, 20).y).toBeNull()
    expect(beamIn('ntsc', 20, 20).y).toBeNull()
  })

  it('begins a frame within the lower border on NTSC', () => {
    expect(beamIn('ntsc', 0, 20).y).toBe(235)
    expect(beamIn('ntsc', 262, 20).y).toBe(234)
    expect(beamIn('ntsc', 12, 20).y).toBeNull()
  })
})
