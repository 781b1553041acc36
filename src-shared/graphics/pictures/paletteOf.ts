/** Colours of a picture of others, as colour numbers. */
import { palettes } from '../../c64/palettes'
import { TRANSPARENT } from '../../c64/sprites'
import type { Pixels } from '../artworkPixels'

export interface RgbaPicture {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel. */
  readonly rgba: Uint8Array
}

export type Indexed =
  | { readonly pixels: Pixels }
  | { readonly unknown: { readonly colour: number; readonly x: number; readonly y: number } }

/** By the first palette that has all of its colours. @param own of the file, tried first */
export function indexedPicture(picture: RgbaPicture, own: readonly (readonly number[])[] = []): Indexed {
  let unknown: Indexed = { unknown: { colour: 0, x: 0, y: 0 } }
  let furthest = -1
  for (const palette of [...own, ...Object.values(palettes)]) {
    const found = byPalette(picture, palette)
    if ('pixels' in found) return found
    const { x, y } = found.unknown
    if (y * picture.width + x > furthest) {
      furthest = y * picture.width + x
      unknown = found
    }
  }
  return unknown
}

function byPalette({ width, height, rgba }: RgbaPicture, palette: readonly number[]): Indexed {
  const numbers = new Map(palette.map((colour, index) => [colour, index] as const).reverse())
  const pixels = new Uint8Array(width * height)
  for (let at = 0; at < pixels.length; at++) {
    const from = at * 4
    const colour = ((rgba[from] ?? 0) << 16) | ((rgba[from + 1] ?? 0) << 8) | (rgba[from + 2] ?? 0)
    const number = rgba[from + 3] === 0 ? TRANSPARENT : numbers.get(colour)
    if (number === undefined) return { unknown: { colour, x: at % width, y: Math.floor(at / width) } }
    pixels[at] = number
  }
  return { pixels: { width, height, pixels } }
}
