/** Crops VICE's buffer to the visible picture, whose place depends on the border mode. Measured on VICE 3.7.1. */
import type { Picture } from '@shared/contract/memory'
import type { VideoStandard } from '@shared/contract/machine'
import { DISPLAY_X, displayY, packPixels, pictureHeight, PICTURE_WIDTH } from '@shared/c64/picture'
import type { Display } from './commands'

export const BORDER_MODE = 'VICIIBorderMode'
/** Required by x64, which crashes when asked for its picture with full borders (3.7.1). */
export const NORMAL_BORDERS = 0
const FULL_BORDERS = 1

/** NTSC buffers have 247 to 263 lines, PAL ones 272 (x64) or 312 (x64sc). */
export const standardOf = ({ height }: Pick<Display, 'height'>): VideoStandard => (height > 265 ? 'pal' : 'ntsc')

function windowPlace({ width, height, inner }: Display, borderMode: number): { x: number; y: number } {
  const isPal = standardOf({ height }) === 'pal'
  // x64 has no blanking in its buffer and reports all of it as the inner part.
  if (inner.width === width) return { x: 32, y: isPal ? 35 : 23 }
  // x64sc reports the position correctly for two of its four border modes only.
  if (borderMode === NORMAL_BORDERS) return { x: inner.x, y: inner.y - (isPal ? 1 : 0) }
  if (borderMode === FULL_BORDERS) return { x: inner.x + 4, y: inner.y + (isPal ? -3 : 3) }
  return inner
}

export function cropDisplay(display: Display, borderMode: number): Picture {
  const standard = standardOf(display)
  const height = pictureHeight(standard)
  const place = windowPlace(display, borderMode)
  const left = place.x - DISPLAY_X
  const top = place.y - displayY(standard)
  const pixels = new Uint8Array(PICTURE_WIDTH * height)
  const from = Math.max(left, 0)
  const to = Math.min(left + PICTURE_WIDTH, display.width)
  for (let line = Math.max(0, -top); line < Math.min(height, display.height - top); line++) {
    const start = (top + line) * display.width
    pixels.set(display.pixels.subarray(start + from, start + to), line * PICTURE_WIDTH + from - left)
  }
  return { width: PICTURE_WIDTH, height, pixels: packPixels(pixels) }
}
