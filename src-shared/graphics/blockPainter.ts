/** Sprites out of memory as ImageData: the hot loop of grids of sprites, so that it can be tested and measured alone. */
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '../c64/sprites'

export interface BlockTarget {
  readonly words: Uint32Array
  /** Words a line. */
  readonly width: number
}

/** Words of ImageData: two for bits 0 and 1, or four for bit pairs 00 to 11. */
export type BlockColours = readonly number[]

/** Draws 63 bytes, 24 x 21. @param isOver leaves what is behind clear pixels */
export function paintBlock(
  { words, width }: BlockTarget,
  at: number,
  memory: Uint8Array,
  address: number,
  colours: BlockColours,
  isOver = false,
): void {
  const isPairs = colours.length > 2
  const [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = colours
  let source = address
  for (let y = 0; y < SPRITE_HEIGHT; y++) {
    let out = at + y * width
    for (let column = 0; column < 3; column++, source++) {
      const byte = memory[source] ?? 0
      for (let x = 0; x < 8; x++, out++) {
        const value = isPairs ? (byte >> (6 - (x & 6))) & 3 : (byte >> (7 - x)) & 1
        if (isOver && value === 0) continue
        words[out] = value === 0 ? c0 : value === 1 ? c1 : value === 2 ? c2 : c3
      }
    }
  }
}

export interface CellShape {
  /** Sprites a row of a cell. */
  readonly columns: number
  readonly rows: number
  /** Each sprite of a cell has another one, the next block, laid over it. */
  readonly isOverlay: boolean
}

export const blocksOfCell = ({ columns, rows, isOverlay }: CellShape): number => columns * rows * (isOverlay ? 2 : 1)
export const cellWidth = ({ columns }: CellShape): number => columns * SPRITE_WIDTH
export const cellHeight = ({ rows }: CellShape): number => rows * SPRITE_HEIGHT

/**
 * Draws a cell of one or more sprites.
 * @param blockOf the memory, address and colours of the cell's nth block
 */
export function paintCell(
  target: BlockTarget,
  at: number,
  shape: CellShape,
  blockOf: (n: number) => { memory: Uint8Array; address: number; colours: BlockColours },
): void {
  const layers = shape.isOverlay ? 2 : 1
  for (let n = 0; n < blocksOfCell(shape); n++) {
    const place = Math.floor(n / layers)
    const x = (place % shape.columns) * SPRITE_WIDTH
    const y = Math.floor(place / shape.columns) * SPRITE_HEIGHT
    const { memory, address, colours } = blockOf(n)
    paintBlock(target, at + y * target.width + x, memory, address, colours, n % layers === 1)
  }
}
