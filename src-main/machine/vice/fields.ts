import { AppError } from '@shared/contract/errors'

export const u8 = (value: number): Uint8Array => Uint8Array.of(value)
export const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8)
export const u32 = (value: number): Uint8Array =>
  Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)

export function shortText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > 255) throw new AppError('INVALID', `The text has ${bytes.length} bytes; VICE takes at most 255.`)
  return concat([u8(bytes.length), bytes])
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export const malformed = (does: string): AppError =>
  new AppError('INTERNAL', `VICE’s answer to “${does}” does not follow its protocol.`)

/** @throws AppError INTERNAL where the body is too short */
export class Fields {
  readonly #body: Uint8Array
  readonly #does: string
  #at = 0

  constructor(body: Uint8Array, does: string) {
    this.#body = body
    this.#does = does
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#body.length) throw malformed(this.#does)
    const bytes = this.#body.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  skip(count: number): void {
    this.bytes(count)
  }

  #view(count: number): DataView {
    const { buffer, byteOffset } = this.bytes(count)
    return new DataView(buffer, byteOffset, count)
  }

  u8(): number {
    return this.#view(1).getUint8(0)
  }

  u16(): number {
    return this.#view(2).getUint16(0, true)
  }

  u32(): number {
    return this.#view(4).getUint32(0, true)
  }

  i32(): number {
    return this.#view(4).getInt32(0, true)
  }

  text(length: number): string {
    return new TextDecoder().decode(this.bytes(length))
  }

  shortText(): string {
    return this.text(this.u8())
  }

  /** A count and that many items; each starts with its size, as later versions append fields. */
  list<Item>(parse: (item: Fields) => Item): Item[] {
    return Array.from({ length: this.u16() }, () => parse(new Fields(this.bytes(this.u8()), this.#does)))
  }
}
