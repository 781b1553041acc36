import type { Artwork, ArtworkKind } from './artwork'

export interface ExportOptions {
  /** For labels in source texts and titles in files. Letters, digits, spaces. */
  readonly name: string
  /** Sixteen, 0xRRGGBB. */
  readonly palette: readonly number[]
  readonly numbers: 'hex' | 'binary' | 'decimal'
  /** For pictures: scale factor, 1 to 8. */
  readonly scale: number
  readonly isTransparent: boolean
  readonly columns: number
  readonly aspect: 'square' | 'pal' | 'ntsc'
  /** For animations: how long pictures without times of their own are shown, ms, 10 to 60,000; 100 by default. */
  readonly frameMs?: number
  /** Animation of a sheet, from 1; absent or 0: the only one. */
  readonly animation?: number
  /** Load address of the data, 0 to $FFFF. */
  readonly address: number
  /** 4,096 bytes of character ROM, for screens that use it. */
  readonly romCharacters: Uint8Array
}

export type ExportOption = keyof ExportOptions

export interface FormatProblem {
  /** Byte offset, 0 or more; in a text, that of its first character. */
  readonly offset: number
  readonly text: string
}

export interface ReadArtwork {
  readonly artworks: readonly Artwork[]
  readonly problems: readonly FormatProblem[]
  readonly notes?: readonly FormatProblem[]
  readonly loadAddress?: number
}

export interface ReadOptions {
  /** For pictures: sixteen colours, 0xRRGGBB; a known palette where it is left out. */
  readonly palette?: readonly number[] | undefined
  readonly shownPalette?: readonly number[] | undefined
}

export type Likeness = 'certain' | 'likely' | 'possible' | 'no'

export interface GraphicsFormat {
  /** Used on the command line and in settings: lower case, digits and dashes. */
  readonly id: string
  readonly title: string
  /** Lower case, without a dot; the first is for new files. */
  readonly extensions: readonly string[]
  readonly isNewest?: true
  readonly kinds: readonly ArtworkKind[]
  readonly holdsMany: boolean
  readonly options: readonly ExportOption[]
  readonly likeness?: (file: Uint8Array, extension: string) => Likeness
  /** Never throws: damage is among the problems, and the intact rest is loaded. */
  readonly read?: (file: Uint8Array, options?: ReadOptions) => ReadArtwork
  readonly leavesOut?: (artworks: readonly Artwork[]) => readonly string[]
  /**
   * @param artworks of its kinds, one at least; just one where the format does not hold many
   * @throws AppError INVALID for what the format cannot hold, with the reason
   */
  readonly write?: (artworks: readonly Artwork[], options: ExportOptions) => Uint8Array
}
