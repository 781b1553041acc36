import { formatRange, type AddressRange } from '@shared/c64/address'
import { counted } from '@shared/countedText'

export interface Selection {
  readonly anchor: number
  /** Once the cursor is moved by anything else, nothing is selected. */
  readonly cursor: number
}

/** Null for less than two bytes. */
export function selectedRange(selection: Selection | null, cursor: number): AddressRange | null {
  if (selection?.cursor !== cursor || selection.anchor === cursor) return null
  const { anchor } = selection
  return { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) + 1 }
}

/** Begins at the cursor where nothing is selected. */
export const extended = (selection: Selection | null, cursor: number, to: number): Selection => ({
  anchor: selection?.cursor === cursor ? selection.anchor : cursor,
  cursor: to,
})

export const selectedText = (selected: AddressRange): string =>
  `${formatRange(selected)}, ${counted(selected.end - selected.start, 'byte')}`
