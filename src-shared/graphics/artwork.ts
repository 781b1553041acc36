/** Values never change; an edit makes new ones. */
import type { VideoMode } from '../c64/video'

export const SPRITE_BYTES = 63
export const CHARACTER_BYTES = 8
export const SCREEN_COLUMNS = 40
export const SCREEN_ROWS = 25
export const SCREEN_CELLS = SCREEN_COLUMNS * SCREEN_ROWS
export const BITMAP_BYTES = SCREEN_CELLS * 8

/** The most sprites read from a file: more are not loaded. */
export const MAX_SPRITES = 4096
export const MAX_CHARACTERS = 65_536
export const MAX_MAP_CELLS = 1_048_576

/** Colours are 0 to 15. */
export interface SpriteLook {
  readonly colour: number
  readonly multicolour: boolean
  readonly expandX: boolean
  readonly expandY: boolean
}

export interface SpriteArt extends SpriteLook {
  readonly name: string
  /** {@link SPRITE_BYTES}: 21 rows of three bytes, the highest bit is the left pixel. */
  readonly bytes: Uint8Array
  /** Laid over the sprite before it, as two sprites of the VIC-II at one place. */
  readonly overlay: boolean
}

export interface AnimationFrame {
  readonly sprite: number
  /** How long it is shown, ms, 1 to 60,000. */
  readonly ms: number
}

export interface SpriteAnimation {
  readonly name: string
  readonly frames: readonly AnimationFrame[]
  readonly isPingPong: boolean
}

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

export const textModes = ['text', 'multicolourText', 'extendedText'] as const satisfies readonly VideoMode[]
export type TextMode = (typeof textModes)[number]
export const bitmapModes = ['bitmap', 'multicolourBitmap'] as const satisfies readonly VideoMode[]
export type BitmapMode = (typeof bitmapModes)[number]

/** $D021 to $D024. In multicolour text, the bit pairs 00, 01, 10; in extended colour text by the upper bits of the code. */
export type Backgrounds = readonly [number, number, number, number]

export interface Tiles {
  readonly width: number
  readonly height: number
  /** Characters, row by row, `width * height` a tile. */
  readonly cells: Uint16Array
  readonly colours: Uint8Array | null
  readonly names: readonly string[]
}

export interface TileMap {
  readonly columns: number
  readonly rows: number
  readonly cells: Uint16Array
}

export interface CharacterSet {
  readonly kind: 'characters'
  readonly name: string
  readonly mode: TextMode
  /** {@link CHARACTER_BYTES} a character, the highest bit is the left pixel. */
  readonly bytes: Uint8Array
  readonly backgrounds: Backgrounds
  readonly colour: number
  readonly colours: Uint8Array | null
  readonly materials: Uint8Array | null
  readonly tiles: Tiles | null
  readonly map: TileMap | null
}

/** A set of the machine's own ROM (`upper` with graphics, `lower` with upper case), or 2,048 bytes. */
export type ScreenCharacters = 'upper' | 'lower' | Uint8Array

export interface TextScreen {
  readonly kind: 'screen'
  readonly name: string
  readonly mode: TextMode
  readonly columns: number
  readonly rows: number
  readonly codes: Uint8Array
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
  /**
   * {@link SCREEN_CELLS}, or eight times as many for FLI: one screen for each line of a row, {@link SCREEN_CELLS}
   * apart.
   */
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

export const isFli = ({ screen }: Bitmap): boolean => screen.length > SCREEN_CELLS

export const usesCharacterRom = (artwork: Artwork): boolean =>
  artwork.kind === 'screen' && typeof artwork.characters === 'string'
