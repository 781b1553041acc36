/** The bytes that are selected in a grid, from where the selection began to the cursor. */
import { formatRange, type AddressRange } from '@shared/c64/address'
import { counted } from '@shared/countedText'

export interface Selection {
  /** Where it began. */
  readonly anchor: number
  /** Where the cursor stood then: once it is moved by anything else, nothing is selected. */
  readonly cursor: number
}

/** What is selected while the cursor stands there; null for less than two bytes. */
export function selectedRange(selection: Selection | null, cursor: number): AddressRange | null {
  if (selection?.cursor !== cursor || selection.anchor === cursor) return null
  const { anchor } = selection
  return { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) + 1 }
}

/** The selection that goes on to another byte; it begins at the cursor where there is none. */
export const extended = (selection: Selection | null, cursor: number, to: number): Selection => ({
  anchor: selection?.cursor === cursor ? selection.anchor : cursor,
  cursor: to,
})

/** `$0400-$040F, 16 bytes` */
export const selectedText = (selected: AddressRange): string =>
  `${formatRange(selected)}, ${counted(selected.end - selected.start, 'byte')}`
