import { AppError } from '../contract/errors'
import { builtInNames, type NamedAddress, type Names } from './labels/names'
import { regions } from './memoryMap'

const MEMORY_SIZE = 0x10000

export const formatAddress = (address: number): string => `$${address.toString(16).toUpperCase().padStart(4, '0')}`

export const formatByte = (byte: number): string => `$${byte.toString(16).toUpperCase().padStart(2, '0')}`

export const formatChange = ({ from, to }: { readonly from: number | null; readonly to: number }): string =>
  `${from === null ? '?' : formatByte(from)} → ${formatByte(to)}`

const hint = 'Write it as $d020, 0xd020, +53280, %1101000000100000 or a register name such as VIC.BORDER.'

/** Reads an address, 0 to $FFFF; `names` are those of every C64 unless others are given. Throws INVALID. */
export type AddressParser = (text: string, names?: Names) => number

/**
 * As in files, JSON and arguments of tasks: `$d020`, `0xd020`, `53280`, `+53280`, `%1101…`, or a label or register
 * name, also with a distance: `draw+12`, `tab-$10`. Digits alone are decimal; without a sign a number is hexadecimal
 * only if it has a letter a to f and no label has that name.
 */
export const parseAddress: AddressParser = (text, names = builtInNames) =>
  readAddress(text, names, (digits) => Number.parseInt(digits, 10))

/** As typed in the window: up to four digits alone, and digits that begin with 0, are hexadecimal. */
export const parseTypedAddress: AddressParser = (text, names = builtInNames) =>
  readAddress(text, names, (digits) => Number.parseInt(digits, digits.length <= 4 || digits.startsWith('0') ? 16 : 10))

/** As `parseAddress`, but refuses `0427`, which could be $0427 as well as 427. */
export const parseUnambiguousAddress: AddressParser = (text, names = builtInNames) =>
  readAddress(text, names, (digits) => {
    const decimal = Number.parseInt(digits, 10)
    if (!digits.startsWith('0') || decimal === Number.parseInt(digits, 16)) return decimal
    throw new AppError(
      'INVALID',
      `“${shorten(digits)}” could be $${shorten(digits)} or ${decimal} (${formatAddress(decimal)}).`,
      {
        hint: `Write $${shorten(digits)} for hexadecimal, or ${decimal} for decimal.`,
      },
    )
  })

function readAddress(text: string, names: Names, readDigits: (digits: string) => number): number {
  const typed = text.trim()
  if (typed === '') throw new AppError('INVALID', 'There is no address.', { hint })
  const [named, ...others] = names.find(typed)
  if (named && others.length > 0)
    throw new AppError('INVALID', `“${shorten(typed)}” could be ${listNames([named, ...others])}.`, { hint })
  const address =
    named?.address ?? (/^\d+$/.test(typed) ? readDigits(typed) : (parseNumber(typed) ?? nearName(typed, names)))
  if (address === undefined)
    throw new AppError('INVALID', `“${shorten(typed)}” is not an address, a label or a register.`, { hint })
  if (address < 0 || address >= MEMORY_SIZE) {
    const where = address < 0 ? 'before the beginning' : 'past the end'
    throw new AppError('INVALID', `“${shorten(typed)}” is ${where} of memory.`, {
      hint: 'The C64’s memory goes from $0000 to $FFFF (0 to 65535).',
    })
  }
  return address
}

/** `draw+12`, `tab-$10`: a name and a distance, decimal unless marked otherwise. Throws INVALID. */
function nearName(typed: string, names: Names): number | undefined {
  const [, name, sign, distance] = /^(.*\S)\s*([+-])\s*(\d{1,9}|(?:\$|0x)[0-9a-f]{1,8})$/i.exec(typed) ?? []
  if (name === undefined || distance === undefined || names.find(name).length === 0) return undefined
  const bytes = parseNumber(distance.replace(/^(?=\d+$)/, '+')) ?? 0
  return parseAddress(name, names) + (sign === '-' ? -bytes : bytes)
}

const MAX_LISTED = 5

function listNames(found: readonly NamedAddress[]): string {
  const isUnique = new Set(found.map(({ name }) => name)).size === found.length
  const listed = found
    .slice(0, MAX_LISTED)
    .map(({ name, address }) => (isUnique ? name : `${name} at ${formatAddress(address)}`))
  return [...listed, ...(found.length > MAX_LISTED ? [`${found.length - MAX_LISTED} more`] : [])].join(' or ')
}

