/** Positions are in characters of a fixed-width font. */
import type { AddressRange } from '@shared/c64/address'
import { petsciiToText } from '@shared/c64/petscii'
import { screenCodeToText, type CharacterSet } from '@shared/c64/screenCodes'

export const rowLengths = [8, 16, 32] as const
export type RowBytes = (typeof rowLengths)[number]

const MAX_ROW_BYTES = 32
const GROUP_BYTES = 8

export type TextKind = 'petscii' | 'screen'

export interface TextColumn {
  /** `auto`: screen codes in the rows of the screen, PETSCII elsewhere. */
  readonly kind: TextKind | 'auto'
  readonly set: CharacterSet
  readonly screen: number
}

const SCREEN_SIZE = 1000

export const kindAt = ({ kind, screen }: TextColumn, address: number): TextKind =>
  kind !== 'auto' ? kind : address >= screen && address < screen + SCREEN_SIZE ? 'screen' : 'petscii'

/** In characters: two digits and a space for each byte, and a gap after every eighth. */
export const byteColumn = (index: number): number => index * 3 + Math.floor(index / GROUP_BYTES)

/** In characters. */
export const bytesWidth = (rowBytes: RowBytes): number => byteColumn(rowBytes - 1) + 2

/**
 * The nearest byte.
 * @param column in characters, with fractions
 */
export function byteAtColumn(column: number, rowBytes: RowBytes): number {
  const group = Math.floor((column + 0.5) / byteColumn(GROUP_BYTES))
  const inGroup = Math.floor((column - byteColumn(group * GROUP_BYTES) + 0.5) / 3)
  return Math.min(rowBytes - 1, Math.max(0, group * GROUP_BYTES + Math.min(GROUP_BYTES - 1, inGroup)))
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
export const hexByte = (byte: number): string => hexDigits[byte] ?? '??'

export function hexLine(bytes: ArrayLike<number>, rowBytes: RowBytes): string {
  let line = hexByte(bytes[0] ?? 0)
  for (let index = 1; index < rowBytes; index++)
    line += (index % GROUP_BYTES === 0 ? '  ' : ' ') + hexByte(bytes[index] ?? 0)
  return line
}

export const unknownLine = (rowBytes: RowBytes): string => hexLine([], rowBytes).replaceAll('0', '-')

const columns = Array.from({ length: 32 }, (_, index) => index)

export const headLine = (rowBytes: RowBytes): string => hexLine(columns, rowBytes).replaceAll(/\b0/g, ' ')

export const textHead = (rowBytes: RowBytes): string => '0123456789ABCDEF'.repeat(2).slice(0, rowBytes)

/** Only characters that every fixed-width font has: others would move the rest of the row. */
const inEveryFont = /^[\x20-\x7e£]$/

const characterTables = new Map<string, readonly string[]>()

function characters(kind: TextKind, set: CharacterSet): readonly string[] {
  const key = `${kind} ${set}`
  const known = characterTables.get(key)
  if (known) return known
  const table = Array.from({ length: 256 }, (_, code) => {
    const character = kind === 'screen' ? screenCodeToText(code, set) : petsciiToText(code, set)
    return character !== null && inEveryFont.test(character) ? character : '·'
  })
  characterTables.set(key, table)
  return table
}

/** A dot for what has no plain character. */
export function textLine(bytes: ArrayLike<number>, column: TextColumn, address: number, rowBytes: RowBytes): string {
  const table = characters(kindAt(column, address), column.set)
  let line = ''
  for (let index = 0; index < rowBytes; index++) line += table[bytes[index] ?? 0] ?? '·'
  return line
}

export const wholeRows = ({ start, end }: AddressRange): AddressRange => ({
  start: start - (start % MAX_ROW_BYTES),
  end: Math.ceil(end / MAX_ROW_BYTES) * MAX_ROW_BYTES,
})

export const rowCount = ({ start, end }: AddressRange, rowBytes: RowBytes): number => (end - start) / rowBytes

/** From 0. */
export const rowOf = (range: AddressRange, address: number, rowBytes: RowBytes): number =>
  Math.floor((address - range.start) / rowBytes)

/** Unchanged where `row` is visible, else with the row in the middle. */
export function firstRowFor(row: number, firstRow: number, visible: number, total: number): number {
  if (row >= firstRow && row < firstRow + visible) return firstRow
  return Math.min(Math.max(0, total - visible), Math.max(0, row - Math.floor(visible / 2)))
}

/**
 * Undefined for a key that does not move the cursor.
 * @param visible rows of a page
 */
export function moveCursor(
  address: number,
  key: string,
  ctrl: boolean,
  visible: number,
  { start, end }: AddressRange,
  rowBytes: RowBytes,
): number | undefined {
  const rowStart = address - (address % rowBytes)
  const page = Math.max(1, visible - 1) * rowBytes
  const keepColumn = (to: number): number =>
    to < start ? start + (address % rowBytes) : to >= end ? end - rowBytes + (address % rowBytes) : to
  switch (key) {
    case 'ArrowLeft':
      return Math.max(start, address - 1)
    case 'ArrowRight':
      return Math.min(end - 1, address + 1)
    case 'ArrowUp':
      return keepColumn(address - rowBytes)
    case 'ArrowDown':
      return keepColumn(address + rowBytes)
    case 'PageUp':
      return keepColumn(address - page)
    case 'PageDown':
      return keepColumn(address + page)
    case 'Home':
      return ctrl ? start : rowStart
    case 'End':
      return ctrl ? end - 1 : rowStart + rowBytes - 1
    default:
      return undefined
  }
}
