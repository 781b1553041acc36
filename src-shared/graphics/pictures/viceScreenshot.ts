/** VICE's screenshots of a PAL C64 with normal borders: the window of 320 x 200 begins at column 32, line 35. */
import type { Pixels } from '../artworkPixels'

const [WIDTH, HEIGHT] = [384, 272]
const [LEFT, TOP] = [32, 35]
const [WINDOW_WIDTH, WINDOW_HEIGHT] = [320, 200]

export interface Screenshot {
  readonly window: Pixels
  readonly border: number
  /** Whether the border has one colour only, and nothing in it. */
  readonly isPlain: boolean
}

/** Null where the picture has another size. */
export function viceScreenshot({ width, height, pixels }: Pixels): Screenshot | null {
  if (width !== WIDTH || height !== HEIGHT) return null
  const border = pixels[0] ?? 0
  const window = new Uint8Array(WINDOW_WIDTH * WINDOW_HEIGHT)
  let isPlain = true
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [(at % WIDTH) - LEFT, Math.floor(at / WIDTH) - TOP]
    const isInside = x >= 0 && x < WINDOW_WIDTH && y >= 0 && y < WINDOW_HEIGHT
    if (isInside) window[y * WINDOW_WIDTH + x] = pixels[at] ?? 0
    else if (pixels[at] !== border) isPlain = false
  }
  return { window: { width: WINDOW_WIDTH, height: WINDOW_HEIGHT, pixels: window }, border, isPlain }
}
