import type { SpriteArt } from '@shared/graphics/artwork'
import { create } from 'zustand'

export const useSpriteClipboard = create<{ readonly sprites: readonly SpriteArt[] }>(() => ({ sprites: [] }))
