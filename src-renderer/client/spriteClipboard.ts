import type { SpriteArt } from '@shared/graphics/artwork'
import { create } from 'zustand'

/** Sprites that were copied, to be pasted into the sheet or a machine. */
export const useSpriteClipboard = create<{ readonly sprites: readonly SpriteArt[] }>(() => ({ sprites: [] }))
