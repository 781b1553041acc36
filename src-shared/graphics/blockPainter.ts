/** Sprites out of memory as ImageData: the hot loop of grids of sprites, so that it can be tested and measured alone. */
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '../c64/sprites'

export interface BlockTarget {
  readonly words: Uint32Array
  /** Words a line. */
  readonly width: number
}

/**
 * Words of ImageData: two for bits 0 and 1, or four for bit pairs 00 to 11. Fastest as an Int32Array, whose numbers are stored
 * as they are: those above 2^31 are converted at each pixel.
 */
export type BlockColours = ArrayLike<number>

/** The bytes of a block as they are drawn, so that only those that changed are drawn again. */
interface DrawnBlock {
  readonly bytes: Uint8Array
  /** Where the block's own begin. */
  readonly at: number
  /** Whether they are what stands at that place, in the same colours; otherwise all are drawn. */
  readonly isThere: boolean
}

interface BlockOptions {
  /** Leaves what is behind clear pixels. */
  readonly isOver?: boolean
  /** Written, too; not for blocks with others behind or over them. */
  readonly drawn?: DrawnBlock | undefined
}

/** Draws 63 bytes, 24 x 21. */
export function paintBlock(
  { words, width }: BlockTarget,
  at: number,
  memory: Uint8Array,
  address: number,
  colours: BlockColours,
  { isOver = false, drawn }: BlockOptions = {},
): void {
  const paintByte = colours.length > 2 ? paintPairs : paintBits
  let n = 0
  for (let y = 0; y < SPRITE_HEIGHT; y++) {
    const out = at + y * width
    for (let x = 0; x < SPRITE_WIDTH; x += 8, n++) {
      const byte = memory[address + n] ?? 0
      if (drawn) {
        if (drawn.isThere && drawn.bytes[drawn.at + n] === byte) continue
        drawn.bytes[drawn.at + n] = byte
      }
      paintByte(words, out + x, byte, colours, isOver)
    }
  }
}

function paintBits(words: Uint32Array, at: number, byte: number, ink: BlockColours, isOver: boolean): void {
  const [clear, set] = [ink[0] ?? 0, ink[1] ?? 0]
  for (let x = 0; x < 8; x++) {
    const isSet = (byte & (0x80 >> x)) !== 0
    if (isSet || !isOver) words[at + x] = isSet ? set : clear
  }
}

function paintPairs(words: Uint32Array, at: number, byte: number, ink: BlockColours, isOver: boolean): void {
  for (let x = 0; x < 8; x += 2) {
    const value = (byte >> (6 - x)) & 3
    if (value === 0 && isOver) continue
    const word = ink[value] ?? 0
    words[at + x] = word
    words[at + x + 1] = word
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

export interface CellBlock {
  readonly memory: Uint8Array
  readonly address: number
  readonly colours: BlockColours
  readonly drawn?: DrawnBlock | undefined
}

/**
 * Draws a cell of one or more sprites.
 * @param blockOf the cell's nth block
 */
export function paintCell(target: BlockTarget, at: number, shape: CellShape, blockOf: (n: number) => CellBlock): void {
  const layers = shape.isOverlay ? 2 : 1
  for (let n = 0; n < blocksOfCell(shape); n++) {
    const place = Math.floor(n / layers)
    const x = (place % shape.columns) * SPRITE_WIDTH
    const y = Math.floor(place / shape.columns) * SPRITE_HEIGHT
    const { memory, address, colours, drawn } = blockOf(n)
    const options = layers === 1 ? { drawn } : { isOver: n % layers === 1 }
    paintBlock(target, at + y * target.width + x, memory, address, colours, options)
  }
}
