/** Addresses and ranges as they are typed into fields. */
import {
  describeAddress,
  formatRange,
  parseAddressRange,
  parseTypedAddress,
  type AddressParser,
  type AddressRange,
} from '@shared/c64/address'

/** What is understood of typed addresses and ranges, to be shown while one types; empty where that is nothing. */
export function understood(...texts: readonly string[]): string {
  const ranges = texts.map((text) => rangeOf(text, parseTypedAddress))
  return ranges.every((range) => range !== null) ? ranges.map(describeRange).join(', ') : ''
}

/** The same address or range so that `to` reads it as `from` does; as it is written where both do, or `from` cannot. */
export function respell(text: string, from: AddressParser, to: AddressParser): string {
  const meant = rangeOf(text, from)
  if (meant === null) return text
  const read = rangeOf(text, to)
  return read?.start === meant.start && read.end === meant.end ? text : formatRange(meant)
}

function rangeOf(text: string, parse: AddressParser): AddressRange | null {
  try {
    return parseAddressRange(text, parse)
  } catch {
    return null
  }
}

function describeRange(range: AddressRange): string {
  const length = range.end - range.start
  return length === 1 ? describeAddress(range.start) : `${formatRange(range)} (${length} bytes)`
}
