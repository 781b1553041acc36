/** The seven passes of interlaced PNG as plain rows. Source: the PNG specification, 8.2 and 9.2. */
import { damaged } from './photo'

const passes = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const

const MAX_FILTER = 4

interface Shape {
  readonly width: number
  readonly height: number
  readonly bitsPerPixel: number
}

/**
 * Rows with filter 0, as without interlace. Missing rows are 0.
 * @throws AppError INVALID for a filter that PNG does not have
 */
export function withoutInterlace(data: Uint8Array, { width, height, bitsPerPixel }: Shape): Uint8Array {
  const line = 1 + bytesFor(width, bitsPerPixel)
  const rows = new Uint8Array(line * height)
  let at = 0
  for (const { x, y, stepX, stepY } of passes) {
    const across = Math.max(0, Math.ceil((width - x) / stepX))
    const bytes = bytesFor(across, bitsPerPixel)
    let above: Uint8Array = new Uint8Array(bytes)
    for (let row = y; across > 0 && row < height && at < data.length; row += stepY) {
      const current = new Uint8Array(bytes)
      current.set(data.subarray(at + 1, at + 1 + bytes))
      unfilter(data[at] ?? 0, current, above, Math.max(1, bitsPerPixel >> 3))
      scatter(current, rows.subarray(row * line + 1, (row + 1) * line), { across, x, stepX, bitsPerPixel })
      above = current
      at += 1 + bytes
    }
  }
  return rows
}

const bytesFor = (pixels: number, bitsPerPixel: number): number => Math.ceil((pixels * bitsPerPixel) / 8)

function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter > MAX_FILTER) throw damaged('PNG', 0, `a line has the filter ${filter}`)
  if (filter === 0) return
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (row[at - step] ?? 0)
    const up = above[at] ?? 0
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, at < step ? 0 : (above[at - step] ?? 0))
  }
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, upLeft)
}

function paeth(left: number, up: number, upLeft: number): number {
  const [toLeft, toUp, toUpLeft] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

interface PassRow {
  readonly across: number
  readonly x: number
  readonly stepX: number
  readonly bitsPerPixel: number
}

function scatter(from: Uint8Array, to: Uint8Array, { across, x, stepX, bitsPerPixel }: PassRow): void {
  const bytes = bitsPerPixel >> 3
  for (let index = 0, column = x; index < across; index++, column += stepX) {
    if (bytes > 0) {
      to.set(from.subarray(index * bytes, (index + 1) * bytes), column * bytes)
      continue
    }
    const [source, target] = [index * bitsPerPixel, column * bitsPerPixel]
    const sample = ((from[source >> 3] ?? 0) >> (8 - bitsPerPixel - (source & 7))) & ((1 << bitsPerPixel) - 1)
    to[target >> 3] = (to[target >> 3] ?? 0) | (sample << (8 - bitsPerPixel - (target & 7)))
  }
}
