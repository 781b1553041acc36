/** What a picture says: the text on its screen and the colour of its border. */
import { screenCodeToText, type CharacterSet } from '@shared/c64/screenCodes'
import { DISPLAY_X, PICTURE_WIDTH } from '@shared/c64/picture'

const COLUMNS = 40
const ROWS = 25
const CELL = 8
const GLYPHS_PER_SET = 256

/** A picture as wide as ours, one colour number a pixel, and where its display window starts. */
export interface Pixels {
  readonly colors: Uint8Array
  readonly displayY: number
}

export const borderOf = ({ colors }: Pixels): number => colors[0] ?? 0

/** The lines that are not empty, of a text screen whose glyphs are the ROM's. Anything else comes out empty. */
export function textOf(pixels: Pixels, characterRom: Uint8Array): string[] {
  const glyphs = glyphTable(characterRom)
  return Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => glyphs.get(cellKey(pixels, column, row)) ?? ' ').join(''),
  )
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

/** Eight rows of a cell as a string; what is not the colour of its first pixel is set. */
function cellKey({ colors, displayY }: Pixels, column: number, row: number): string {
  const start = (displayY + row * CELL) * PICTURE_WIDTH + DISPLAY_X + column * CELL
  const background = backgroundOf(colors, start)
  const rows = Array.from({ length: CELL }, (_, y) => {
    let bits = 0
    for (let x = 0; x < CELL; x++) bits = (bits << 1) | (colors[start + y * PICTURE_WIDTH + x] === background ? 0 : 1)
    return bits
  })
  return rows.join()
}

/** Glyphs leave their last column or their last row free far more often than they fill it. */
const backgroundOf = (colors: Uint8Array, start: number): number | undefined => colors[start + 7 * PICTURE_WIDTH + 7]

function glyphTable(characterRom: Uint8Array): Map<string, string> {
  const table = new Map<string, string>()
  for (const [set, name] of (['upper', 'lower'] as const satisfies CharacterSet[]).entries()) {
    for (let code = 0; code < GLYPHS_PER_SET / 2; code++) {
      const at = (set * GLYPHS_PER_SET + code) * CELL
      const key = [...characterRom.subarray(at, at + CELL)].join()
      if (!table.has(key)) table.set(key, screenCodeToText(code, name))
    }
  }
  return table
}
