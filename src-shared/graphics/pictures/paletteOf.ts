import { TRANSPARENT } from '../../c64/sprites'
import type { Pixels } from '../artworkPixels'
import { distance, lightOf, toOklab } from '../photo/oklab'
import { knownPalettes } from './knownPalettes'

export interface RgbaPicture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

export interface PictureColours {
  readonly own?: readonly number[]
  readonly given?: readonly number[] | undefined
  readonly shown?: readonly number[] | undefined
}

export type Indexed =
  | {
      readonly pictures: readonly Pixels[]
      readonly note: string | null
    }
  | { readonly unknown: { readonly picture: number; readonly colour: number; readonly x: number; readonly y: number } }

const COLOURS = 16

export function indexedPictures(pictures: readonly RgbaPicture[], colours: PictureColours = {}): Indexed {
  const found = new Set<number>()
  for (const [picture, { width, rgba }] of pictures.entries())
    for (let from = 0; from < rgba.length; from += 4) {
      if (rgba[from + 3] === 0) continue
      const colour = colourAt(rgba, from)
      found.add(colour)
      const at = from / 4
      if (found.size > COLOURS) return { unknown: { picture, colour, x: at % width, y: Math.floor(at / width) } }
    }
  const { numbers, note } = numbersOf([...found], colours)
  return { pictures: pictures.map((picture) => indexed(picture, numbers)), note }
}

export function exactPalette(
  { rgba }: RgbaPicture,
  first: readonly (readonly number[])[],
): readonly number[] | undefined {
  const found = new Set<number>()
  for (let from = 0; from < rgba.length && found.size <= COLOURS; from += 4) found.add(colourAt(rgba, from))
  return [...first, ...knownPalettes.map(({ colours }) => colours)].find((palette) => {
    const has = new Set(palette)
    return [...found].every((colour) => has.has(colour))
  })
}

interface Numbered {
  readonly numbers: ReadonlyMap<number, number>
  readonly note: string | null
}

function numbersOf(colours: readonly number[], { own, given, shown }: PictureColours): Numbered {
  const known = [...(shown ? [{ title: 'the window’s palette', colours: shown }] : []), ...knownPalettes]
  for (const palette of [...(given ? [given] : []), ...(own ? [own] : []), ...known.map((each) => each.colours)]) {
    const numbers = new Map(palette.map((colour, index) => [colour, index] as const).reverse())
    if (colours.every((colour) => numbers.has(colour))) return { numbers, note: null }
  }
  if (given)
    return {
      numbers: nearest(colours, given).numbers,
      note: 'The colours are not those of the palette given; each is read as the nearest of its colours.',
    }
  const [best] = known
    .map((palette) => ({ title: palette.title, ...nearest(colours, palette.colours) }))
    .sort((a, b) => a.distance - b.distance)
  return {
    numbers: best?.numbers ?? new Map(),
    note: `The colours are those of no known palette; each is read as the nearest of ${best?.title ?? ''}. Give the palette to read them exactly.`,
  }
}

/** Each colour gets a number of its own; the closest pairs come first. */
function nearest(colours: readonly number[], palette: readonly number[]) {
  const labs = palette.map(labOf)
  const pairs = colours
    .flatMap((colour) => {
      const lab = labOf(colour)
      return labs.map((other, number) => ({ colour, number, distance: Math.sqrt(distance(lab, 0, other, 0)) }))
    })
    .sort((a, b) => a.distance - b.distance)
  const numbers = new Map<number, number>()
  const taken = new Set<number>()
  let sum = 0
  for (const { colour, number, distance } of pairs) {
    if (numbers.has(colour) || taken.has(number)) continue
    numbers.set(colour, number)
    taken.add(number)
    sum += distance
  }
  return { numbers, distance: sum }
}

function labOf(colour: number): Float32Array {
  const lab = new Float32Array(3)
  toOklab(lab, 0, lightOf[colour >> 16] ?? 0, lightOf[(colour >> 8) & 0xff] ?? 0, lightOf[colour & 0xff] ?? 0)
  return lab
}

const colourAt = (rgba: Uint8Array, from: number): number =>
  ((rgba[from] ?? 0) << 16) | ((rgba[from + 1] ?? 0) << 8) | (rgba[from + 2] ?? 0)

function indexed({ width, height, rgba }: RgbaPicture, numbers: ReadonlyMap<number, number>): Pixels {
  const pixels = new Uint8Array(width * height)
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = rgba[at * 4 + 3] === 0 ? TRANSPARENT : (numbers.get(colourAt(rgba, at * 4)) ?? 0)
  return { width, height, pixels }
}
