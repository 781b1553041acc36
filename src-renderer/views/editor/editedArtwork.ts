import type { Artwork } from '@shared/graphics/artwork'
import { withOrder } from '@shared/graphics/editSheet'
import type { ExportSubject } from '../../client/artworkSources'
import { isOfSheet, useEdited, type Edited } from '../../client/edited'
import { artworkById, useSheet } from '../../client/sheet'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { artworkInMemory } from './artworkInMemory'
import { session } from './session'
import { sheetSprites } from './sheetBytes'

export function editedSubjects(): ExportSubject[] {
  const { edited } = useEdited.getState()
  const artwork = edited && editedArtwork(edited)
  return artwork ? [{ title: 'What is open', name: artwork.name || artwork.kind, artworks: [artwork] }] : []
}

export function editedArtwork(edited: Edited): Artwork | null {
  if (isOfSheet(edited)) return artworkById(useSheet.getState().artworks, edited.artwork) ?? null
  if (edited.kind === 'sprites' && edited.places.in === 'sheet') {
    const sheet = sheetSprites()
    return sheet && withOrder(sheet, edited.places.indexes)
  }
  const image = graphicsImageNow()
  return image && artworkInMemory(edited, session.covered(image))
}
