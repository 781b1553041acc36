/**
 * For each run the distance from the end of the last one (varint), its length (varint), its bytes. A whole image is
 * encoded as its difference to an empty one.
 */

/** `end` is exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** @param ranges ascending and not touching */
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
 * @param size of the image, bytes
 * @throws RangeError where `data` is malformed or does not fit into the image
 */
export function eachRun(
  data: Uint8Array,
  size: number,
  onRun: (start: number, length: number, from: number) => void,
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
    onRun(address, length, at)
    address += length
    at += length
  }
}

/**
 * At most 28 bits, seven per byte, low bits first.
 * @returns the position after it
 */
export function putVarint(out: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    out[at++] = (value & 0x7f) | 0x80
    value >>>= 7
  }
  out[at++] = value
  return at
}
