/**
 * Writes PNG files with a palette, still or animated (APNG), picture by picture. fast-png, which the rest of the app
 * uses, does not support animation.
 */

export interface PngShape {
  readonly width: number
  readonly height: number
  readonly palette: readonly number[]
  readonly transparent?: number
  /** A text that is stored but not shown, in ASCII. */
  readonly text?: { readonly keyword: string; readonly text: Uint8Array }
}

export interface PngOutput {
  readonly write: (bytes: Uint8Array, position: number) => void
  /** In the zlib format. */
  readonly deflate: (bytes: Uint8Array) => Uint8Array
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const INDEXED = 3
/** Limit of both fields of a picture's time, whose quotient is in seconds. */
const MAX_DELAY_FIELD = 0xffff

/** Times of an animation's pictures are in ms and must not decrease. */
export type Playback = 'still' | 'animated'

export class PngWriter {
  readonly #output: PngOutput
  readonly #shape: PngShape
  readonly #playback: Playback
  #at = 0
  /** Position of the chunk that holds the number of pictures, which is known only at the end. */
  #control = 0
  #sequence = 0
  #pictures = 0
  /** Written only once it is known how long it is shown. */
  #shown: { readonly pixels: Uint8Array; readonly since: number } | undefined

  constructor(output: PngOutput, shape: PngShape, playback: Playback = 'still') {
    this.#output = output
    this.#shape = shape
    this.#playback = playback
    this.#write(SIGNATURE)
    this.#chunk('IHDR', [...word(shape.width), ...word(shape.height), 8, INDEXED, 0, 0, 0])
    this.#chunk(
      'PLTE',
      shape.palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]),
    )
    const { transparent } = shape
    if (transparent !== undefined) this.#chunk('tRNS', [...new Array<number>(transparent).fill(255), 0])
    if (shape.text) this.#chunk('zTXt', packedText(shape.text, output))
    if (playback === 'animated') this.#control = this.#chunk('acTL', [...word(0), ...word(0)])
  }

  get bytes(): number {
    return this.#at
  }

  /**
   * @param pixels one byte each, line by line; must not be changed afterwards
   * @param time when it begins to be shown, ms
   */
  add(pixels: Uint8Array, time = 0): void {
    if (this.#shown && areEqual(this.#shown.pixels, pixels)) return
    this.#flush(time)
    this.#shown = { pixels, since: time }
  }

  /** @param time until when the last picture is shown, ms */
  end(time = 0): void {
    this.#flush(time)
    this.#chunk('IEND', [])
    if (this.#playback === 'still') return
    const end = this.#at
    this.#at = this.#control
    this.#chunk('acTL', [...word(this.#pictures), ...word(0)])
    this.#at = end
  }

  #flush(until: number): void {
    if (!this.#shown) return
    const { pixels, since } = this.#shown
    const { width, height } = this.#shape
    if (this.#playback === 'animated') {
      // Difference of rounded times, so that rounding errors do not add up.
      const [numerator, denominator] = delayFields(Math.round(until) - Math.round(since))
      this.#chunk('fcTL', [
        ...word(this.#sequence++),
        ...word(width),
        ...word(height),
        ...word(0),
        ...word(0),
        ...half(numerator),
        ...half(denominator),
        0,
        0,
      ])
    }
    const lines = new Uint8Array(height * (width + 1))
    for (let line = 0; line < height; line++)
      lines.set(pixels.subarray(line * width, (line + 1) * width), line * (width + 1) + 1)
    const data = this.#output.deflate(lines)
    if (this.#pictures++ === 0) this.#chunk('IDAT', data)
    else this.#chunk('fdAT', withSequence(this.#sequence++, data))
  }

  #chunk(name: string, data: ArrayLike<number>): number {
    const start = this.#at
    const chunk = new Uint8Array(12 + data.length)
    chunk.set(word(data.length))
    chunk.set(latin1(name), 4)
    chunk.set(data, 8)
    chunk.set(word(crc32(chunk.subarray(4, 8 + data.length))), 8 + data.length)
    this.#output.write(chunk, start)
    this.#at += chunk.length
    return start
  }

  #write(bytes: Uint8Array): void {
    this.#output.write(bytes, this.#at)
    this.#at += bytes.length
  }
}

function withSequence(sequence: number, data: Uint8Array): Uint8Array {
  const all = new Uint8Array(4 + data.length)
  all.set(word(sequence))
  all.set(data, 4)
  return all
}

const latin1 = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0) & 0xff)

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

function packedText({ keyword, text }: NonNullable<PngShape['text']>, { deflate }: PngOutput): Uint8Array {
  const packed = deflate(text)
  const data = new Uint8Array(keyword.length + 2 + packed.length)
  data.set(latin1(keyword))
  data.set(packed, keyword.length + 2)
  return data
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}

/** A time in seconds as a quotient of two 16-bit numbers: to the ms up to a minute, and coarser beyond. */
function delayFields(ms: number): [numerator: number, denominator: number] {
  for (const denominator of [1000, 100, 10]) {
    const numerator = Math.round((ms * denominator) / 1000)
    if (numerator <= MAX_DELAY_FIELD) return [numerator, denominator]
  }
  return [Math.min(Math.round(ms / 1000), MAX_DELAY_FIELD), 1]
}

const word = (value: number): number[] => [
  (value >>> 24) & 0xff,
  (value >>> 16) & 0xff,
  (value >>> 8) & 0xff,
  value & 0xff,
]
const half = (value: number): number[] => [(value >>> 8) & 0xff, value & 0xff]
