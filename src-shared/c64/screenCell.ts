import type { Picture } from '../contract/memory'
import { DISPLAY_X, displayTop } from './picture'
import type { Video } from './video'

export interface ScreenCell {
  readonly row: number
  readonly column: number
  /** The line within the cell, 0 to 7. */
  readonly line: number
}

const COLOUR_RAM = 0xd800
const COLUMNS = 40
const ROWS = 25
const CELL = 8
/** $D011's scroll after power-on: the first row then starts with the display window. */
const SCROLL_Y_AT_REST = 3

/**
 * Null in the border.
 * @param height of the picture
 * @param x, y in its own pixels
 */
export function cellAt(
  { displayOn, columns, rows, scrollX, scrollY }: Video,
  height: Picture['height'],
  x: number,
  y: number,
): ScreenCell | null {
  const across = Math.floor(x) - DISPLAY_X
  const down = Math.floor(y) - displayTop(height)
  const [left, right] = columns === 40 ? [0, 320] : [7, 311]
  const [top, bottom] = rows === 25 ? [0, 200] : [4, 196]
  if (!displayOn || across < left || across >= right || down < top || down >= bottom) return null
  const column = Math.floor((across - scrollX) / CELL)
  const line = down - (scrollY - SCROLL_Y_AT_REST)
  // What scrolling lays bare at an edge has no cell of its own: the next one stands for it.
  return {
    row: clamp(Math.floor(line / CELL), ROWS),
    column: clamp(column, COLUMNS),
    line: line & (CELL - 1),
  }
}

const clamp = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value))

export function cellOf(video: Video, address: number): ScreenCell | null {
  const bitmapOffset = isBitmap(video) ? address - video.bitmap : -1
  const index = [address - video.screen, address - COLOUR_RAM, bitmapOffset >> 3].find(
    (offset) => offset >= 0 && offset < COLUMNS * ROWS,
  )
  if (index === undefined) return null
  const line = bitmapOffset >= 0 && bitmapOffset >> 3 === index ? bitmapOffset & (CELL - 1) : 0
  return { row: Math.floor(index / COLUMNS), column: index % COLUMNS, line }
}

export const placeOfCell = ({ scrollX, scrollY }: Video, height: Picture['height'], { row, column }: ScreenCell) => ({
  x: DISPLAY_X + scrollX + column * CELL,
  y: displayTop(height) + scrollY - SCROLL_Y_AT_REST + (row + 1) * CELL,
})

export interface CellBytes {
  readonly screen: number
  readonly colour: number
  readonly bitmap: number | null
}

export function bytesOf(video: Video, { row, column, line }: ScreenCell): CellBytes {
  const index = row * COLUMNS + column
  return {
    screen: video.screen + index,
    colour: COLOUR_RAM + index,
    bitmap: isBitmap(video) ? video.bitmap + index * CELL + line : null,
  }
}

export const isBitmap = ({ mode }: Video): boolean => mode === 'bitmap' || mode === 'multicolourBitmap'
