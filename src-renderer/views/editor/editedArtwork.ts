import { formatAddress } from '@shared/c64/address'
import type { Artwork, SpriteArt } from '@shared/graphics/artwork'
import { charactersOnly } from '@shared/graphics/charactersShown'
import { withOrder } from '@shared/graphics/editSheet'
import {
  grabBitmap,
  grabCharacters,
  grabScreen,
  sharedSpriteColours,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from '@shared/graphics/grab'
import type { ExportSubject } from '../../client/artworkSources'
import { useEdited, type Edited } from '../../client/edited'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteMemoryNow } from '../../frames/sprites'
import { session } from './session'
import { sheetSprites } from './sheetBytes'

/** What the editor has open, as it is now. */
export function editedSubjects(): ExportSubject[] {
  const { edited } = useEdited.getState()
  const artwork = edited && artworkOf(edited)
  return artwork ? [{ title: 'What is open', name: artwork.kind, artworks: [artwork] }] : []
}

function artworkOf(edited: Edited): Artwork | null {
  if (edited.kind === 'sprites' && edited.places.in === 'sheet') {
    const sheet = sheetSprites()
    return sheet && withOrder(sheet, edited.places.indexes)
  }
  const image = graphicsImageNow(spriteMemoryNow())
  return image && machineArtwork(edited, session.covered(image))
}

function machineArtwork(edited: Edited, image: GraphicsImage): Artwork | null {
  switch (edited.kind) {
    case 'sprites': {
      const { places, areOverlays, look } = edited
      if (places.in === 'sheet') return null
      const shown = spriteAddresses(image)
      const sprites = places.addresses.map((address, n): SpriteArt => {
        const by = shown.indexOf(address)
        const art = spriteAt(image, address, by < 0 ? look : spriteLookOf(image, by))
        return { ...art, overlay: areOverlays && n % 2 === 1 }
      })
      return { kind: 'sprites', name: '', animations: [], sprites, ...sharedSpriteColours(image) }
    }
    case 'characters': {
      const set = { ...grabCharacters(image, edited.address), colour: edited.colour }
      return charactersOnly(set, edited.codes, formatAddress(edited.address))
    }
    case 'screen':
      return grabScreen(image)
    case 'bitmap':
      return grabBitmap(image)
  }
}
