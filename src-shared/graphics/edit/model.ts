/** What an editor shows and changes of one thing: its surface, where its bytes lie, its colours. */
import type { Space } from '../../contract/memory'
import type { Backgrounds, TextMode } from '../artwork'
import type { Parts, Surface } from './surface'

/** Of artwork as a machine would have it: `data` is characters or a bitmap, `registers` are the VIC-II's from $D000. */
export type ArtworkPart = 'data' | 'screen' | 'colours' | 'registers'

/** Where the bytes of a part lie. */
export type Place =
  | {
      readonly in: 'machine'
      readonly space: Space
      readonly address: number
      readonly length: number
    }
  /** A sprite of the sheet: its bytes, then its look; or, for null, the three colours that all share. */
  | { readonly in: 'sheet'; readonly sprite: number | null; readonly length: number }
  /** A part of other artwork of the sheet, which has this number there. */
  | { readonly in: 'artwork'; readonly artwork: number; readonly part: ArtworkPart }

/** A colour to draw with. */
export interface Swatch {
  /** What a point then holds. */
  readonly value: number
  /** Its bits. */
  readonly label: string
  /** 0 to 15. */
  readonly colour: number
  /** Where the colour comes from: a register, or words. */
  readonly source: string
  /** The byte whose low nibble is the colour; null where only the editor knows it. */
  readonly at: { readonly part: number; readonly offset: number } | null
  /** Only colours 0 to 7: the bit above them is the mode. */
  readonly isLow?: boolean
  /** What else changes with it; null where nothing does. */
  readonly shares: string | null
}

export interface EditModel {
  /** Another one is another model: a stroke ends there. */
  readonly key: string
  readonly title: string
  readonly surface: Surface
  readonly places: readonly Place[]
  /** Pixels of a point. */
  readonly scale: 1 | 8
  /** Points between two lines of the coarse grid. */
  readonly grid: { readonly x: number; readonly y: number }
  readonly swatches: (parts: Parts) => readonly Swatch[]
  /** Colours, 0 to 15 or TRANSPARENT, of all pixels: the surface's points by `scale`. */
  readonly paint: (parts: Parts, out: Uint8Array) => void
  /** Whether points are bit pairs; null where there are none. */
  readonly isMulticolour: boolean | null
  /** The bit that switches between the modes; null where only the editor knows. */
  readonly modeAt: { readonly part: number; readonly offset: number; readonly mask: number } | null
  /** What the person should know; null for nothing. */
  readonly note: string | null
  /** Of a screen: what its codes show. */
  readonly text: TextLook | null
}

interface TextLook {
  readonly mode: TextMode
  /** 2,048 bytes. */
  readonly characters: Uint8Array
  /** The set with small letters. */
  readonly isLower: boolean
  readonly backgrounds: (parts: Parts) => Backgrounds
}

/** The registers of the VIC-II as a part. */
export const VIC_START = 0xd000
export const VIC_BYTES = 0x2f
export const vicPlace: Place = { in: 'machine', space: 'io', address: VIC_START, length: VIC_BYTES }

/** Of the registers' part. */
export const registerAt = (part: number, address: number) => ({ part, offset: address - VIC_START })

export const colourIn = (parts: Parts, part: number, offset: number): number => (parts[part]?.[offset] ?? 0) & 0x0f
