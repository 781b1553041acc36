import type { SpriteThresholds } from '../c64/spriteScan'
import { SPRITE_BYTES } from './artwork'

const ROWS = 21
const COLUMNS = 24

export interface BlockShape {
  readonly setBits: number
  readonly filledRows: number
  /**
   * How much the columns persist from row to row, compared with random bits with as many ones in each column: 1 where
   * they never change, 0 for noise such as code and text, below 0 where they change more often than that.
   */
  readonly continuity: number
  /** Share of the filled rows that equal the row above: 1 for stripes, such as a blank screen. */
  readonly repetition: number
  readonly isUniform: boolean
  readonly hash: number
}

export interface GuessLimits extends SpriteThresholds {
  readonly maxSetBits: number
  readonly minContinuity: number
  readonly maxRepetition: number
}

export const defaultGuessLimits: GuessLimits = {
  minSetBits: 24,
  maxSetBits: 460,
  minNonZeroRows: 4,
  minContinuity: 0.35,
  maxRepetition: 0.75,
  skipUniform: true,
  skipDuplicates: false,
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** Of the bytes at an address; those past the end of memory are 0. */
export function blockShape(memory: Uint8Array, address: number): BlockShape {
  let setBits = 0
  let filledRows = 0
  let repeatedRows = 0
  let hash = 0
  let isUniform = true
  const first = memory[address] ?? 0
  for (let row = 0; row < ROWS; row++) {
    const at = address + row * 3
    const [left, middle, right] = [memory[at] ?? 0, memory[at + 1] ?? 0, memory[at + 2] ?? 0]
    setBits += (ones[left] ?? 0) + (ones[middle] ?? 0) + (ones[right] ?? 0)
    if ((left | middle | right) !== 0) {
      filledRows++
      if (row > 0 && left === memory[at - 3] && middle === memory[at - 2] && right === memory[at - 1]) repeatedRows++
    }
    if (left !== first || middle !== first || right !== first) isUniform = false
    hash = Math.imul(hash ^ ((left << 16) | (middle << 8) | right), 0x01000193) + 0x811c9dc5
  }
  const continuity = isUniform ? 1 : continuityOf(memory, address)
  const repetition = filledRows === 0 ? 0 : repeatedRows / filledRows
  return { setBits, filledRows, continuity, repetition, isUniform, hash: hash >>> 0 }
}

function continuityOf(memory: Uint8Array, address: number): number {
  let expected = 0
  let changes = 0
  for (let byte = 0; byte < 3; byte++) {
    for (let row = 1; row < ROWS; row++) {
      const at = address + row * 3 + byte
      changes += ones[(memory[at] ?? 0) ^ (memory[at - 3] ?? 0)] ?? 0
    }
  }
  for (let column = 0; column < COLUMNS; column++) {
    let filled = 0
    for (let row = 0; row < ROWS; row++)
      filled += ((memory[address + row * 3 + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1
    // Expected differences between neighbouring rows when `filled` ones stand anywhere in the column.
    expected += (2 * filled * (ROWS - filled)) / ROWS
  }
  return expected === 0 ? 1 : 1 - changes / expected
}

/** A block without any bit is never a sprite. The caller leaves out what was found before. */
export const isLikelySprite = (shape: BlockShape, limits: GuessLimits): boolean =>
  shape.setBits > 0 &&
  shape.setBits >= limits.minSetBits &&
  shape.setBits <= limits.maxSetBits &&
  shape.filledRows >= limits.minNonZeroRows &&
  shape.continuity >= limits.minContinuity &&
  shape.repetition <= limits.maxRepetition &&
  !(limits.skipUniform && shape.isUniform)

/** The end is exclusive; each block begins `stride` bytes after the one before. */
export const blocksIn = (start: number, end: number, stride: number): number =>
  Math.max(0, Math.floor((end - start - SPRITE_BYTES) / stride) + 1)
