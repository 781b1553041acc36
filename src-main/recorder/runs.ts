/**
 * Changed bytes as sparse runs: for each run how many bytes lie between it and the one before (varint), its length
 * (varint), its bytes. The same form tells a whole image, as its difference to one of which nothing is known.
 */

/** Where something starts and, exclusively, ends. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** @param ranges in `bytes`, ascending and apart */
export function encodeRuns(bytes: Uint8Array, ranges: readonly Range[]): Uint8Array {
  let size = 0
  for (const { start, end } of ranges) size += end - start + 10
  const out = new Uint8Array(size)
  let at = 0
  let last = 0
  for (const { start, end } of ranges) {
    at = putVarint(out, at, start - last)
    at = putVarint(out, at, end - start)
    out.set(bytes.subarray(start, end), at)
    at += end - start
    last = end
  }
  return out.subarray(0, at)
}

/**
 * Tells each run as where its bytes go in the image and where they are in `data`.
 * @param size of the image, bytes
 * @throws RangeError when `data` is no runs, or some that do not fit into the image.
 */
export function eachRun(
  data: Uint8Array,
  size: number,
  tell: (start: number, length: number, from: number) => void,
): void {
  let at = 0
  let address = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = data[at++]
      if (byte === undefined) break
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new RangeError('a run ends early')
  }
  while (at < data.length) {
    address += varint()
    const length = varint()
    if (address + length > size || at + length > data.length) throw new RangeError('a run goes past the end')
    tell(address, length, at)
    address += length
    at += length
  }
}

/** Appends a number of at most 28 bits, seven bits a byte, the low ones first. Returns where the next one goes. */
export function putVarint(out: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    out[at++] = (value & 0x7f) | 0x80
    value >>>= 7
  }
  out[at++] = value
  return at
}
