import { SPRITE_HEIGHT, SPRITE_WIDTH } from '../c64/sprites'

export interface BlockTarget {
  readonly words: Uint32Array
  readonly width: number
}

/**
 * ImageData words: two for bits 0 and 1, or four for bit pairs 00 to 11. Fastest as an Int32Array, whose numbers are
 * stored as they are: those above 2^31 are converted at each pixel.
 */
export type BlockColours = ArrayLike<number>

interface DrawnBlock {
  readonly bytes: Uint8Array
  readonly at: number
  /** False where anything else stands there, or in other colours: then all are drawn. */
  readonly isThere: boolean
}

interface BlockOptions {
  readonly isOver?: boolean
  /** Also written. Not for blocks with others behind or over them. */
  readonly drawn?: DrawnBlock | undefined
}

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
  readonly columns: number
  readonly rows: number
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
