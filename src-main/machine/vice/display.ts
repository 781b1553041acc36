import type { Picture } from '@shared/contract/memory'
import type { VideoStandard } from '@shared/contract/machine'
import { DISPLAY_X, displayY, packPixels, pictureHeight, PICTURE_WIDTH } from '@shared/c64/picture'
import type { Display } from './codec'

/** NTSC buffers have 262 or 263 lines, PAL ones 312. */
export const standardOf = ({ height }: Display): VideoStandard => (height > 290 ? 'pal' : 'ntsc')

/** Cuts the visible picture out of VICE's whole buffer, by where the display window is in it. Lines outside are black. */
export function cropDisplay(display: Display): Picture {
  const standard = standardOf(display)
  const height = pictureHeight(standard)
  const left = display.inner.x - DISPLAY_X
  const top = display.inner.y - displayY(standard)
  const pixels = new Uint8Array(PICTURE_WIDTH * height)
  const from = Math.max(left, 0)
  const to = Math.min(left + PICTURE_WIDTH, display.width)
  for (let line = Math.max(0, -top); line < Math.min(height, display.height - top); line++) {
    const start = (top + line) * display.width
    pixels.set(display.pixels.subarray(start + from, start + to), line * PICTURE_WIDTH + from - left)
  }
  return { width: PICTURE_WIDTH, height, pixels: packPixels(pixels) }
}