function parseNumber(typed: string): number | undefined {
  const [, hexadecimal] = /^(?:\$|0x)([0-9a-f]+)$/i.exec(typed) ?? []
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16)
  const [, binary] = /^%([01]+)$/.exec(typed) ?? []
  if (binary !== undefined) return Number.parseInt(binary, 2)
  const [, decimal] = /^\+(\d+)$/.exec(typed) ?? []
  if (decimal !== undefined) return Number.parseInt(decimal, 10)
  return /^(?:[0-9a-f]{1,4}|0[0-9a-f]+)$/i.test(typed) ? Number.parseInt(typed, 16) : undefined
}

export const describeAddress = (address: number, names: Names = builtInNames): string =>
  [formatAddress(address), address, names.at(address)?.name].filter((part) => part !== undefined).join(' = ')

/** Reads `$1f`, `1f` or `0x1f`; digits alone are hexadecimal. Throws INVALID. */
export function parseHexValue(text: string, { name, bits }: { readonly name: string; readonly bits: number }): number {
  const hint = `Write it in hexadecimal, $00 to ${bits > 8 ? '$FFFF' : '$FF'}.`
  const [, digits] = /^\s*(?:\$|0x)?([0-9a-f]{1,8})\s*$/i.exec(text) ?? []
  if (digits === undefined) throw new AppError('INVALID', `“${text.slice(0, 40)}” is no value for ${name}.`, { hint })
  const value = Number.parseInt(digits, 16)
  if (value >= 1 << bits)
    throw new AppError('INVALID', `${formatByte(value)} is too large for ${name}, which has ${bits} bits.`, { hint })
  return value
}

export interface AddressRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/**
 * `$0400-$07E7` or `$0400..$07E7` with both ends (`tab..tab+8`), `$0400+1000` with a length, `$D020` alone, or a region of the memory
 * map such as `SID`, unless the program has a label of that name. Throws INVALID.
 */
export function parseAddressRange(
  text: string,
  parse: AddressParser = parseAddress,
  names: Names = builtInNames,
): AddressRange {
  const region = regionNamed(text.trim(), names)
  if (region) return region
  const [, first = text, separator, rest = ''] =
    /^(.+?)(\.\.)(.*)$/.exec(text.trim()) ?? /^(.+?)(-|\+)(.*)$/.exec(text.trim()) ?? []
  if (/\.\./.test(rest) || (separator !== '..' && /[-+]/.test(rest.replace(/^\s*\+/, '')))) {
    throw new AppError('INVALID', `“${shorten(text)}” is not a range.`, { hint: 'Write a range as $c000-$c0ff.' })
  }
  const start = parse(first, names)
  // A length after `+` is decimal, however addresses are read.
  const end =
    separator === undefined ? start + 1 : separator === '+' ? start + parseAddress(rest) : parse(rest, names) + 1
  if (end <= start) {
    throw new AppError('INVALID', `“${shorten(text)}” ends before it starts.`, {
      hint: 'Write the lower address first.',
    })
  }
  if (end > MEMORY_SIZE)
    throw new AppError('INVALID', `“${shorten(text)}” goes past ${formatAddress(MEMORY_SIZE - 1)}.`)
  return { start, end }
}

function regionNamed(name: string, names: Names): AddressRange | undefined {
  const region = regions.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const isLabel = names.find(name).some(({ address }) => names.programLabelsAt(address).length > 0)
  return region && !isLabel ? { start: region.start, end: region.end + 1 } : undefined
}

export const formatRange = ({ start, end }: AddressRange): string =>
  end === start + 1 ? formatAddress(start) : `${formatAddress(start)}-${formatAddress(end - 1)}`

/**
 * Two digits a byte, with spaces and commas between at will, and `$` or `0x` allowed before each. A group of one digit
 * is one byte (`0 1` is $00 $01); a longer group needs an even number of digits. Throws INVALID.
 */
export function parseHexBytes(text: string): Uint8Array<ArrayBuffer> {
  const groups = text
    .replaceAll(/\$|0x/gi, ' ')
    .split(/[\s,]+/)
    .filter((group) => group !== '')
  if (groups.length === 0) throw new AppError('INVALID', 'There are no bytes.', { hint: byteHint })
  return Uint8Array.from(groups.flatMap(parseGroup))
}

const byteHint = 'Write bytes in hexadecimal, two digits each: a9 00 8d 20 d0.'

function parseGroup(group: string): number[] {
  const wrong = /[^0-9a-f]/i.exec(group)
  if (wrong)
    throw new AppError('INVALID', `“${shorten(group)}” is not hexadecimal: “${wrong[0]}” is no hex digit.`, {
      hint: byteHint,
    })
  if (group.length === 1) return [Number.parseInt(group, 16)]
  if (group.length % 2 === 1) {
    throw new AppError('INVALID', `“${shorten(group)}” has an odd number of hex digits, and a byte takes two.`, {
      hint: byteHint,
    })
  }
  return (group.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
