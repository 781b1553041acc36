import { AppError } from '../../contract/errors'

/** 1 at the index of each byte that fits at one place of a pattern. */
export type FittingBytes = Uint8Array
export type BytePattern = readonly FittingBytes[]

export const MAX_PATTERN_BYTES = 128

export const fitting = (fits: (byte: number) => boolean): FittingBytes =>
  Uint8Array.from({ length: 256 }, (_, byte) => (fits(byte) ? 1 : 0))

export const exactly = (...bytes: readonly number[]): FittingBytes => fitting((byte) => bytes.includes(byte))

const hint = 'Write bytes in hexadecimal, two digits each, and ? for any digit: a9 ?? 8d 2? d0.'

/**
 * `a9 ?? 8d 2? d0`: two hex digits each, `?` for any digit; spaces, commas and `$` between them at will. Throws
 * INVALID.
 */
export function parseBytePattern(text: string): BytePattern {
  const digits = text.replaceAll(/\$|0x|[\s,]/gi, '')
  const wrong = /[^0-9a-f?]/i.exec(digits)
  if (wrong) throw new AppError('INVALID', `“${wrong[0]}” is no hex digit.`, { hint })
  if (digits === '') throw new AppError('INVALID', 'There are no bytes to search for.', { hint })
  if (digits.length % 2 === 1) throw new AppError('INVALID', 'A byte takes two digits, and one is missing.', { hint })
  return checked((digits.match(/../g) ?? []).map(fittingDigits))
}

function fittingDigits(digits: string): FittingBytes {
  const pattern = new RegExp(`^${digits.replaceAll('?', '.')}$`, 'i')
  return fitting((byte) => pattern.test(byte.toString(16).padStart(2, '0')))
}

export function checked(pattern: BytePattern): BytePattern {
  if (pattern.length > MAX_PATTERN_BYTES)
    throw new AppError('INVALID', `${pattern.length} bytes are too many to search for.`, {
      hint: `Search for ${MAX_PATTERN_BYTES} bytes at most.`,
    })
  if (pattern.every((place) => !place.includes(0)))
    throw new AppError('INVALID', 'Everything fits this.', { hint: 'Give at least one byte that must be there.' })
  return pattern
}

/** Whether the pattern stands at `at`; false where it would go past the end. */
export function fitsAt(bytes: Uint8Array, at: number, pattern: BytePattern): boolean {
  for (let offset = 0; offset < pattern.length; offset++) {
    if (pattern[offset]?.[bytes[at + offset] ?? -1] !== 1) return false
  }
  return true
}
