import type { ArtworkKind, SpriteLook } from '@shared/graphics/artwork'
import { create } from 'zustand'
import { showView } from './navigation'

type SpritePlaces =
  | { readonly in: 'machine'; readonly addresses: readonly number[] }
  | { readonly in: 'sheet'; readonly indexes: readonly number[] }

export interface EditedArtwork {
  readonly kind: Exclude<ArtworkKind, 'sprites'>
  readonly artwork: number
  /** Characters a row. */
  readonly columns: number
}

export type EditedPlace =
  | {
      readonly kind: 'sprites'
      readonly places: SpritePlaces
      readonly columns: number
      /** Each second place is the overlay of the one before. */
      readonly areOverlays: boolean
      readonly look: SpriteLook
    }
  | {
      readonly kind: 'characters'
      readonly address: number
      readonly codes: readonly number[]
      readonly columns: number
      /** Of colour RAM: bit 3 is multicolour in multicolour text. */
      readonly colour: number
    }
  | { readonly kind: 'screen' }
  | { readonly kind: 'bitmap' }

export type Edited = EditedPlace | EditedArtwork

export const isOfSheet = (edited: Edited): edited is EditedArtwork => 'artwork' in edited

export const isInMachine = (edited: Edited): boolean =>
  edited.kind === 'sprites' ? edited.places.in === 'machine' : !isOfSheet(edited)

export const useEdited = create<{ readonly edited: Edited | null }>(() => ({ edited: null }))

/** What is open already stays as it is, with the stroke under way. */
export function openInEditor(edited: Edited): void {
  if (JSON.stringify(edited) !== JSON.stringify(useEdited.getState().edited)) useEdited.setState({ edited })
  void showView('editor')
}
