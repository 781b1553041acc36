/** Pictures of the window as PNG files with a palette, and what differs between two of them. */
import { encode } from 'fast-png'
import { comparePixels } from '@shared/graphics/comparePixels'
import type { RgbaImage } from '@shared/rgbaImage'
import { readPng } from '../../src-main/files/png'

/** Of each side, in pixels. */
const MAX_SIDE = 4096
const MAX_COLOURS = 256
/** Colours that are kept as they are: those of surfaces and texts. The others, of edges, come to the 216 of a cube. */
const EXACT_COLOURS = 40
const CUBE_STEP = 51

/** In each of red, green and blue: half a step of the cube, and what edges of letters differ by between processors. */
const MAX_CHANNEL_DIFFERENCE = 48

/** Letters of one word have more. */
export const MAX_DIFFERENT_PIXELS = 40

export const readPicture = (png: Uint8Array): RgbaImage => readPng(png, { width: MAX_SIDE, height: MAX_SIDE })

export function indexedPng(image: RgbaImage): Uint8Array {
  const { width, height } = image
  return encode({ width, height, channels: 1, ...indexed(image) }, { zlib: { level: 9 } })
}

/** Its pixels as places in a palette of at most 256 colours. */
export function indexed({ width, height, rgba }: RgbaImage): {
  readonly data: Uint8Array
  readonly palette: [number, number, number][]
} {
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => colourAt(rgba, pixel * 4))
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour)
  const isExact = new Set(byCount.slice(0, byCount.length <= MAX_COLOURS ? MAX_COLOURS : EXACT_COLOURS))
  const known = new Map(byCount.map((colour) => [colour, isExact.has(colour) ? colour : inCube(colour)]))
  const kept = [...new Set(known.values())]
  const index = new Map(kept.map((colour, at) => [colour, at]))
  const data = Uint8Array.from(colours, (colour) => index.get(known.get(colour) ?? 0) ?? 0)
  return { data, palette: kept.map((colour): [number, number, number] => channelsOf(colour)) }
}

const colourAt = (rgba: Uint8Array, at: number): number =>
  ((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0)

function inCube(colour: number): number {
  const [red, green, blue] = channelsOf(colour)
  const level = (channel: number) => Math.round(channel / CUBE_STEP) * CUBE_STEP
  return (level(red) << 16) | (level(green) << 8) | level(blue)
}

const channelsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]

export interface Difference {
  /** Pixels whose colour is clearly another; all of them where the sizes differ. */
  readonly count: number
  /** What was expected, faint, with the pixels that differ in red. */
  readonly picture: RgbaImage
}

export function compare(expected: RgbaImage, actual: RgbaImage): Difference {
  const found = comparePixels(expected, actual, { tolerance: MAX_CHANNEL_DIFFERENCE })
  if (found) return { count: found.pixels, picture: found.image }
  return { count: Math.max(expected.width * expected.height, actual.width * actual.height), picture: actual }
}
