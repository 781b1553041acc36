import { AppError } from '@shared/contract/errors'
import { CHARACTER_BYTES, type Artwork } from '@shared/graphics/artwork'
import { artworkText } from '@shared/graphics/artworkText'
import type { PlainArtwork } from '@shared/graphics/edit/artworkParts'
import { whyNotEdited } from '@shared/graphics/edit/sheetModels'
import { openInEditor } from './edited'
import { notify } from './messages'
import { addToSheet, artworkId, spritesOfSheet, useSheet } from './sheet'

interface Grid {
  readonly columns?: number | undefined
  readonly areOverlays?: boolean
}

export const editLimitOf = (artwork: Artwork): string | null => {
  if (artwork.kind !== 'sprites') return whyNotEdited(artwork)
  return artwork.sprites.length > 0 ? null : 'There is no sprite in it.'
}

export function openFromSheet(artwork: PlainArtwork, columns = usualColumns(artwork)): void {
  openInEditor({ kind: artwork.kind, artwork: artworkId(artwork), columns })
}

function usualColumns(artwork: PlainArtwork): number {
  const count = artwork.kind === 'characters' ? artwork.bytes.length / CHARACTER_BYTES : 0
  return count <= 64 ? 8 : count <= 256 ? 16 : 32
}

/** @throws AppError UNSUPPORTED for what cannot be edited */
export function editInSheet(artwork: Artwork, { columns, areOverlays = false }: Grid = {}): void {
  const limit = editLimitOf(artwork)
  if (limit !== null) throw new AppError('UNSUPPORTED', limit)
  addToSheet(artwork)
  notify(`Kept in the sheet: ${artworkText(artwork)}.`)
  const { artworks } = useSheet.getState()
  if (artwork.kind === 'sprites') {
    const count = artwork.sprites.length
    const all = spritesOfSheet(artworks)?.sheet.sprites.length ?? 0
    const [look] = artwork.sprites
    if (look)
      openInEditor({
        kind: 'sprites',
        columns: columns ?? Math.min(8, count),
        areOverlays,
        look,
        places: { in: 'sheet', indexes: Array.from({ length: count }, (_, n) => all - count + n) },
      })
    return
  }
  const kept = artworks.at(-1)
  if (kept && kept.kind !== 'sprites') openFromSheet(kept, columns)
}
