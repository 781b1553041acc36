/**
 * Writes PNG files with a palette, still or animated (APNG), picture by picture. fast-png, which the rest of the app uses,
 * does not support animation.
 */
import { writeSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

export interface PngShape {
  readonly width: number
  readonly height: number
  /** 0xRRGGBB by pixel value. */
  readonly palette: readonly number[]
  /** The transparent pixel value. */
  readonly transparent?: number
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const INDEXED = 3
/** Of both fields of a picture's time, which is their quotient in seconds. */
const MAX_DELAY_FIELD = 0xffff

/** What is animated plays at the times of its pictures, ms, which must not decrease. */
export type Playback = 'still' | 'animated'

export class PngWriter {
  readonly #file: number
  readonly #shape: PngShape
  readonly #playback: Playback
  #at = 0
  /** Position of the chunk with the number of pictures, which is known only at the end. */
  #control = 0
  #sequence = 0
  #pictures = 0
  /** Written once it is known until when it is shown. */
  #shown: { readonly pixels: Uint8Array; readonly since: number } | undefined

  /** @param file an open file, empty */
  constructor(file: number, shape: PngShape, playback: Playback = 'still') {
    this.#file = file
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
    if (playback === 'animated') this.#control = this.#chunk('acTL', [...word(0), ...word(0)])
  }

  get bytes(): number {
    return this.#at
  }

  /**
   * @param pixels one byte each, line by line; must not be changed afterwards
   * @param time from when on it is shown, ms
   */
  add(pixels: Uint8Array, time = 0): void {
    if (this.#shown && Buffer.compare(this.#shown.pixels, pixels) === 0) return
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
      // Of the rounded times, so that the parts of a millisecond do not add up.
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
    const data = deflateSync(lines)
    // Programs without support for animation show the first picture.
    if (this.#pictures++ === 0) this.#chunk('IDAT', data)
    else this.#chunk('fdAT', Buffer.concat([Uint8Array.from(word(this.#sequence++)), data]))
  }

  /** Returns the position of the chunk. */
  #chunk(name: string, data: ArrayLike<number>): number {
    const start = this.#at
    const body = Buffer.concat([Buffer.from(name, 'latin1'), Uint8Array.from(data)])
    this.#write(Uint8Array.from(word(data.length)))
    this.#write(body)
    this.#write(Uint8Array.from(word(crc32(body))))
    return start
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;)
      from += writeSync(this.#file, bytes, from, bytes.length - from, this.#at + from)
    this.#at += bytes.length
  }
}

/** A time as the quotient of two numbers of 16 bits, in seconds: to the ms up to a minute, and coarser beyond. */
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
