import type { Space } from '../../contract/memory'
import type { Backgrounds, TextMode } from '../artwork'
import type { Parts, Surface } from './surface'

/** As a machine would have it: `data` is characters or a bitmap, `registers` are the VIC-II's from $D000. */
export type ArtworkPart = 'data' | 'screen' | 'colours' | 'registers'

export type Place =
  | {
      readonly in: 'machine'
      readonly space: Space
      readonly address: number
      readonly length: number
    }
  | { readonly in: 'sheet'; readonly sprite: number | null; readonly length: number }
  | { readonly in: 'artwork'; readonly artwork: number; readonly part: ArtworkPart }

export interface Swatch {
  readonly value: number
  readonly label: string
  /** 0 to 15. */
  readonly colour: number
  readonly source: string
  /** The byte whose low nibble is the colour; null where only the editor knows it. */
  readonly at: { readonly part: number; readonly offset: number } | null
  /** Only colours 0 to 7: the next bit is the mode. */
  readonly isLow?: boolean
  readonly shares: string | null
}

export interface EditModel {
  /** Another key means another model: a stroke ends there. */
  readonly key: string
  readonly title: string
  readonly surface: Surface
  readonly places: readonly Place[]
  readonly scale: 1 | 8
  readonly grid: { readonly x: number; readonly y: number }
  readonly swatches: (parts: Parts) => readonly Swatch[]
  /** Colours, 0 to 15 or TRANSPARENT, of all pixels: the surface's points times `scale`. */
  readonly paint: (parts: Parts, out: Uint8Array) => void
  readonly isMulticolour: boolean | null
  readonly modeAt: { readonly part: number; readonly offset: number; readonly mask: number } | null
  readonly note: string | null
  readonly text: TextLook | null
}

interface TextLook {
  readonly mode: TextMode
  /** 2,048 bytes. */
  readonly characters: Uint8Array
  readonly isLower: boolean
  readonly backgrounds: (parts: Parts) => Backgrounds
}

export const VIC_START = 0xd000
export const VIC_BYTES = 0x2f
export const vicPlace: Place = { in: 'machine', space: 'io', address: VIC_START, length: VIC_BYTES }

export const registerAt = (part: number, address: number) => ({ part, offset: address - VIC_START })

export const colourIn = (parts: Parts, part: number, offset: number): number => (parts[part]?.[offset] ?? 0) & 0x0f
