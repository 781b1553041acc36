/** What a file format of graphics is: one file each in formats/, listed in formats/index.ts. */
import type { Artwork, ArtworkKind } from './artwork'

/** How exports are made; each format says which of these it heeds. */
export interface ExportOptions {
  /** Of the data: labels of source texts, titles inside files. Letters, digits, spaces. */
  readonly name: string
  /** Sixteen, 0xRRGGBB. */
  readonly palette: readonly number[]
  /** Of numbers in source texts. */
  readonly numbers: 'hex' | 'binary' | 'decimal'
  /** Pictures: pixels a pixel, 1 to 8. */
  readonly scale: number
  /** Pictures: what is behind sprites is left open. */
  readonly isTransparent: boolean
  /** Pictures: sprites or characters a row. */
  readonly columns: number
  /** Pictures: whether pixels are as wide as the machine's video standard shows them. */
  readonly aspect: 'square' | 'pal' | 'ntsc'
  /** Animations: how long pictures without times of their own are shown, 10 to 60,000; 100 where it is left out. */
  readonly frameMs?: number
  /** Which animation of a sheet, from 1; left out, or 0: the only one. */
  readonly animation?: number
  /** Where data is to be loaded, 0 to $FFFF. */
  readonly address: number
  /** 4,096 bytes of character ROM, for screens that use it. */
  readonly romCharacters: Uint8Array
}

export type ExportOption = keyof ExportOptions

/** What is wrong with a file, or is not loaded of it, and where. */
export interface FormatProblem {
  /** Byte offset, 0 or more; in a text of its first character's byte. */
  readonly offset: number
  /** A sentence: what was expected, and what is there. */
  readonly text: string
}

export interface ReadArtwork {
  /** What could be loaded; none where nothing could. */
  readonly artworks: readonly Artwork[]
  /** Damage: empty for a sound file. */
  readonly problems: readonly FormatProblem[]
  /** Parts of a sound file that are loaded in another way, or not at all. */
  readonly notes?: readonly FormatProblem[]
  /** Of a program: where its data is loaded. */
  readonly loadAddress?: number
}

export interface ReadOptions {
  /** Of pictures: sixteen, 0xRRGGBB; without it, a known one. */
  readonly palette?: readonly number[] | undefined
  /** Of pictures: one more palette that is known, that of the window. */
  readonly shownPalette?: readonly number[] | undefined
}

/** How sure it is that a file has this format: by a signature, by size or contents, by name only, or not. */
export type Likeness = 'certain' | 'likely' | 'possible' | 'no'

export interface GraphicsFormat {
  /** Names it on the command line and in settings: lower case, digits and dashes. */
  readonly id: string
  readonly title: string
  /** Without a dot, lower case; the first is that of new files. */
  readonly extensions: readonly string[]
  /** Of the formats with this first extension, the one that is meant where nothing else is said. */
  readonly isNewest?: true
  /** What it can hold. */
  readonly kinds: readonly ArtworkKind[]
  /** Whether it holds several at once. */
  readonly holdsMany: boolean
  readonly options: readonly ExportOption[]
  /** @param extension of the file's name, lower case, without a dot */
  readonly likeness?: (file: Uint8Array, extension: string) => Likeness
  /** Never throws: what is damaged is among the problems, and what is safe of the rest is loaded. */
  readonly read?: (file: Uint8Array, options?: ReadOptions) => ReadArtwork
  /** What of these would not be in the file, a noun each; whoever writes tells it. Nothing where it is left out. */
  readonly leavesOut?: (artworks: readonly Artwork[]) => readonly string[]
  /**
   * @param artworks of its kinds, one at least; just one where it does not hold many
   * @throws AppError INVALID for what the format cannot hold, with the reason
   */
  readonly write?: (artworks: readonly Artwork[], options: ExportOptions) => Uint8Array
}
