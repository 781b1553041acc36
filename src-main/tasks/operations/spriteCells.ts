import { SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '@shared/c64/sprites'
import {
  countRows,
  countSetBits,
  selectSprites,
  type FoundSprite,
  type SpriteCandidate,
  type SpriteThresholds,
} from '@shared/c64/spriteScan'

export interface SpriteCell {
  readonly across: number
  readonly down: number
}

export const blocksOf = ({ across, down }: SpriteCell): number => across * down

/** @param stride from one block to the next */
export function selectCells<Candidate extends SpriteCandidate>(
  candidates: readonly Candidate[],
  cell: SpriteCell,
  stride: number,
  thresholds: SpriteThresholds,
): (Candidate & FoundSprite)[] {
  const cellOf = ({ offset }: SpriteCandidate): number => Math.floor(offset / stride / blocksOf(cell))
  const chosen = new Set(selectSprites(candidates, thresholds).map(cellOf))
  return candidates
    .filter((candidate) => chosen.has(cellOf(candidate)))
    .map((candidate) => ({
      ...candidate,
      setBits: countSetBits(candidate.bytes),
      nonZeroRows: countRows(candidate.bytes),
    }))
}

/** @param pixels of each block, in the order of memory: row by row from the left */
export function cellPixels(pixels: readonly Uint8Array[], { across, down }: SpriteCell): Uint8Array {
  const width = across * SPRITE_WIDTH
  const whole = new Uint8Array(width * down * SPRITE_HEIGHT).fill(TRANSPARENT)
  pixels.forEach((block, n) => {
    const start = Math.floor(n / across) * SPRITE_HEIGHT * width + (n % across) * SPRITE_WIDTH
    for (let row = 0; row < SPRITE_HEIGHT; row++)
      whole.set(block.subarray(row * SPRITE_WIDTH, (row + 1) * SPRITE_WIDTH), start + row * width)
  })
  return whole
}
