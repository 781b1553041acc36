import { crc32 } from 'node:zlib'
import { spaces, type Space } from '@shared/contract/memory'
import { eachRun, type Range } from './runs'

const PAGE_BYTES = 256
const SPACE_BYTES = 0x10000
const PICTURE_BYTES = (384 * 272) / 2

export const chains = { cpu: 0, ram: 1, rom: 2, io: 3, colorRam: 4, picture: 5 } as const satisfies Record<
  Space | 'picture',
  number
>
export type Chain = keyof typeof chains

export const chainNames: readonly Chain[] = [...spaces, 'picture']

export const sizeOf = (chain: Chain): number => (chain === 'picture' ? PICTURE_BYTES : SPACE_BYTES)

export class Image {
  readonly bytes: Buffer
  readonly #known: Uint8Array
  readonly #knownInPage: Uint16Array
  #low: number
  #high = 0

  constructor(size: number) {
    this.bytes = Buffer.alloc(size)
    this.#known = new Uint8Array(size)
    this.#knownInPage = new Uint16Array(Math.ceil(size / PAGE_BYTES))
    this.#low = size
  }

  /** Covers the bytes from the first to the last known one. */
  get checksum(): number {
    return this.#low < this.#high ? crc32(this.bytes.subarray(this.#low, this.#high)) : 0
  }

  /** @returns the ranges that changed or became known, ascending */
  update(segments: readonly { readonly address: number; readonly bytes: Uint8Array }[]): Range[] {
    const changed: Range[] = []
    for (const { address, bytes } of segments) this.#updateOne(address, bytes, changed)
    return segments.length > 1 ? merged(changed) : changed
  }

  /** @throws RangeError for runs that do not fit */
  apply(runs: Uint8Array): void {
    eachRun(runs, this.bytes.length, (start, length, from) => this.#put(start, runs.subarray(from, from + length)))
  }

  at(address: number): number | undefined {
    return this.#known[address] === 1 ? this.bytes[address] : undefined
  }

  knownRanges(): Range[] {
    const ranges: Range[] = []
    let at = this.#low
    while (at < this.#high) {
      const end = this.#known.indexOf(0, at)
      if (end !== at) ranges.push({ start: at, end: end < 0 ? this.bytes.length : end })
      if (end < 0) break
      const next = this.#known.indexOf(1, end)
      if (next < 0) break
      at = next
    }
    return ranges
  }

  #updateOne(address: number, fresh: Uint8Array, changed: Range[]): void {
    const { bytes } = this
    const end = Math.min(address + fresh.length, bytes.length)
    let start = -1
    for (let at = address; at < end;) {
      const pageEnd = Math.min(end, (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES)
      if (this.#isPageKnown(at) && bytes.compare(fresh, at - address, pageEnd - address, at, pageEnd) === 0) {
        if (start >= 0) changed.push({ start, end: at })
        start = -1
        at = pageEnd
        continue
      }
      for (; at < pageEnd; at++) {
        const isSame = bytes[at] === fresh[at - address] && this.#known[at] === 1
        if (isSame && start >= 0) {
          changed.push({ start, end: at })
          start = -1
        } else if (!isSame && start < 0) start = at
      }
    }
    if (start >= 0) changed.push({ start, end })
    this.#put(address, fresh.subarray(0, end - address))
  }

  #isPageKnown(address: number): boolean {
    return this.#knownInPage[address >> 8] === PAGE_BYTES
  }

  #put(start: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, start)
    const end = start + bytes.length
    if (bytes.length > 0) {
      this.#low = Math.min(this.#low, start)
      this.#high = Math.max(this.#high, end)
    }
    for (let at = start; at < end;) {
      const pageEnd = Math.min(end, (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES)
      if (!this.#isPageKnown(at)) {
        for (let address = at; address < pageEnd; address++) {
          if (this.#known[address] === 0) this.#knownInPage[address >> 8] = (this.#knownInPage[address >> 8] ?? 0) + 1
          this.#known[address] = 1
        }
      }
      at = pageEnd
    }
  }
}

function merged(ranges: readonly Range[]): Range[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
