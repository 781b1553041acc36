/**
 * Screen codes: what a byte of screen memory shows. Bit 7 is reverse video in the ROM's character sets; bits 0 to 6
 * choose one of 128 glyphs. Pictures are from Unicode's Symbols for Legacy Computing where no older character fits.
 */

/** `upper`: capitals and graphics, as after power-on. `lower`: small and capital letters. */
export type CharacterSet = 'upper' | 'lower'

const CODES = 128

const ascii = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index))
const glyphs = (hex: string): string[] => hex.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)))

const upper: readonly string[] = [
  '@',
  ...ascii(0x41, 0x5a),
  '[',
  '£',
  ']',
  '↑',
  '←',
  ...ascii(0x20, 0x3f),
  ...glyphs('2500 2660 1fb72 1fb78 1fb77 1fb76 1fb7a 1fb71 1fb74 256e 2570 256f 1fb7c 2572 2571 1fb7d'),
  ...glyphs('1fb7e 25cf 1fb7b 2665 1fb70 256d 2573 25cb 2663 1fb75 2666 253c 1fb8c 2502 3c0 25e5'),
  ...glyphs('20 258c 2584 2594 2581 258f 2592 2595 1fb8f 25e4 1fb87 251c 2597 2514 2510 2582'),
  ...glyphs('250c 2534 252c 2524 258e 258d 1fb88 1fb82 1fb83 2583 1fb7f 2596 259d 2518 2598 259a'),
]

const lowerOnly: readonly (readonly [code: number, character: string])[] = [
  ...ascii(0x61, 0x7a).map((letter, index) => [index + 1, letter] as const),
  ...ascii(0x41, 0x5a).map((letter, index) => [0x41 + index, letter] as const),
  [0x5e, '\u{1fb95}'] as const,
  [0x5f, '\u{1fb98}'] as const,
  [0x69, '\u{1fb99}'] as const,
  [0x7a, '✓'] as const,
]
const lower: readonly string[] = upper.map((character, code) => {
  return lowerOnly.find(([changed]) => changed === code)?.[1] ?? character
})

const tables: Readonly<Record<CharacterSet, readonly string[]>> = { upper, lower }

/**
 * `code` is 0 to 255. Reverse video is not shown, except that a reversed space, which is also the cursor, is a full
 * block.
 */
export function screenCodeToText(code: number, set: CharacterSet): string {
  const character = tables[set][code & (CODES - 1)] ?? ' '
  return code >= CODES && character === ' ' ? '█' : character
}

/** 0 to 127, in the `upper` set; small letters are read as capitals. */
export function textToScreenCode(character: string): number | null {
  const code = upper.indexOf(character >= 'a' && character <= 'z' ? character.toUpperCase() : character)
  return code < 0 ? null : code
}

const COLUMNS = 40
const ROWS = 25

export function screenToText(screen: Uint8Array, set: CharacterSet): string[] {
  return Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => screenCodeToText(screen[row * COLUMNS + column] ?? 0x20, set)).join(
      '',
    ),
  )
}
