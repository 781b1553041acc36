/**
 * Each cycle is eight pixels wide, four for each of its halves, and each raster line one high. A cycle that is taken
 * from the CPU has one colour.
 */
import { FIRST_PICTURE_CYCLE, firstRasterLine, unpackPixels } from '@shared/c64/picture'
import {
  firstHalves,
  halvesOf,
  secondHalves,
  type FirstHalf,
  type RasterFrame,
  type SecondHalf,
} from '@shared/contract/rasterFrame'
import { imageDataWord } from '../../widgets/heat'
import type { ThemeColours } from '../../widgets/themeColours'

export const CYCLE_PIXELS = 8
const HALF = CYCLE_PIXELS / 2

/** 0xRRGGBB. */
export interface CycleColours {
  readonly first: Readonly<Record<FirstHalf, number>>
  readonly second: Readonly<Record<SecondHalf, number>>
  readonly written: number
}

export const cycleColours = (theme: ThemeColours): CycleColours => ({
  first: {
    idle: theme.panel,
    refresh: theme.line,
    graphics: theme['accent-soft'],
    pointer: theme['ok-soft'],
    sprite: theme['ok-soft'],
  },
  second: {
    reads: theme.raised,
    writes: theme.muted,
    waits: theme['bad-soft'],
    matrix: theme.accent,
    sprite: theme.ok,
  },
  written: theme.changed,
})

interface Words {
  readonly width: number
  readonly height: number
  /** One word for each pixel, as an `ImageData` has them. */
  readonly pixels: Uint32Array<ArrayBuffer>
}

/** @param palette sixteen colours, 0xRRGGBB; null for no picture under the cycles */
export function rasterImage(frame: RasterFrame, colours: CycleColours, palette: readonly number[] | null): Words {
  const { cycles, cyclesPerLine, linesPerFrame, writes } = frame
  const width = cyclesPerLine * CYCLE_PIXELS
  const pixels = new Uint32Array(width * linesPerFrame)
  const first = firstHalves.map((half) => imageDataWord(colours.first[half]))
  const second = secondHalves.map((half) => imageDataWord(colours.second[half]))
  for (const [cycle, byte] of cycles.entries()) {
    const halves = halvesOf(byte)
    const at = cycle * CYCLE_PIXELS
    const isTaken = halves.second === 'matrix' || halves.second === 'sprite'
    pixels.fill(second[secondHalves.indexOf(halves.second)] ?? 0, at, at + CYCLE_PIXELS)
    if (!isTaken) pixels.fill(first[firstHalves.indexOf(halves.first)] ?? 0, at, at + HALF)
  }
  if (palette) mixPicture(frame, palette, pixels, width)
  for (const { line, cycle } of writes) {
    const at = line * width + cycle * CYCLE_PIXELS
    pixels.fill(imageDataWord(colours.written), at, at + CYCLE_PIXELS)
  }
  return { width, height: linesPerFrame, pixels }
}

function mixPicture(
  { picture, standard, linesPerFrame }: RasterFrame,
  palette: readonly number[],
  pixels: Uint32Array,
  width: number,
): void {
  const words = palette.map(imageDataWord)
  const left = FIRST_PICTURE_CYCLE * CYCLE_PIXELS
  unpackPixels(picture.pixels).forEach((colour, index) => {
    const line = (firstRasterLine(standard) + Math.floor(index / picture.width)) % linesPerFrame
    const at = line * width + left + (index % picture.width)
    pixels[at] = half(pixels[at] ?? 0, words[colour & 15] ?? 0)
  })
}

const OPAQUE = 0xff00_0000

const half = (a: number, b: number): number => (OPAQUE | (((a & 0xfe_fefe) >> 1) + ((b & 0xfe_fefe) >> 1))) >>> 0
