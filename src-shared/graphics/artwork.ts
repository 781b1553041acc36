/**
 * Graphics of the C64 apart from any machine: what the views show and edit, what is grabbed from memory, and what every file
 * format is read into and written from. Values never change; an edit makes new ones.
 */
import type { VideoMode } from '../c64/video'

export const SPRITE_BYTES = 63
export const CHARACTER_BYTES = 8
export const SCREEN_COLUMNS = 40
export const SCREEN_ROWS = 25
export const SCREEN_CELLS = SCREEN_COLUMNS * SCREEN_ROWS
export const BITMAP_BYTES = SCREEN_CELLS * 8

/** Of what is read from a file: more is not loaded. */
export const MAX_SPRITES = 4096
export const MAX_CHARACTERS = 65_536
export const MAX_MAP_CELLS = 1_048_576

/** How a sprite is shown. Colours are 0 to 15. */
export interface SpriteLook {
  readonly colour: number
  readonly multicolour: boolean
  readonly expandX: boolean
  readonly expandY: boolean
}

export interface SpriteArt extends SpriteLook {
  /** May be empty. */
  readonly name: string
  /** {@link SPRITE_BYTES}: 21 rows of three bytes, the highest bit is the left pixel. */
  readonly bytes: Uint8Array
  /** Laid over the sprite before it, as two sprites of the VIC-II at one place. */
  readonly overlay: boolean
}

export interface AnimationFrame {
  /** Index of a sprite of the sheet. */
  readonly sprite: number
  /** How long it is shown, ms, 1 to 60,000. */
  readonly ms: number
}

export interface SpriteAnimation {
  readonly name: string
  readonly frames: readonly AnimationFrame[]
  readonly isPingPong: boolean
}

/** The colours that all sprites share; the background is not the VIC-II's business, but shown behind them. */
export interface SharedSpriteColours {
  readonly background: number
  /** $D025, bit pair 01. */
  readonly multicolour1: number
  /** $D026, bit pair 11. */
  readonly multicolour2: number
}

export interface SpriteSheet extends SharedSpriteColours {
  readonly kind: 'sprites'
  readonly name: string
  readonly sprites: readonly SpriteArt[]
  readonly animations: readonly SpriteAnimation[]
}

/** Source files have them by their places here. */
export const textModes = ['text', 'multicolourText', 'extendedText'] as const satisfies readonly VideoMode[]
export type TextMode = (typeof textModes)[number]
export const bitmapModes = ['bitmap', 'multicolourBitmap'] as const satisfies readonly VideoMode[]
export type BitmapMode = (typeof bitmapModes)[number]

/** $D021 to $D024. In multicolour text, the bit pairs 00, 01, 10; in extended colour text by the upper bits of the code. */
export type Backgrounds = readonly [number, number, number, number]

/** Blocks of characters that maps are made of. */
export interface Tiles {
  /** In characters. */
  readonly width: number
  readonly height: number
  /** Characters, row by row, `width * height` a tile. */
  readonly cells: Uint16Array
  /** A colour for each tile; null where characters or the set have them. */
  readonly colours: Uint8Array | null
  /** As many as there are tiles, or none. */
  readonly names: readonly string[]
}

export interface TileMap {
  readonly columns: number
  readonly rows: number
  /** Tiles, row by row, or characters where the set has no tiles. */
  readonly cells: Uint16Array
}

export interface CharacterSet {
  readonly kind: 'characters'
  readonly name: string
  readonly mode: TextMode
  /** {@link CHARACTER_BYTES} a character, the highest bit is the left pixel. */
  readonly bytes: Uint8Array
  readonly backgrounds: Backgrounds
  /** Of characters without a colour of their own. */
  readonly colour: number
  /** A colour RAM value for each character, or null. */
  readonly colours: Uint8Array | null
  /** What the file says of each character beside its colour, 0 to 15, or null. */
  readonly materials: Uint8Array | null
  readonly tiles: Tiles | null
  readonly map: TileMap | null
}

/** The sets of the machine's own ROM (upper case with graphics, lower with upper case), or bytes: 2,048 of them. */
export type ScreenCharacters = 'upper' | 'lower' | Uint8Array

export interface TextScreen {
  readonly kind: 'screen'
  readonly name: string
  readonly mode: TextMode
  readonly columns: number
  readonly rows: number
  /** Screen codes, row by row. */
  readonly codes: Uint8Array
  /** Colour RAM values, row by row. */
  readonly colours: Uint8Array
  readonly backgrounds: Backgrounds
  readonly border: number
  readonly characters: ScreenCharacters
}

export interface Bitmap {
  readonly kind: 'bitmap'
  readonly name: string
  readonly mode: BitmapMode
  /** {@link BITMAP_BYTES}: 25 rows of 40 cells of 8 bytes. */
  readonly bitmap: Uint8Array
  /** {@link SCREEN_CELLS}, or eight times as many for FLI: one for each line of a row, {@link SCREEN_CELLS} apart. */
  readonly screen: Uint8Array
  /** {@link SCREEN_CELLS} colour RAM values; counted in multicolour only. */
  readonly colours: Uint8Array
  readonly background: number
  readonly border: number
}

export type Artwork = SpriteSheet | CharacterSet | TextScreen | Bitmap
export type ArtworkKind = Artwork['kind']

export const artworkKindTitles: Readonly<Record<ArtworkKind, string>> = {
  sprites: 'Sprites',
  characters: 'Characters',
  screen: 'Screen',
  bitmap: 'Bitmap',
}

/** Whether each line of a row of cells has a screen of its own. */
export const isFli = ({ screen }: Bitmap): boolean => screen.length > SCREEN_CELLS

/** Whether it has text in the characters of the machine's own ROM. */
export const usesCharacterRom = (artwork: Artwork): boolean =>
  artwork.kind === 'screen' && typeof artwork.characters === 'string'
