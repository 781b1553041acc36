/** A program that changes a colour in the middle of a raster line, and where that shows in a picture. */
import { PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import type { Picture } from '@shared/contract/memory'

export const BEAM_CODE = 0xc000
const NOP = 0xea

export interface ColourChange {
  readonly register: 0xd020 | 0xd021
  /** Where the program begins to wait for the place. */
  readonly line: number
  /** Two cycles each. */
  readonly nops: number
}

/**
 * The border above and below, and the background of a line without text that is no bad line, at many places of a line. The wait for
 * a line ends in any of nine cycles; with more NOPs, the change could come where the right border hides the background.
 */
export const colourChanges: readonly ColourChange[] = [3, 7, 10, 13, 16].flatMap((nops): ColourChange[] => [
  { register: 0xd020, line: 60, nops },
  { register: 0xd020, line: 200, nops },
  { register: 0xd021, line: 141, nops },
])

const waitForLine = (line: number) => [0xad, 0x12, 0xd0, 0xc9, line, 0xd0, 0xf9]

export interface BeamProgram {
  /** For {@link BEAM_CODE}. */
  readonly bytes: readonly number[]
  /** Behind the instruction that makes it white. */
  readonly after: number
  /** Some lines below, where it stays. */
  readonly end: number
}

/** Black for two frames, white from a place in the middle of a line on. */
export function beamProgram({ register, line, nops }: ColourChange): BeamProgram {
  const control1 = register === 0xd020 ? 0x0b : 0x1b
  const black = [0x78, 0xa9, 0x00, 0x8d, 0x20, 0xd0, 0x8d, 0x21, 0xd0, 0xa9, control1, 0x8d, 0x11, 0xd0]
  const frames = [10, 40, 10, 40, 10, 40].flatMap(waitForLine)
  const place = [...waitForLine(line), ...Array<number>(nops).fill(NOP)]
  const white = [0xa2, 0x01, 0x8e, register & 0xff, 0xd0]
  const before = [...black, ...frames, ...place, ...white]
  const bytes = [...before, ...waitForLine(line + 8)]
  const end = BEAM_CODE + bytes.length
  return { bytes: [...bytes, 0x4c, end & 0xff, end >> 8], after: BEAM_CODE + before.length, end }
}

const WHITE = 1

/** The first white pixel in reading order; only within the display window for the background. */
export function placeOfChange({ pixels }: Picture, { register }: ColourChange): { x: number; y: number } {
  const [left, right] = register === 0xd020 ? [0, PICTURE_WIDTH] : [32, 352]
  const white = unpackPixels(pixels).findIndex((color, index) => {
    const x = index % PICTURE_WIDTH
    return color === WHITE && x >= left && x < right
  })
  return { x: white % PICTURE_WIDTH, y: Math.floor(white / PICTURE_WIDTH) }
}
