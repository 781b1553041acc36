/** Window of 320 x 200 in screenshots of VICE 3.7, by video standard and borders. Measured with x64sc. */
import type { Pixels } from '../artworkPixels'

interface Shape {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

const shapes: readonly Shape[] = [
  // PAL: borders normal, full, and as wide as the chip's.
  { width: 384, height: 272, left: 32, top: 35 },
  { width: 408, height: 293, left: 48, top: 43 },
  { width: 504, height: 312, left: 136, top: 51 },
  // PAL-N.
  { width: 424, height: 293, left: 56, top: 43 },
  { width: 520, height: 312, left: 136, top: 51 },
  // NTSC; the last also with the first NTSC chip.
  { width: 384, height: 247, left: 32, top: 23 },
  { width: 424, height: 253, left: 56, top: 29 },
  { width: 520, height: 263, left: 136, top: 31 },
  { width: 512, height: 262, left: 136, top: 31 },
]
const [WINDOW_WIDTH, WINDOW_HEIGHT] = [320, 200]

export interface Screenshot {
  readonly window: Pixels
  readonly border: number
  readonly isPlain: boolean
}

export function viceScreenshot({ width, height, pixels }: Pixels): Screenshot | null {
  const shape = shapes.find((each) => each.width === width && each.height === height)
  if (!shape) return null
  const border = pixels[0] ?? 0
  const window = new Uint8Array(WINDOW_WIDTH * WINDOW_HEIGHT)
  let isPlain = true
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [(at % width) - shape.left, Math.floor(at / width) - shape.top]
    const isInside = x >= 0 && x < WINDOW_WIDTH && y >= 0 && y < WINDOW_HEIGHT
    if (isInside) window[y * WINDOW_WIDTH + x] = pixels[at] ?? 0
    else if (pixels[at] !== border) isPlain = false
  }
  return { window: { width: WINDOW_WIDTH, height: WINDOW_HEIGHT, pixels: window }, border, isPlain }
}
