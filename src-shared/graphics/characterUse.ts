import { SCREEN_CELLS, type TextMode } from './artwork'

export interface CharacterUse {
  readonly cells: Uint16Array
  /** The most frequent colour RAM value of those cells; 255 for a character that no cell shows. */
  readonly colours: Uint8Array
}

export const NO_COLOUR = 255

/** The character whose shape a code shows: extended colour text has 64. */
export const shapeOf = (mode: TextMode, code: number): number => (mode === 'extendedText' ? code & 0x3f : code)

/**
 * @param codes of the screen
 * @param colourRam as many values; only the low nibbles count
 */
export function characterUse(codes: Uint8Array, colourRam: Uint8Array): CharacterUse {
  const cells = new Uint16Array(256)
  const byColour = new Uint16Array(256 * 16)
  for (let cell = 0; cell < Math.min(codes.length, SCREEN_CELLS); cell++) {
    const code = codes[cell] ?? 0
    const at = code * 16 + ((colourRam[cell] ?? 0) & 0x0f)
    cells[code] = (cells[code] ?? 0) + 1
    byColour[at] = (byColour[at] ?? 0) + 1
  }
  return { cells, colours: Uint8Array.from({ length: 256 }, (_, code) => mostUsed(byColour, code * 16)) }
}

function mostUsed(byColour: Uint16Array, first: number): number {
  let [colour, most] = [NO_COLOUR, 0]
  for (let each = 0; each < 16; each++) {
    const count = byColour[first + each] ?? 0
    if (count > most) [colour, most] = [each, count]
  }
  return colour
}
