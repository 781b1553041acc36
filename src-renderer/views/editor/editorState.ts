import type { Swatch } from '@shared/graphics/edit/model'
import type { Area } from '@shared/graphics/edit/surface'
import type { Spot } from '@shared/graphics/edit/shapes'
import { create } from 'zustand'

interface EditorState {
  readonly thing: string
  readonly title: string
  readonly reason: string | null
  readonly note: string | null
  readonly swatches: readonly Swatch[]
  readonly isMulticolour: boolean | null
  /** A bit pair, or a colour of a bitmap. */
  readonly value: number
  readonly code: number
  readonly colour: number
  readonly cursor: Spot
  readonly selection: Area | null
  /** Null where it fits the space. */
  readonly zoom: number | null
  readonly hasCopy: boolean
}

export const useEditor = create<EditorState>(() => ({
  thing: '',
  title: '',
  reason: null,
  note: null,
  swatches: [],
  isMulticolour: null,
  value: 1,
  code: 0x51,
  colour: 1,
  cursor: { x: 0, y: 0 },
  selection: null,
  zoom: null,
  hasCopy: false,
}))
