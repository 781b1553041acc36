import type { ArtworkKind, SpriteLook } from '@shared/graphics/artwork'
import { create } from 'zustand'
import { showView } from './navigation'

/** Of sprites: in RAM of the machine in front, or in the sheet. Which of them, in the order of the grid's cells. */
type SpritePlaces =
  | { readonly in: 'machine'; readonly addresses: readonly number[] }
  | { readonly in: 'sheet'; readonly indexes: readonly number[] }

/** Characters, a screen or a bitmap of the sheet, whole. */
export interface EditedArtwork {
  readonly kind: Exclude<ArtworkKind, 'sprites'>
  /** Its number in the sheet. */
  readonly artwork: number
  /** Characters a row. */
  readonly columns: number
}

/** Sprites of the machine or the sheet, else what is in the machine. */
export type EditedPlace =
  | {
      readonly kind: 'sprites'
      readonly places: SpritePlaces
      /** Sprites a row of the grid. */
      readonly columns: number
      /** Pairs of places stand over each other: each second one is the overlay. */
      readonly areOverlays: boolean
      /** Of sprites in the machine; those of the sheet have their own. */
      readonly look: SpriteLook
    }
  | {
      readonly kind: 'characters'
      /** Of the set, in RAM of the machine in front. */
      readonly address: number
      /** In the order of the grid's cells. */
      readonly codes: readonly number[]
      readonly columns: number
      /** Of colour RAM: bit 3 is multicolour in multicolour text. */
      readonly colour: number
    }
  /** The screen that the VIC-II shows: codes and colours. */
  | { readonly kind: 'screen' }
  /** The bitmap that the VIC-II shows. */
  | { readonly kind: 'bitmap' }

/** What the editor has open. */
export type Edited = EditedPlace | EditedArtwork

export const isOfSheet = (edited: Edited): edited is EditedArtwork => 'artwork' in edited

/** Whether it lies in a machine. */
export const isInMachine = (edited: Edited): boolean =>
  edited.kind === 'sprites' ? edited.places.in === 'machine' : !isOfSheet(edited)

/** Null while nothing is open. */
export const useEdited = create<{ readonly edited: Edited | null }>(() => ({ edited: null }))

/** Opens it in the editor and shows that. What is open already stays as it is, with the stroke under way. */
export function openInEditor(edited: Edited): void {
  if (JSON.stringify(edited) !== JSON.stringify(useEdited.getState().edited)) useEdited.setState({ edited })
  void showView('editor')
}
