import type { Artwork } from '@shared/graphics/artwork'
import { create } from 'zustand'

interface Sheet {
  /** What the person keeps, apart from any machine. */
  readonly artworks: readonly Artwork[]
}

/** Every view adds to it; the view Sheet shows it. */
export const useSheet = create<Sheet>(() => ({ artworks: [] }))

/** Sprites join the sprites that are there; everything else stands for itself. */
export function addToSheet(artwork: Artwork): void {
  useSheet.setState(({ artworks }) => {
    const last = artworks.findLastIndex(({ kind }) => kind === 'sprites')
    const joined = artworks[last]
    if (artwork.kind !== 'sprites' || joined?.kind !== 'sprites') return { artworks: [...artworks, artwork] }
    const sprites = [...joined.sprites, ...artwork.sprites]
    const moved = artwork.animations.map((animation) => ({
      ...animation,
      frames: animation.frames.map((frame) => ({ ...frame, sprite: frame.sprite + joined.sprites.length })),
    }))
    const whole = { ...joined, sprites, animations: [...joined.animations, ...moved] }
    return { artworks: artworks.with(last, whole) }
  })
}
