/**
 * Draws one frame of a GIF file. omggif only finds its blocks, as its unpacking never ends for some damaged files.
 * Source: Graphics Interchange Format, version 89a, appendix F.
 */
import type { Frame } from 'omggif'

/** Codes have 12 bits at most. */
const MAX_CODES = 4096
const MAX_CODE_BITS = 12
const MAX_COLOUR_BITS = 8

interface Canvas {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

/**
 * Skips transparent pixels and those outside the canvas.
 * @param frame as omggif found it in the file
 * @returns how many of the frame's pixels the file lacks: 0 for an intact one
 */
export function drawGifFrame(file: Uint8Array, frame: Frame, { width, height, rgba }: Canvas): number {
  const pixels = new Uint8Array(frame.width * frame.height)
  const count = unpack(dataOf(file, frame.data_offset + 1), file[frame.data_offset] ?? 0, pixels)
  const rows = frame.interlaced ? interlacedRows(frame.height) : null
  for (let at = 0; at < count; at++) {
    const colour = pixels[at] ?? 0
    const row = Math.floor(at / frame.width)
    const [x, y] = [frame.x + (at % frame.width), frame.y + (rows?.[row] ?? row)]
    if (colour === frame.transparent_index || x >= width || y >= height) continue
    const from = (frame.palette_offset ?? 0) + colour * 3
    rgba.set([file[from] ?? 0, file[from + 1] ?? 0, file[from + 2] ?? 0, 0xff], (y * width + x) * 4)
  }
  return pixels.length - count
}

/** Rows are stored interlaced: every eighth row first, then those between. */
function interlacedRows(height: number): number[] {
  const rows: number[] = []
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = first; row < height; row += step) rows.push(row)
  return rows
}

/** Up to the end of a file that lacks the last sub-block. */
function dataOf(file: Uint8Array, first: number): Uint8Array {
  const data = new Uint8Array(Math.max(0, file.length - first))
  let length = 0
  for (let at = first; ;) {
    const size = file[at] ?? 0
    if (size === 0) return data.subarray(0, length)
    const block = file.subarray(at + 1, at + 1 + size)
    data.set(block, length)
    length += block.length
    at += 1 + size
  }
}

/** LZW with growing codes. @returns how many pixels were unpacked before the end, or before an invalid code */
function unpack(data: Uint8Array, colourBits: number, pixels: Uint8Array): number {
  if (colourBits < 1 || colourBits > MAX_COLOUR_BITS) return 0
  const clear = 1 << colourBits
  const end = clear + 1
  const strings = new Strings(clear)
  let [bits, next, previous, bitAt, to] = [colourBits + 1, end + 1, -1, 0, 0]
  while (to < pixels.length && bitAt + bits <= data.length * 8) {
    const code = bitsAt(data, bitAt, bits)
    bitAt += bits
    if (code === end) break
    if (code === clear) {
      ;[bits, next, previous] = [colourBits + 1, end + 1, -1]
      continue
    }
    if (previous < 0 ? code >= clear : code > next) break
    if (previous >= 0 && next < MAX_CODES) strings.add(next++, previous, code)
    to = strings.write(code, pixels, to)
    previous = code
    if (next === 1 << bits && bits < MAX_CODE_BITS) bits++
  }
  return to
}

function bitsAt(data: Uint8Array, at: number, bits: number): number {
  const byte = at >> 3
  const word = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16)
  return (word >> (at & 7)) & ((1 << bits) - 1)
}

class Strings {
  readonly #before = new Uint16Array(MAX_CODES)
  readonly #last = new Uint8Array(MAX_CODES)
  readonly #first = new Uint8Array(MAX_CODES)
  readonly #lengths = new Uint16Array(MAX_CODES)

  constructor(colours: number) {
    for (let colour = 0; colour < colours; colour++) {
      this.#last[colour] = this.#first[colour] = colour
      this.#lengths[colour] = 1
    }
  }

  /** @param follower the code after `before`, which may be the new one itself */
  add(code: number, before: number, follower: number): void {
    this.#before[code] = before
    this.#first[code] = this.#first[before] ?? 0
    this.#last[code] = this.#first[follower] ?? 0
    this.#lengths[code] = (this.#lengths[before] ?? 0) + 1
  }

  /** @returns where the next pixel goes; those beyond the end are left out */
  write(code: number, pixels: Uint8Array, to: number): number {
    const end = to + (this.#lengths[code] ?? 0)
    for (let [at, part] = [end - 1, code]; at >= to; at--, part = this.#before[part] ?? 0)
      if (at < pixels.length) pixels[at] = this.#last[part] ?? 0
    return Math.min(end, pixels.length)
  }
}
