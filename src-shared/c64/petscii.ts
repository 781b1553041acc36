import { screenCodeToText, textToScreenCode, type CharacterSet } from './screenCodes'

/** Substitutes for characters that the C64 lacks: the one at its ASCII place, or one that looks like it. */
export const substitutes: Readonly<Record<string, string>> = {
  '\\': '£',
  '^': '↑',
  _: '←',
  '`': '←',
  '~': 'π',
  '|': '│',
  '\t': ' ',
  '\u00a0': ' ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
}

const RETURN = 0x0d
const SHIFTED_A = 0xc1

/**
 * Text as typed on a C64: a small letter is the key alone ($41 to $5A, shown as a capital after power-on), a capital
 * the key with SHIFT ($C1 to $DA), a line end RETURN ($0D). Graphics characters are those of the `upper` set. A
 * character without a code becomes a question mark.
 */
export function textToPetscii(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.replaceAll(/\r\n?/g, '\n'), characterToPetscii)
}

function characterToPetscii(character: string): number {
  if (character === '\n') return RETURN
  if (character >= 'A' && character <= 'Z') return character.charCodeAt(0) - 0x41 + SHIFTED_A
  const code = textToScreenCode(substitutes[character] ?? character)
  return code === null ? 0x3f : screenCodeToPetscii(code)
}

/** Bit 7 (reverse) is ignored. */
export function screenCodeToPetscii(code: number): number {
  const glyph = code & 0x7f
  if (glyph < 0x20) return glyph + 0x40
  if (glyph < 0x40) return glyph
  if (glyph < 0x60) return glyph + 0x80
  return glyph + 0x40
}

/** Null for the control codes ($00-$1F, $80-$9F), which print nothing. */
export function petsciiToScreenCode(code: number): number | null {
  if ((code & 0x7f) < 0x20) return null
  if (code < 0x40) return code
  if (code < 0x60) return code - 0x40
  if (code < 0x80) return code - 0x20
  if (code < 0xc0) return code - 0x40
  return code === 0xff ? 0x5e : code - 0x80
}

/** The character that a PETSCII code prints; null for a control code. */
export function petsciiToText(code: number, set: CharacterSet): string | null {
  const screenCode = petsciiToScreenCode(code)
  return screenCode === null ? null : screenCodeToText(screenCode, set)
}
