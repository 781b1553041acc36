/** Pictures of the window as PNG files with a palette, and what differs between two of them. */
import { decode, encode } from 'fast-png'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** 0xRRGGBB, line by line. */
  readonly colours: Uint32Array
}

const MAX_COLOURS = 256
/** Colours that are kept as they are: those of surfaces and texts. The others, of edges, come to the 216 of a cube. */
const EXACT_COLOURS = 40
const CUBE_STEP = 51

/** In each of red, green and blue: half a step of the cube, and what edges of letters differ by between processors. */
const MAX_CHANNEL_DIFFERENCE = 48

/** Letters of one word have more. */
export const MAX_DIFFERENT_PIXELS = 40

export function readPicture(png: Uint8Array): Pixels {
  const { width, height, data, channels, palette } = decode(png)
  const colours = new Uint32Array(width * height)
  for (let at = 0; at < colours.length; at++) {
    const [red = 0, green = 0, blue = 0] = palette?.[data[at] ?? 0] ?? data.subarray(at * channels, at * channels + 3)
    colours[at] = (red << 16) | (green << 8) | blue
  }
  return { width, height, colours }
}

export function indexedPng({ width, height, colours }: Pixels): Uint8Array {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour)
  const isExact = new Set(byCount.slice(0, byCount.length <= MAX_COLOURS ? MAX_COLOURS : EXACT_COLOURS))
  const known = new Map(byCount.map((colour) => [colour, isExact.has(colour) ? colour : inCube(colour)]))
  const kept = [...new Set(known.values())]
  const index = new Map(kept.map((colour, at) => [colour, at]))
  const data = Uint8Array.from(colours, (colour) => index.get(known.get(colour) ?? 0) ?? 0)
  const palette = kept.map((colour): [number, number, number] => channelsOf(colour))
  return encode({ width, height, data, channels: 1, palette }, { zlib: { level: 9 } })
}

function inCube(colour: number): number {
  const [red, green, blue] = channelsOf(colour)
  const level = (channel: number) => Math.round(channel / CUBE_STEP) * CUBE_STEP
  return (level(red) << 16) | (level(green) << 8) | level(blue)
}

export interface Difference {
  /** Pixels whose colour is clearly another; all of them where the sizes differ. */
  readonly count: number
  /** What was expected, faint, with the pixels that differ in red. */
  readonly picture: Pixels
}

export function compare(expected: Pixels, actual: Pixels): Difference {
  if (expected.width !== actual.width || expected.height !== actual.height)
    return { count: Math.max(expected.colours.length, actual.colours.length), picture: actual }
  let count = 0
  const colours = expected.colours.map((colour, at) => {
    if (isAlike(colour, actual.colours[at] ?? 0)) return faint(colour)
    count++
    return 0xff0000
  })
  return { count, picture: { ...expected, colours } }
}

const channelsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]

function distance(one: number, other: number): number {
  const [red, green, blue] = channelsOf(one)
  const [otherRed, otherGreen, otherBlue] = channelsOf(other)
  return Math.max(Math.abs(red - otherRed), Math.abs(green - otherGreen), Math.abs(blue - otherBlue))
}

const isAlike = (one: number, other: number): boolean => one === other || distance(one, other) <= MAX_CHANNEL_DIFFERENCE

/** A quarter of its contrast on white. */
function faint(colour: number): number {
  const [red, green, blue] = channelsOf(colour)
  const level = 191 + Math.round((red + green + blue) / 12)
  return (level << 16) | (level << 8) | level
}
