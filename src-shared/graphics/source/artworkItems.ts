import { colourName } from '../../c64/palettes'
import {
  textModes,
  type Artwork,
  type Backgrounds,
  type Bitmap,
  type CharacterSet,
  type SpriteAnimation,
  type SpriteArt,
  type SpriteSheet,
  type TextScreen,
} from '../artwork'
import type { ExportOptions } from '../format'
import { constant, label, note, rows, type SourceItem } from './sourceItem'

type Numbers = ExportOptions['numbers']

export const titles = { sprites: 'Sprites', characters: 'Characters', screen: 'Screen', bitmap: 'Bitmap' } as const

const MAX_IDENTIFIER_CHARS = 24
const VALUES = 16
const SCREEN_ROW = 40

function identifier(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_IDENTIFIER_CHARS)
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(plain) ? plain : `graphics${plain && `_${plain}`}`
}

export function artworkItems(artworks: readonly Artwork[], { name, numbers }: Pick<ExportOptions, 'name' | 'numbers'>) {
  const base = identifier(name)
  return artworks.flatMap((artwork, index) => itemsOf(artwork, index === 0 ? base : `${base}_${index + 1}`, numbers))
}

function itemsOf(artwork: Artwork, name: string, numbers: Numbers): SourceItem[] {
  const title = note(`${titles[artwork.kind]} ${JSON.stringify(artwork.name)}`)
  switch (artwork.kind) {
    case 'sprites':
      return [title, ...sheetItems(artwork, name, numbers)]
    case 'characters':
      return [title, ...setItems(artwork, name, numbers)]
    case 'screen':
      return [title, ...screenItems(artwork, name, numbers)]
    case 'bitmap':
      return [title, ...bitmapItems(artwork, name, numbers)]
  }
}

function sheetItems(sheet: SpriteSheet, name: string, numbers: Numbers): SourceItem[] {
  return [
    constant(`${name}_background`, sheet.background),
    constant(`${name}_multicolour1`, sheet.multicolour1),
    constant(`${name}_multicolour2`, sheet.multicolour2),
    label(`${name}_sprites`),
    ...sheet.sprites.flatMap((sprite, index) => [
      note(spriteNote(sprite, index)),
      ...pixelRows(sprite.bytes, numbers, 3, 8).slice(0, numbers === 'binary' ? undefined : 7),
      ...lastRow(sprite, numbers),
    ]),
    ...sheet.animations.flatMap((animation, index) => animationItems(animation, `${name}_animation${index}`)),
  ]
}

/** The 64th byte holds colour and mode, as in other sprite editors. */
function lastRow({ bytes, colour, multicolour }: SpriteArt, numbers: Numbers): SourceItem[] {
  const last = (multicolour ? 0x80 : 0) | colour
  return numbers === 'binary' ? rows([last], 1) : rows([...bytes.subarray(56), last], 8, true)
}

function spriteNote(sprite: SpriteArt, index: number): string {
  const flags = [
    sprite.multicolour && 'multicolour',
    sprite.expandX && 'expand-x',
    sprite.expandY && 'expand-y',
    sprite.overlay && 'overlay',
  ].filter(Boolean)
  const colour = `colour ${sprite.colour} ${colourName(sprite.colour)}`
  return `Sprite ${index} ${JSON.stringify(sprite.name)}: ${[colour, ...flags].join(', ')}`
}

const animationItems = ({ name, frames, isPingPong }: SpriteAnimation, part: string): SourceItem[] => [
  note(`Animation ${JSON.stringify(name)}${isPingPong ? ': ping-pong' : ''}`),
  ...words(
    `${part}_frames`,
    frames.map(({ sprite }) => sprite),
  ),
  ...words(
    `${part}_ms`,
    frames.map(({ ms }) => ms),
  ),
]

const words = (name: string, values: ArrayLike<number>): SourceItem[] => {
  const all = Array.from(values)
  const low = all.map((value) => value & 0xff)
  const high = all.map((value) => value >> 8)
  return [...table(name, low), ...(high.some((value) => value > 0) ? table(`${name}_high`, high) : [])]
}

const table = (name: string, bytes: ArrayLike<number> | null, each = VALUES): SourceItem[] =>
  bytes && bytes.length > 0 ? [label(name), ...rows(bytes, each)] : []

const pixelRows = (bytes: ArrayLike<number>, numbers: Numbers, line: number, other: number): SourceItem[] =>
  rows(bytes, numbers === 'binary' ? line : other, true)

const backgroundItems = (name: string, backgrounds: Backgrounds): SourceItem[] =>
  backgrounds.map((value, index) => constant(`${name}_background${index}`, value))

const setItems = (set: CharacterSet, name: string, numbers: Numbers): SourceItem[] => [
  constant(`${name}_mode`, textModes.indexOf(set.mode)),
  ...backgroundItems(name, set.backgrounds),
  constant(`${name}_colour`, set.colour),
  label(`${name}_characters`),
  ...pixelRows(set.bytes, numbers, 1, 8),
  ...table(`${name}_colours`, set.colours),
  ...table(`${name}_materials`, set.materials),
  ...(set.tiles
    ? [
        constant(`${name}_tile_width`, set.tiles.width),
        constant(`${name}_tile_height`, set.tiles.height),
        ...set.tiles.names.map((tile, index) => note(`Tile ${index} ${JSON.stringify(tile)}`)),
        ...words(`${name}_tiles`, set.tiles.cells),
        ...table(`${name}_tile_colours`, set.tiles.colours),
      ]
    : []),
  ...(set.map
    ? [
        constant(`${name}_map_columns`, set.map.columns),
        constant(`${name}_map_rows`, set.map.rows),
        ...words(`${name}_map`, set.map.cells),
      ]
    : []),
]

const screenItems = (screen: TextScreen, name: string, numbers: Numbers): SourceItem[] => [
  constant(`${name}_mode`, textModes.indexOf(screen.mode)),
  constant(`${name}_columns`, screen.columns),
  constant(`${name}_rows`, screen.rows),
  ...backgroundItems(name, screen.backgrounds),
  constant(`${name}_border`, screen.border),
  ...table(`${name}_codes`, screen.codes, SCREEN_ROW),
  ...table(`${name}_colours`, screen.colours, SCREEN_ROW),
  ...(typeof screen.characters === 'string'
    ? [constant(`${name}_rom_set`, screen.characters === 'upper' ? 0 : 1)]
    : [label(`${name}_characters`), ...pixelRows(screen.characters, numbers, 1, 8)]),
]

const bitmapItems = (bitmap: Bitmap, name: string, numbers: Numbers): SourceItem[] => [
  constant(`${name}_multicolour`, bitmap.mode === 'multicolourBitmap' ? 1 : 0),
  constant(`${name}_background`, bitmap.background),
  constant(`${name}_border`, bitmap.border),
  label(`${name}_bitmap`),
  ...pixelRows(bitmap.bitmap, numbers, 1, 8),
  ...table(`${name}_screen`, bitmap.screen, SCREEN_ROW),
  ...table(`${name}_colours`, bitmap.colours, SCREEN_ROW),
]
