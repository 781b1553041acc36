import { AppError } from '../../contract/errors'
import { screenCodeToPetscii, substitutes } from '../petscii'
import { textToScreenCode } from '../screenCodes'
import { checked, exactly, fitting, type BytePattern } from './bytePattern'

export const textCodes = ['petscii', 'screen', 'ascii'] as const
export type TextCode = (typeof textCodes)[number]

const anyByte = fitting(() => true)

/** Letters match in both cases, screen codes also reversed; `?` is any character. Throws INVALID. */
export function textPattern(text: string, code: TextCode): BytePattern {
  return checked(
    Array.from(text, (character) => {
      if (character === '?') return anyByte
      const bytes = bytesOf[code](character)
      if (bytes.length > 0) return exactly(...bytes)
      throw new AppError('INVALID', `The C64 has no “${character}”.`, { hint: 'Write ? for any character.' })
    }),
  )
}

export const hasText = (text: string, code: TextCode): boolean =>
  Array.from(text).every((character) => character === '?' || bytesOf[code](character).length > 0)

const bytesOf: Readonly<Record<TextCode, (character: string) => number[]>> = {
  screen: (character) => screenCodesOf(character).flatMap((code) => [code, code | 0x80]),
  petscii: (character) =>
    screenCodesOf(character).flatMap((code) => {
      const petscii = screenCodeToPetscii(code)
      // The KERNAL takes $60-$7F for $C0-$DF.
      return petscii >= 0xc0 && petscii < 0xe0 ? [petscii, petscii - 0x60] : [petscii]
    }),
  ascii: (character) =>
    [character.toLowerCase(), character.toUpperCase()]
      .map((each) => each.codePointAt(0) ?? Infinity)
      .filter((code) => code < 0x80),
}

function screenCodesOf(character: string): number[] {
  const code = textToScreenCode(substitutes[character] ?? character)
  if (code === null) return []
  // In the set with small letters, capitals stand 64 after the small ones.
  const isLetter = code >= 1 && code <= 26
  return isLetter ? [code, code + 0x40] : [code]
}
