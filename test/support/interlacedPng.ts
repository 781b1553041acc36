/** One picture as PNG files, with its pixels line by line or in the seven passes of Adam7; each line has the next filter. */
import { zlibSync } from 'fflate'
import { crc32 } from '@shared/pngWriter'

interface PngKind {
  readonly width: number
  readonly height: number
  readonly colourType: number
  readonly depth: number
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** The first column and line, and the steps of each pass. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const FILTERS = 5

export const plainPng = (kind: PngKind): Uint8Array => pngOf(kind, 0, [[0, 0, 1, 1]])
export const interlacedPng = (kind: PngKind): Uint8Array => pngOf(kind, 1, adam7)

type Pass = readonly [x: number, y: number, stepX: number, stepY: number]

function pngOf(kind: PngKind, interlace: number, passes: readonly Pass[]): Uint8Array {
  const { width, height, colourType, depth } = kind
  const header = new Uint8Array(13)
  new DataView(header.buffer).setUint32(0, width)
  new DataView(header.buffer).setUint32(4, height)
  header.set([depth, colourType, 0, 0, interlace], 8)
  const palette = Uint8Array.from({ length: 3 << depth }, (_, at) => at * 37)
  return Uint8Array.from([
    0x89,
    0x50,
    0x4e,
    0x47,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    ...chunk('IHDR', header),
    ...(colourType === 3 ? chunk('PLTE', palette) : []),
    ...chunk('IDAT', zlibSync(Uint8Array.from(passes.flatMap((pass) => linesOf(kind, pass))))),
    ...chunk('IEND', new Uint8Array(0)),
  ])
}

/** A sample of a pixel that differs from its neighbours'. */
const sample = (x: number, y: number, channel: number, depth: number): number =>
  (x * x * 31 + y * 57 + x * y * 7 + channel * 101) % (1 << depth)

function linesOf({ width, height, colourType, depth }: PngKind, [left, top, stepX, stepY]: Pass): number[] {
  const count = channels[colourType] ?? 1
  const step = Math.max(1, (depth * count) >> 3)
  const lines: number[] = []
  let above: number[] = []
  for (let y = top; left < width && y < height; y += stepY) {
    const samples: number[] = []
    for (let x = left; x < width; x += stepX)
      for (let channel = 0; channel < count; channel++) samples.push(sample(x, y, channel, depth))
    const bytes = packed(samples, depth)
    const filter = ((y / stepY + left) % FILTERS) | 0
    lines.push(filter, ...bytes.map((byte, at) => (byte - guess(filter, bytes, above, at, step)) & 0xff))
    above = bytes
  }
  return lines
}

const packed = (samples: readonly number[], depth: number): number[] => {
  const bits = samples.map((each) => each.toString(2).padStart(depth, '0')).join('')
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2),
  )
}

function guess(filter: number, bytes: readonly number[], above: readonly number[], at: number, step: number): number {
  const [a, b, c] = [bytes[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0]
  const nearest = [a, b, c].toSorted((p, q) => Math.abs(a + b - c - p) - Math.abs(a + b - c - q))[0] ?? 0
  return [0, a, b, (a + b) >> 1, nearest][filter] ?? 0
}

function chunk(name: string, data: Uint8Array): number[] {
  const body = [...Buffer.from(name), ...data]
  const numbers = new DataView(new ArrayBuffer(8))
  numbers.setUint32(0, data.length)
  numbers.setUint32(4, crc32(Uint8Array.from(body)))
  const bytes = [...new Uint8Array(numbers.buffer)]
  return [...bytes.slice(0, 4), ...body, ...bytes.slice(4)]
}
