/** Small artwork of every kind, always the same, for tests of formats. */
import {
  BITMAP_BYTES,
  SCREEN_CELLS,
  type Artwork,
  type Bitmap,
  type BitmapMode,
  type CharacterSet,
  type SpriteArt,
  type SpriteSheet,
  type TextMode,
  type TextScreen,
} from '@shared/graphics/artwork'
import {
  bitmapPixels,
  characterPixels,
  screenPixels,
  spriteArtPixels,
  type Pixels,
} from '@shared/graphics/artworkPixels'
import type { ExportOptions } from '@shared/graphics/format'
import { palettes } from '@shared/c64/palettes'

/** A small linear congruential generator. */
function random(seed: number): (below: number) => number {
  let state = seed * 7919 + 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function randomBytes(seed: number, length: number, below = 256): Uint8Array {
  const next = random(seed)
  return Uint8Array.from({ length }, () => next(below))
}

/** Shapes of its own, not ROM of others. */
export const romCharacters = randomBytes(99, 4096)

export const exportOptions: ExportOptions = {
  name: 'Ship',
  palette: palettes.pepto,
  numbers: 'hex',
  scale: 1,
  isTransparent: true,
  columns: 4,
  aspect: 'square',
  address: 0x2000,
  romCharacters,
}

export const sprite = (seed: number, more: Partial<SpriteArt> = {}): SpriteArt => ({
  name: `frame ${seed}`,
  bytes: randomBytes(seed, 63),
  colour: 1 + (seed % 10),
  multicolour: seed % 2 === 1,
  expandX: false,
  expandY: false,
  overlay: false,
  ...more,
})

export const sheet = (count: number): SpriteSheet => ({
  kind: 'sprites',
  name: 'Ship',
  background: 6,
  multicolour1: 11,
  multicolour2: 12,
  sprites: Array.from({ length: count }, (_, index) => sprite(index + 1)),
  animations: [
    {
      name: 'fly "up"',
      isPingPong: true,
      frames: [
        { sprite: 0, ms: 120 },
        { sprite: Math.min(1, count - 1), ms: 1000 },
      ],
    },
  ],
})

export const characters = (mode: TextMode = 'multicolourText', count = 256): CharacterSet => ({
  kind: 'characters',
  name: 'Font',
  mode,
  colour: 1,
  bytes: randomBytes(3, count * 8),
  backgrounds: [6, 2, 3, 4],
  colours: randomBytes(4, count, 16),
  materials: null,
  tiles: null,
  map: null,
})

export const screen = (mode: TextMode = 'text', own = true): TextScreen => ({
  kind: 'screen',
  name: 'Title',
  mode,
  columns: 40,
  rows: 25,
  border: 14,
  codes: randomBytes(5, SCREEN_CELLS),
  colours: randomBytes(6, SCREEN_CELLS, 16),
  backgrounds: [6, 2, 3, 4],
  characters: own ? randomBytes(7, 2048) : 'lower',
})

export const bitmap = (mode: BitmapMode = 'multicolourBitmap', isFli = false): Bitmap => ({
  kind: 'bitmap',
  name: 'Picture',
  mode,
  background: 6,
  border: 14,
  bitmap: randomBytes(8, BITMAP_BYTES),
  screen: randomBytes(9, isFli ? 8 * SCREEN_CELLS : SCREEN_CELLS),
  colours: randomBytes(10, SCREEN_CELLS, 16),
})

/** Every pixel that an artwork stands for: one picture for each sprite and character. */
export function allPixels(artwork: Artwork): Pixels[] {
  switch (artwork.kind) {
    case 'sprites':
      return artwork.sprites.map((each) => spriteArtPixels(each, artwork))
    case 'characters':
      return Array.from({ length: artwork.bytes.length / 8 }, (_, code) => characterPixels(artwork, code))
    case 'screen':
      return [screenPixels(artwork, romCharacters)]
    case 'bitmap':
      return [bitmapPixels(artwork)]
  }
}

/** To compare: much faster than arrays element by element. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (ArrayBuffer.isView(each)) return Buffer.from(each.buffer, each.byteOffset, each.byteLength).toString('base64')
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
