export class EndOfBytes extends Error {}

/** Little-endian; never reads past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.#bytes.length - this.at
  }

  /** @throws EndOfBytes */
  skip(count: number): number {
    const at = this.at
    if (!(count >= 0 && count <= this.left)) throw new EndOfBytes()
    this.at += count
    return at
  }

  u8(): number {
    return this.#view.getUint8(this.skip(1))
  }

  i8(): number {
    return this.#view.getInt8(this.skip(1))
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true)
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true)
  }

  /** Not exact above 2^53. */
  unsigned(count: number): number {
    let value = 0
    for (const byte of this.take(count).toReversed()) value = value * 256 + byte
    return value
  }

  uleb128(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80 || scale > 2 ** 70) return value
    }
  }

  sleb128(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80 || scale > 2 ** 70) return (byte & 0x40) === 0 ? value : value - scale * 128
    }
  }

  take(count: number): Uint8Array {
    const at = this.skip(count)
    return this.#bytes.subarray(at, at + count)
  }

  string(): string {
    const end = this.#bytes.indexOf(0, this.at)
    if (end < 0) throw new EndOfBytes()
    const text = new TextDecoder().decode(this.take(end - this.at))
    this.at++
    return text
  }
}
