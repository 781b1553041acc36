export type SourceItem =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'constant'; readonly name: string; readonly value: number }
  | { readonly kind: 'label'; readonly name: string }
  | {
      readonly kind: 'row'
      readonly bytes: ArrayLike<number>
      readonly arePixels: boolean
    }

export type PlacedItem = SourceItem & {
  /** Byte offset in the text. */
  readonly offset: number
}

export class ByteList {
  #bytes = new Uint8Array(16)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(byte: number): void {
    this.#grow(1)
    this.#bytes[this.#length++] = byte
  }

  append(bytes: ArrayLike<number>): void {
    this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  first(count: number): Uint8Array {
    return this.#bytes.slice(0, Math.min(count, this.#length))
  }

  whole = (): Uint8Array => this.first(this.#length)

  #grow(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#length + more, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

export const note = (text: string): SourceItem => ({ kind: 'note', text })
export const constant = (name: string, value: number): SourceItem => ({ kind: 'constant', name, value })
export const label = (name: string): SourceItem => ({ kind: 'label', name })

export function rows(bytes: ArrayLike<number>, each: number, arePixels = false): SourceItem[] {
  const all: SourceItem[] = []
  for (let from = 0; from < bytes.length; from += each)
    all.push({
      kind: 'row',
      arePixels,
      bytes: Array.from({ length: Math.min(each, bytes.length - from) }, (_, at) => bytes[from + at] ?? 0),
    })
  return all
}
