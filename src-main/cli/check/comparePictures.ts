/** Two pictures of the C64, pixel by pixel. */
import type { RgbaImage } from '../../files/png'
import type { Mask } from './planSchema'

export interface PictureDifference {
  /** Pixels that differ by more than the tolerance. */
  readonly pixels: number
  /** Of both sides, for each of red, green and blue. */
  readonly largest: number
  /** What differs in red on the grey picture that was expected; masked parts are blue. */
  readonly image: RgbaImage
}

interface Compared {
  readonly tolerance: number
  readonly masks: readonly Mask[]
}

/** @returns null for pictures of different sizes */
export function comparePictures(
  expected: RgbaImage,
  found: RgbaImage,
  { tolerance, masks }: Compared,
): PictureDifference | null {
  const { width, height } = expected
  if (width !== found.width || height !== found.height) return null
  const masked = maskedPixels(width, height, masks)
  const image = new Uint8Array(width * height * 4)
  let pixels = 0
  let largest = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * 4
    const distance = masked[pixel] === 1 ? 0 : distanceAt(expected.rgba, found.rgba, at)
    const grey = Math.round((brightness(expected.rgba, at) + 255) / 3)
    largest = Math.max(largest, distance)
    if (distance > tolerance) {
      pixels++
      image.set([0xff, 0x20, 0x20, 0xff], at)
    } else if (masked[pixel] === 1) image.set([grey >> 1, grey >> 1, Math.min(0xff, grey + 0x60), 0xff], at)
    else image.set([grey, grey, grey, 0xff], at)
  }
  return { pixels, largest, image: { width, height, rgba: image } }
}

function distanceAt(expected: Uint8Array, found: Uint8Array, at: number): number {
  let largest = 0
  for (let channel = at; channel < at + 3; channel++)
    largest = Math.max(largest, Math.abs((expected[channel] ?? 0) - (found[channel] ?? 0)))
  return largest
}

const brightness = (rgba: Uint8Array, at: number): number =>
  Math.round(((rgba[at] ?? 0) + (rgba[at + 1] ?? 0) + (rgba[at + 2] ?? 0)) / 3)

/** 1 for each pixel that is not compared. */
function maskedPixels(width: number, height: number, masks: readonly Mask[]): Uint8Array {
  const masked = new Uint8Array(width * height)
  for (const mask of masks) {
    const right = Math.min(width, mask.x + mask.width)
    for (let y = mask.y; y < Math.min(height, mask.y + mask.height); y++)
      if (mask.x < right) masked.fill(1, y * width + mask.x, y * width + right)
  }
  return masked
}
