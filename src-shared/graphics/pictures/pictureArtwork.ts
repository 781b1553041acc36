import { SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '../../c64/sprites'
import {
  BITMAP_BYTES,
  MAX_CHARACTERS,
  MAX_SPRITES,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  SPRITE_BYTES,
  type Artwork,
  type Bitmap,
  type CharacterSet,
  type SharedSpriteColours,
  type SpriteArt,
  type SpriteSheet,
} from '../artwork'
import type { Pixels } from '../artworkPixels'
import { reduced, type Enlargement } from './artworkPicture'

export function artworkOfPicture(picture: Pixels): Artwork | null {
  for (const enlargement of enlargements) {
    const small = reduced(picture, enlargement)
    const artwork = small && (bitmapOf(small) ?? spritesOf([small]) ?? charactersOf(small))
    if (artwork) return artwork
  }
  return null
}

export function spritesOfPictures(pictures: readonly Pixels[]): SpriteSheet | null {
  for (const enlargement of enlargements) {
    const small = pictures.flatMap((picture) => reduced(picture, enlargement) ?? [])
    const sheet = small.length === pictures.length ? spritesOf(small) : null
    if (sheet) return sheet
  }
  return null
}

/** The largest first, as smaller ones fit the same pictures. */
const enlargements: readonly Enlargement[] = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((scale) =>
  (['square', 'pal', 'ntsc'] as const).map((aspect) => ({ scale, aspect })),
)

/** One bit for each colour of a cell; bit 16 where it is clear. */
const CLEAR = 16
const bitOf = (pixel: number): number => 1 << (pixel === TRANSPARENT ? CLEAR : pixel)

interface Cell {
  readonly pixels: Uint8Array
  readonly colours: number
  readonly areDouble: boolean
}

function cellsOf({ width, height, pixels }: Pixels, cellWidth: number, cellHeight: number): Cell[] | null {
  if (width % cellWidth !== 0 || height % cellHeight !== 0) return null
  const across = width / cellWidth
  return Array.from({ length: across * (height / cellHeight) }, (_, index) => {
    const from = Math.floor(index / across) * cellHeight * width + (index % across) * cellWidth
    const cell = new Uint8Array(cellWidth * cellHeight)
    let colours = 0
    let areDouble = true
    for (let at = 0; at < cell.length; at++) {
      const pixel = pixels[from + Math.floor(at / cellWidth) * width + (at % cellWidth)] ?? 0
      cell[at] = pixel
      colours |= bitOf(pixel)
      if ((at & 1) === 1 && pixel !== cell[at - 1]) areDouble = false
    }
    return { pixels: cell, colours, areDouble }
  })
}

const count = (bits: number): number => coloursIn(bits).length
const coloursIn = (bits: number): number[] =>
  Array.from({ length: CLEAR + 1 }, (_, at) => at).filter((at) => (bits >> at) & 1)

function bytesOf({ pixels }: Cell, colours: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(pixels.length / 8)
  const step = colours.length > 2 ? 2 : 1
  for (let at = 0; at < pixels.length; at += step) {
    const pattern = Math.max(0, colours.indexOf(pixels[at] ?? 0))
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (pattern << (8 - step - (at & 7)))
  }
  return bytes
}

function spritesOf(pictures: readonly Pixels[]): SpriteSheet | null {
  const cells: Cell[] = []
  for (const picture of pictures) {
    const found = cellsOf(picture, SPRITE_WIDTH, SPRITE_HEIGHT)
    if (!found || cells.length + found.length > MAX_SPRITES) return null
    for (const cell of found) cells.push(cell)
  }
  const all = cells.reduce((bits, { colours }) => bits | colours, 0)
  // Where nothing is clear, any colour may be the one behind the sprites.
  const behinds = all >> CLEAR === 1 ? [CLEAR] : coloursIn(all)
  for (const behind of behinds)
    for (const shared of sharedColours(all & ~(1 << behind))) {
      const sprites = cells.map((cell) => spriteOf(cell, behind, shared))
      const background = behind === CLEAR ? 0 : behind
      if (sprites.every((sprite) => sprite !== null))
        return {
          kind: 'sprites',
          name: '',
          animations: [],
          ...shared,
          background,
          sprites: pictures.length > 1 ? sprites : withoutRest(sprites),
        }
    }
  return null
}

function withoutRest(sprites: readonly SpriteArt[]): SpriteArt[] {
  const last = sprites.findLastIndex(({ bytes }) => bytes.some((byte) => byte !== 0))
  return sprites.slice(0, Math.max(1, last + 1))
}

function* sharedColours(bits: number): Generator<Omit<SharedSpriteColours, 'background'>> {
  const colours = coloursIn(bits & 0xffff)
  yield { multicolour1: 11, multicolour2: 12 }
  for (const multicolour1 of colours)
    for (const multicolour2 of colours) if (multicolour1 < multicolour2) yield { multicolour1, multicolour2 }
}

type Shared = Omit<SharedSpriteColours, 'background'>

function spriteOf(cell: Cell, behind: number, { multicolour1, multicolour2 }: Shared): SpriteArt | null {
  const clear = behind === CLEAR ? TRANSPARENT : behind
  const look = { name: '', expandX: false, expandY: false, overlay: false }
  const own = cell.colours & ~(1 << behind)
  if (own >> CLEAR !== 0) return null
  if (count(own) <= 1) {
    const colour = coloursIn(own)[0] ?? 1
    return { ...look, colour, multicolour: false, bytes: bytesOf(cell, [clear, colour]).slice(0, SPRITE_BYTES) }
  }
  const rest = coloursIn(own & ~(1 << multicolour1) & ~(1 << multicolour2))
  if (!cell.areDouble || rest.length > 1) return null
  const colour = rest[0] ?? 1
  return { ...look, colour, multicolour: true, bytes: bytesOf(cell, [clear, multicolour1, colour, multicolour2]) }
}

function bitmapOf(picture: Pixels): Bitmap | null {
  if (picture.width !== SCREEN_COLUMNS * 8 || picture.height !== SCREEN_ROWS * 8) return null
  const cells = cellsOf(picture, 8, 8)
  if (!cells || cells.some(({ colours }) => colours >> CLEAR !== 0)) return null
  if (cells.every(({ colours }) => count(colours) <= 2)) return bitmapFrom(cells, 'bitmap', 0)
  if (!cells.every(({ areDouble }) => areDouble)) return null
  for (let background = 0; background < 16; background++)
    if (cells.every(({ colours }) => count(colours & ~(1 << background)) <= 3))
      return bitmapFrom(cells, 'multicolourBitmap', background)
  return null
}

function bitmapFrom(cells: readonly Cell[], mode: Bitmap['mode'], background: number): Bitmap {
  const made = {
    bitmap: new Uint8Array(BITMAP_BYTES),
    screen: new Uint8Array(SCREEN_CELLS),
    colours: new Uint8Array(SCREEN_CELLS),
  }
  cells.forEach((cell, index) => {
    const isMulticolour = mode === 'multicolourBitmap'
    const [first = 0, second = first, third = first] = coloursIn(
      isMulticolour ? cell.colours & ~(1 << background) : cell.colours,
    )
    made.screen[index] = isMulticolour ? (first << 4) | second : (second << 4) | first
    if (isMulticolour) made.colours[index] = third
    made.bitmap.set(bytesOf(cell, isMulticolour ? [background, first, second, third] : [first, second]), index * 8)
  })
  return { kind: 'bitmap', name: '', mode, ...made, background, border: background }
}

function charactersOf(picture: Pixels): CharacterSet | null {
  const cells = cellsOf(picture, 8, 8)
  if (!cells || cells.length > MAX_CHARACTERS) return null
  const all = cells.reduce((bits, { colours }) => bits | colours, 0)
  for (const background of coloursIn(all & 0xffff))
    if (cells.every(({ colours }) => count(colours & ~(1 << background)) <= 1)) {
      const colours = cells.map((cell) => coloursIn(cell.colours & ~(1 << background))[0] ?? 1)
      if (colours.includes(CLEAR)) return null
      const bytes = new Uint8Array(cells.length * 8)
      cells.forEach((cell, index) => {
        bytes.set(bytesOf(cell, [background, colours[index] ?? 1]), index * 8)
      })
      return {
        kind: 'characters',
        name: '',
        mode: 'text',
        bytes,
        colour: 1,
        colours: Uint8Array.from(colours),
        backgrounds: [background, background, background, background],
        materials: null,
        tiles: null,
        map: null,
      }
    }
  return null
}
