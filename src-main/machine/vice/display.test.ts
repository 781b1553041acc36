import { describe, expect, it } from 'vitest'
import { DISPLAY_X, displayY, unpackPixels } from '@shared/c64/picture'
import type { Display } from './commands'
import { cropDisplay, standardOf } from './display'

const WINDOW = 7
const BORDER = 13

/** A buffer with the display window painted where it really is, whatever the reported inner part says. */
function painted(width: number, height: number, inner: Display['inner'], x: number, y: number): Display {
  const pixels = new Uint8Array(width * height).fill(BORDER)
  for (let line = y; line < y + 200; line++) pixels.fill(WINDOW, line * width + x, line * width + x + 320)
  return { width, height, inner, pixels }
}

const inner = (x: number, y: number) => ({ x, y, width: 320, height: 200 })

// As x64sc and x64 of VICE 3.7.1 sent them, by standard and border mode.
const seen = [
  { what: 'x64sc PAL, normal borders', display: painted(504, 312, inner(136, 51), 136, 50), mode: 0 },
  { what: 'x64sc PAL, full borders', display: painted(504, 312, inner(136, 51), 140, 48), mode: 1 },
  { what: 'x64sc PAL, no borders', display: painted(504, 312, inner(136, 51), 136, 51), mode: 3 },
  { what: 'x64sc NTSC, normal borders', display: painted(520, 263, inner(136, 31), 136, 31), mode: 0 },
  { what: 'x64sc NTSC, full borders', display: painted(520, 263, inner(136, 31), 140, 34), mode: 1 },
  { what: 'x64sc NTSC, debug borders', display: painted(520, 263, inner(136, 31), 136, 31), mode: 2 },
  { what: 'x64sc old NTSC', display: painted(512, 262, inner(136, 31), 136, 31), mode: 0 },
  { what: 'x64sc PAL-N', display: painted(520, 312, inner(136, 51), 136, 50), mode: 0 },
  { what: 'x64 PAL', display: painted(384, 272, { x: 0, y: 0, width: 384, height: 272 }, 32, 35), mode: 0 },
  { what: 'x64 NTSC', display: painted(384, 247, { x: 0, y: 0, width: 384, height: 247 }, 32, 23), mode: 0 },
]

describe('the visible picture', () => {
  it.each(seen)('of $what has its window where it belongs', ({ display, mode }) => {
    const standard = standardOf(display)
    const { width, height, pixels } = cropDisplay(display, mode)
    expect([width, height]).toEqual([384, standard === 'pal' ? 272 : 247])
    const colours = unpackPixels(pixels)
    const at = (x: number, y: number) => colours[y * width + x]
    const [left, top] = [DISPLAY_X, displayY(standard)]
    expect([at(left, top), at(left + 319, top + 199)]).toEqual([WINDOW, WINDOW])
    expect([at(left - 1, top), at(left, top - 1), at(left + 320, top), at(left, top + 200)]).toEqual([
      BORDER,
      BORDER,
      BORDER,
      BORDER,
    ])
  })

  it('is black where a small buffer does not reach', () => {
    const { pixels } = cropDisplay(painted(330, 210, inner(0, 0), 0, 0), 3)
    const colours = unpackPixels(pixels)
    expect(colours[0]).toBe(0)
    expect(colours.length).toBe(384 * 247)
  })
})
