/** Artwork of every kind and size, for property tests of formats. */
import { array, boolean, constantFrom, integer, nat, option, record, string, tuple, type Arbitrary } from 'fast-check'
import {
  BITMAP_BYTES,
  SCREEN_CELLS,
  type Bitmap,
  type CharacterSet,
  type SpriteArt,
  type SpriteSheet,
  type TextMode,
  type TextScreen,
} from '@shared/graphics/artwork'
import { randomBytes } from './graphicsSamples'

const colour = nat(15)
const seed = nat(100_000)
const backgrounds = tuple(colour, colour, colour, colour)
const mode = constantFrom<TextMode>('text', 'multicolourText', 'extendedText')
const bytes = (length: number, below = 256): Arbitrary<Uint8Array> =>
  seed.map((start) => randomBytes(start, length, below))

const sprite: Arbitrary<SpriteArt> = record({
  name: string({ maxLength: 12 }),
  bytes: bytes(63),
  colour,
  multicolour: boolean(),
  expandX: boolean(),
  expandY: boolean(),
  overlay: boolean(),
})

/** One to six sprites; the first is laid over none. */
export const anySheet: Arbitrary<SpriteSheet> = record({
  sprites: array(sprite, { minLength: 1, maxLength: 6 }).map(([first, ...others]) =>
    first ? [{ ...first, overlay: false }, ...others] : [],
  ),
  background: colour,
  multicolour1: colour,
  multicolour2: colour,
}).map((rest) => ({ kind: 'sprites', name: '', animations: [], ...rest }))

const tileName = string({ maxLength: 32, unit: constantFrom(...Array.from('AZaz 09-é')) })

function tilesOf(colours: 'none' | 'tiles'): Arbitrary<CharacterSet['tiles']> {
  return tuple(integer({ min: 1, max: 4 }), integer({ min: 1, max: 4 }), integer({ min: 1, max: 5 }), seed).chain(
    ([width, height, count, start]) =>
      record({
        width: constantFrom(width),
        height: constantFrom(height),
        cells: constantFrom(Uint16Array.from(randomBytes(start, width * height * count), (byte) => byte * 3)),
        colours: constantFrom(colours === 'none' ? null : randomBytes(start + 1, count, 16)),
        names: array(tileName, { minLength: count, maxLength: count }).map((names) =>
          names.some((name) => name !== '') ? names : [],
        ),
      }),
  )
}

const map = tuple(integer({ min: 1, max: 9 }), integer({ min: 1, max: 9 }), seed).map(([columns, rows, start]) => ({
  columns,
  rows,
  cells: Uint16Array.from(randomBytes(start, columns * rows), (byte) => byte * 257),
}))

/** With colours for characters, for tiles, or for neither. */
export const anySet: Arbitrary<CharacterSet> = tuple(
  integer({ min: 1, max: 300 }),
  constantFrom<'none' | 'tiles' | 'characters'>('none', 'tiles', 'characters'),
).chain(([count, colours]) =>
  record({
    mode,
    bytes: bytes(count * 8),
    backgrounds,
    colour,
    colours: colours === 'characters' ? bytes(count, 16) : constantFrom(null),
    materials: option(bytes(count, 16).filter((all) => all.some((each) => each > 0))),
    tiles: colours === 'tiles' ? tilesOf('tiles') : option(tilesOf('none')),
    map: option(map),
  }).map((rest) => ({ kind: 'characters', name: '', ...rest })),
)

/** In the standard text mode. */
export const anyScreen: Arbitrary<TextScreen> = tuple(integer({ min: 1, max: 41 }), integer({ min: 1, max: 26 })).chain(
  ([columns, rows]) =>
    record({
      name: string({ maxLength: 12 }),
      columns: constantFrom(columns),
      rows: constantFrom(rows),
      codes: bytes(columns * rows),
      colours: bytes(columns * rows, 16),
      backgrounds: colour.map((background): TextScreen['backgrounds'] => [background, 0, 0, 0]),
      border: colour,
      characters: constantFrom<TextScreen['characters']>('upper', 'lower', randomBytes(1, 2048), randomBytes(2, 2048)),
    }).map((rest) => ({ kind: 'screen', mode: 'text', ...rest })),
)

export const anyBitmap = (mode: Bitmap['mode'], isFli = false): Arbitrary<Bitmap> =>
  record({
    bitmap: bytes(BITMAP_BYTES),
    screen: bytes(isFli ? 8 * SCREEN_CELLS : SCREEN_CELLS),
    colours: mode === 'bitmap' ? constantFrom(new Uint8Array(SCREEN_CELLS)) : bytes(SCREEN_CELLS, 16),
    background: colour,
    border: colour,
  }).map((rest) => ({ kind: 'bitmap', name: '', mode, ...rest }))
