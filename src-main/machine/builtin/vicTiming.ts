/**
 * What the VIC-II does in each cycle of a line, as bits of a word. Cycles are counted from 0, the cycle in which $D012
 * changes; Christian Bauer's article and VICE's monitor count this one from 1 and 0.
 */
import type { VideoStandard } from '@shared/contract/machine'

/** The sprites for whose DMA BA is low, one bit each. */
export const SPRITES_BA = 0xff
/** BA is low in a bad line. */
export const MATRIX_BA = 0x100

/** The read in the first half of the cycle; none is an idle access. */
export const FIRST_HALF = 0xe00
export const REFRESH = 0x200
export const GRAPHICS = 0x400
/** A sprite's pointer; in the second half its first byte. */
export const SPRITE_POINTER = 0x600
/** A sprite's second byte; in the second half its third. */
export const SPRITE_BYTES = 0x800
/** Shift of the sprite's number, bits 12 to 14. */
export const SPRITE_SHIFT = 12

/** In a bad line the video matrix is read in the second half; the graphics read next are displayed. */
export const MATRIX = 0x8000
export const LOAD_VC = 0x1_0000
export const COUNT_RC = 0x2_0000
export const START_SPRITES = 0x4_0000
export const FLIP_EXPANSION = 0x8_0000
export const SHOW_SPRITES = 0x10_0000
export const END_SPRITES = 0x20_0000
/** Clearing a Y expansion bit mixes the sprite's counters. */
export const CRUNCH = 0x40_0000
export const BORDER_LEFT = 0x80_0000
export const BORDER_RIGHT = 0x100_0000
/** The border is compared for 40 columns; without this bit for 38. */
export const BORDER_40 = 0x200_0000

export interface LineTiming {
  readonly cycles: number
  readonly lines: number
  readonly actions: Uint32Array
  /** The sprites' x coordinate at the first of the eight pixels that belong to a cycle. */
  readonly xs: Uint16Array
  readonly sprites: readonly (number | null)[]
  /** The x that a light pen latches when its line is low as a frame begins; measured in x64sc. */
  readonly penXAtFrame: number
  readonly spritesStart: number
}

const MATRIX_START = 14
const COLUMNS = 40
/** Cycles between BA going low and the bus being taken. */
export const GRACE_CYCLES = 3
/** The x coordinate is 0 in this cycle of every chip. */
const X_ZERO_CYCLE = 13
const SPRITE_CYCLES = 2
const SPRITES = 8

interface Layout {
  readonly cycles: number
  readonly lines: number
  /** The cycle in which sprite 0's pointer is read. */
  readonly pointer0: number
  /** The pixels after which the x coordinate returns to 0. */
  readonly xEnd: number
  /** The cycle that repeats the x coordinates of the one before. */
  readonly xRepeat: number
  readonly penXAtFrame: number
}

const layouts: Readonly<Record<VideoStandard, Layout>> = {
  pal: { cycles: 63, lines: 312, pointer0: 57, xEnd: 504, xRepeat: Infinity, penXAtFrame: 0xd1 },
  ntsc: { cycles: 65, lines: 263, pointer0: 58, xEnd: 512, xRepeat: 62, penXAtFrame: 0xd5 },
}

function timingOf({ cycles, lines, pointer0, xEnd, xRepeat, penXAtFrame }: Layout): LineTiming {
  const actions = new Uint32Array(cycles)
  const add = (cycle: number, action: number): void => {
    const at = (cycle + cycles) % cycles
    actions[at] = (actions[at] ?? 0) | action
  }
  for (let cycle = MATRIX_START - GRACE_CYCLES; cycle < MATRIX_START + COLUMNS; cycle++) add(cycle, MATRIX_BA)
  for (let column = 0; column < COLUMNS; column++) {
    add(MATRIX_START + column, MATRIX)
    add(MATRIX_START + 1 + column, GRAPHICS)
  }
  for (let cycle = 10; cycle < 15; cycle++) add(cycle, REFRESH)
  for (let sprite = 0; sprite < SPRITES; sprite++) {
    const pointer = pointer0 + SPRITE_CYCLES * sprite
    add(pointer, SPRITE_POINTER | (sprite << SPRITE_SHIFT))
    add(pointer + 1, SPRITE_BYTES | (sprite << SPRITE_SHIFT))
    for (let cycle = pointer - GRACE_CYCLES; cycle < pointer + SPRITE_CYCLES; cycle++) add(cycle, 1 << sprite)
  }
  add(13, LOAD_VC)
  add(14, CRUNCH)
  add(15, END_SPRITES)
  add(16, BORDER_LEFT | BORDER_40)
  add(17, BORDER_LEFT)
  add(55, BORDER_RIGHT | FLIP_EXPANSION)
  add(56, BORDER_RIGHT | BORDER_40)
  add(57, COUNT_RC)
  const spritesStart = pointer0 - GRACE_CYCLES
  add(spritesStart, START_SPRITES)
  add(spritesStart + 1, START_SPRITES)
  add(pointer0, SHOW_SPRITES)

  const xs = Uint16Array.from({ length: cycles }, (_, cycle) => {
    const later = cycle >= xRepeat ? 1 : 0
    const x = (cycle - X_ZERO_CYCLE - later) * 8
    return x < 0 ? x + xEnd : x
  })
  const sprites = Array.from(actions, (action) =>
    (action & FIRST_HALF) >= SPRITE_POINTER ? (action >> SPRITE_SHIFT) & 7 : null,
  )
  return { cycles, lines, actions, xs, sprites, penXAtFrame, spritesStart }
}

export const lineTimings: Readonly<Record<VideoStandard, LineTiming>> = {
  pal: timingOf(layouts.pal),
  ntsc: timingOf(layouts.ntsc),
}
