import type { RgbaImage } from '../rgbaImage'

/** In pixels from the picture's top left; may reach past the edge. */
export interface PixelArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ComparisonOptions {
  /** Allowed difference in each of red, green and blue, 0 to 255. */
  readonly tolerance?: number
  readonly masks?: readonly PixelArea[]
}

export interface PixelComparison {
  readonly pixels: number
  readonly compared: number
  /** The largest difference in red, green or blue, 0 to 255. */
  readonly largest: number
  readonly area: PixelArea | null
  readonly image: RgbaImage
}

/**
 * Alpha is not compared.
 * @returns null for pictures of different sizes
 */
export function comparePixels(
  expected: RgbaImage,
  actual: RgbaImage,
  { tolerance = 0, masks = [] }: ComparisonOptions = {},
): PixelComparison | null {
  const { width, height } = expected
  if (width !== actual.width || height !== actual.height) return null
  const masked = maskedPixels(width, height, masks)
  const rgba = new Uint8Array(width * height * 4)
  let pixels = 0
  let compared = 0
  let largest = 0
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let pixel = 0, at = 0; pixel < width * height; pixel++, at += 4) {
    const isMasked = masked[pixel] === 1
    const distance = isMasked ? 0 : channelDistance(expected.rgba, actual.rgba, at)
    if (!isMasked) compared++
    if (distance > largest) largest = distance
    if (distance <= tolerance) {
      paintExpected(rgba, at, expected.rgba, isMasked)
      continue
    }
    pixels++
    paint(rgba, at, 0xff, 0x20, 0x20)
    const x = pixel % width
    const y = (pixel - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = y + 1
  }
  const area = pixels === 0 ? null : { x: left, y: top, width: right - left, height: bottom - top }
  return { pixels, compared, largest, area, image: { width, height, rgba } }
}

function channelDistance(expected: Uint8Array, actual: Uint8Array, at: number): number {
  const red = Math.abs((expected[at] ?? 0) - (actual[at] ?? 0))
  const green = Math.abs((expected[at + 1] ?? 0) - (actual[at + 1] ?? 0))
  const blue = Math.abs((expected[at + 2] ?? 0) - (actual[at + 2] ?? 0))
  return Math.max(red, green, blue)
}

function paintExpected(rgba: Uint8Array, at: number, expected: Uint8Array, isMasked: boolean): void {
  const brightness = Math.round(((expected[at] ?? 0) + (expected[at + 1] ?? 0) + (expected[at + 2] ?? 0)) / 3)
  const grey = Math.round((brightness + 255) / 3)
  if (isMasked) paint(rgba, at, grey >> 1, grey >> 1, Math.min(0xff, grey + 0x60))
  else paint(rgba, at, grey, grey, grey)
}

function paint(rgba: Uint8Array, at: number, red: number, green: number, blue: number): void {
  rgba[at] = red
  rgba[at + 1] = green
  rgba[at + 2] = blue
  rgba[at + 3] = 0xff
}

function maskedPixels(width: number, height: number, masks: readonly PixelArea[]): Uint8Array {
  const masked = new Uint8Array(width * height)
  for (const mask of masks) {
    const right = Math.min(width, mask.x + mask.width)
    for (let y = mask.y; y < Math.min(height, mask.y + mask.height); y++)
      if (mask.x < right) masked.fill(1, y * width + mask.x, y * width + right)
  }
  return masked
}
