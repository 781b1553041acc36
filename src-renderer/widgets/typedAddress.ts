import {
  describeAddress,
  formatRange,
  formatAddress,
  parseAddressRange,
  parseTypedAddress,
  type AddressParser,
  type AddressRange,
} from '@shared/c64/address'
import { builtInNames, type Names } from '@shared/c64/labels/names'

export function understood(texts: readonly string[], names: Names = builtInNames): string {
  const ranges = texts.map((text) => rangeOf(text, parseTypedAddress, names))
  return ranges.every((range) => range !== null) ? ranges.map((range) => describeRange(range, names)).join(', ') : ''
}

export function understoodAddress(text: string, names: Names = builtInNames): string {
  const address = addressOf(text, parseTypedAddress, names)
  return address === null ? '' : describeAddress(address, names)
}

export function respellAddress(
  text: string,
  from: AddressParser,
  to: AddressParser,
  names: Names = builtInNames,
): string {
  const meant = addressOf(text, from, names)
  return meant === null || addressOf(text, to) === meant ? text : formatAddress(meant)
}

function addressOf(text: string, parse: AddressParser, names: Names = builtInNames): number | null {
  try {
    return parse(text, names)
  } catch {
    return null
  }
}

/**
 * The same address or range, spelt so that `to` reads it as `from` does; unchanged where both agree or `from` cannot
 * read it.
 * @param names that only `from` knows
 */
export function respell(text: string, from: AddressParser, to: AddressParser, names: Names = builtInNames): string {
  const meant = rangeOf(text, from, names)
  if (meant === null) return text
  const read = rangeOf(text, to)
  return read?.start === meant.start && read.end === meant.end ? text : formatRange(meant)
}

function rangeOf(text: string, parse: AddressParser, names: Names = builtInNames): AddressRange | null {
  try {
    return parseAddressRange(text, parse, names)
  } catch {
    return null
  }
}

function describeRange(range: AddressRange, names: Names): string {
  const length = range.end - range.start
  return length === 1 ? describeAddress(range.start, names) : `${formatRange(range)} (${length} bytes)`
}
