import { SPRITE_HEIGHT, SPRITE_WIDTH, spritePixels } from '../c64/sprites'
import {
  isFli,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  type Backgrounds,
  type Bitmap,
  type CharacterSet,
  type SharedSpriteColours,
  type SpriteArt,
  type TextMode,
  type TextScreen,
} from './artwork'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** One byte each: 0 to 15, or TRANSPARENT of c64/sprites. */
  readonly pixels: Uint8Array
}

/** 24 x 21, not expanded; clear pixels are TRANSPARENT. A multicolour pixel takes two. */
export const spriteArtPixels = (sprite: SpriteArt, colours: SharedSpriteColours): Pixels => ({
  width: SPRITE_WIDTH,
  height: SPRITE_HEIGHT,
  pixels: spritePixels(sprite.bytes, { ...sprite, ...colours }),
})

export function characterColours(mode: TextMode, code: number, colour: number, backgrounds: Backgrounds): number[] {
  if (mode === 'extendedText') return [backgrounds[(code >> 6) & 3] ?? 0, colour & 0x0f]
  if (mode === 'multicolourText' && (colour & 8) !== 0)
    return [backgrounds[0], backgrounds[1], backgrounds[2], colour & 7]
  return [backgrounds[0], mode === 'multicolourText' ? colour & 7 : colour & 0x0f]
}

/** Four colours mean bit pairs, two colours mean bits. */
export function drawCell(
  out: Uint8Array,
  width: number,
  at: number,
  bytes: Uint8Array,
  first: number,
  colours: readonly number[],
): void {
  for (let y = 0; y < 8; y++) drawLine(out, at + y * width, bytes[first + y] ?? 0, colours)
}

/** Four colours mean bit pairs, two colours mean bits. */
function drawLine(out: Uint8Array, at: number, byte: number, colours: readonly number[]): void {
  const isPairs = colours.length > 2
  for (let x = 0; x < 8; x++) out[at + x] = colours[isPairs ? (byte >> (6 - (x & 6))) & 3 : (byte >> (7 - x)) & 1] ?? 0
}

export function characterPixels(set: CharacterSet, code: number): Pixels {
  const pixels = new Uint8Array(64)
  const colour = set.colours?.[code] ?? set.colour
  drawCell(pixels, 8, 0, set.bytes, code * 8, characterColours(set.mode, code, colour, set.backgrounds))
  return { width: 8, height: 8, pixels }
}

/** One line of eight pixels of a cell: `y` is 0 to 7; two colours are bits, four are bit pairs. */
export type TakeLine = (cell: number, y: number, byte: number, colours: readonly number[]) => void

/** @param romCharacters 4,096 bytes of the machine's own character ROM, for screens that use it */
export function eachScreenLine(screen: TextScreen, romCharacters: Uint8Array, take: TakeLine): void {
  const { columns, rows, characters, mode } = screen
  const set = typeof characters === 'string' ? romCharacters.subarray(characters === 'upper' ? 0 : 2048) : characters
  for (let cell = 0; cell < columns * rows; cell++) {
    const code = screen.codes[cell] ?? 0
    const shape = (mode === 'extendedText' ? code & 0x3f : code) * 8
    const colours = characterColours(mode, code, screen.colours[cell] ?? 0, screen.backgrounds)
    for (let y = 0; y < 8; y++) take(cell, y, set[shape + y] ?? 0, colours)
  }
}

/** In FLI, the three left columns, which real machines show damaged, are drawn as in the data. */
export function eachBitmapLine(picture: Bitmap, take: TakeLine): void {
  const isMulticolour = picture.mode === 'multicolourBitmap'
  const fli = isFli(picture)
  for (let cell = 0; cell < SCREEN_CELLS; cell++) {
    const coloursOf = (screen: number): number[] =>
      isMulticolour
        ? [picture.background, screen >> 4, screen & 0x0f, (picture.colours[cell] ?? 0) & 0x0f]
        : [screen & 0x0f, screen >> 4]
    let colours = coloursOf(picture.screen[cell] ?? 0)
    for (let y = 0; y < 8; y++) {
      if (fli) colours = coloursOf(picture.screen[y * SCREEN_CELLS + cell] ?? 0)
      take(cell, y, picture.bitmap[cell * 8 + y] ?? 0, colours)
    }
  }
}

function cellPixels(columns: number, rows: number, draw: (take: TakeLine) => void): Pixels {
  const width = columns * 8
  const pixels = new Uint8Array(width * rows * 8)
  draw((cell, y, byte, colours) => {
    drawLine(pixels, (Math.floor(cell / columns) * 8 + y) * width + (cell % columns) * 8, byte, colours)
  })
  return { width, height: rows * 8, pixels }
}

export const screenPixels = (screen: TextScreen, romCharacters: Uint8Array): Pixels =>
  cellPixels(screen.columns, screen.rows, (take) => eachScreenLine(screen, romCharacters, take))

export const bitmapPixels = (picture: Bitmap): Pixels =>
  cellPixels(SCREEN_COLUMNS, SCREEN_ROWS, (take) => eachBitmapLine(picture, take))
