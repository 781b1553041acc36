/** The codec is a number, so that others can be added. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const PLAIN = 0
const DEFLATED = 1

export interface Packed {
  readonly codec: number
  readonly data: Uint8Array
}

const MIN_DEFLATE_BYTES = 96

export function pack(bytes: Uint8Array, level = 1): Packed {
  if (bytes.length >= MIN_DEFLATE_BYTES) {
    const deflated = deflateRawSync(bytes, { level })
    if (deflated.length < bytes.length) return { codec: DEFLATED, data: deflated }
  }
  return { codec: PLAIN, data: bytes }
}

/**
 * @param maxBytes maximum unpacked size
 * @throws Error where the data is damaged
 */
export function unpack({ codec, data }: Packed, maxBytes: number): Uint8Array {
  if (codec === DEFLATED) return inflateRawSync(data, { maxOutputLength: maxBytes })
  if (codec === PLAIN) return data
  throw new RangeError(`unknown codec ${codec}`)
}
