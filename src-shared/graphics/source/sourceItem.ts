/** What a source text with graphics consists of, in whichever dialect it is written. */

export type SourceItem =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'constant'; readonly name: string; readonly value: number }
  | { readonly kind: 'label'; readonly name: string }
  | {
      readonly kind: 'row'
      readonly bytes: readonly number[]
      /** Bits that are pixels: those are what is shown in binary. */
      readonly arePixels: boolean
    }

export type PlacedItem = SourceItem & {
  /** In the text, byte offset. */
  readonly offset: number
}

/** However many there are in one line of a hostile text. */
export function append(to: number[], bytes: readonly number[]): void {
  for (const byte of bytes) to.push(byte)
}

export const note = (text: string): SourceItem => ({ kind: 'note', text })
export const constant = (name: string, value: number): SourceItem => ({ kind: 'constant', name, value })
export const label = (name: string): SourceItem => ({ kind: 'label', name })

/** As rows of so many bytes. */
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
