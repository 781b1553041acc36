/** How the bytes of a row are kept in the file. The codec is a number so that others can follow. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const PLAIN = 0
const DEFLATED = 1

export interface Packed {
  readonly codec: number
  readonly data: Uint8Array
}

/** Below this deflate gains less than it costs, bytes. */
const WORTH_DEFLATING = 96

export function pack(bytes: Uint8Array, level = 1): Packed {
  if (bytes.length >= WORTH_DEFLATING) {
    const deflated = deflateRawSync(bytes, { level })
    if (deflated.length < bytes.length) return { codec: DEFLATED, data: deflated }
  }
  return { codec: PLAIN, data: bytes }
}

/**
 * @param most bytes that it may unpack to
 * @throws an Error when it is damaged
 */
export function unpack({ codec, data }: Packed, most: number): Uint8Array {
  if (codec === DEFLATED) return inflateRawSync(data, { maxOutputLength: most })
  if (codec === PLAIN) return data
  throw new RangeError(`codec ${codec} is not known`)
}
