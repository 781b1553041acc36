import { formatAddress } from '@shared/c64/address'
import type { Artwork, SpriteArt } from '@shared/graphics/artwork'
import { charactersOnly } from '@shared/graphics/charactersShown'
import {
  grabCharacters,
  grabShown,
  sharedSpriteColours,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from '@shared/graphics/grab'
import type { EditedPlace } from '../../client/edited'

export function artworkInMemory(edited: EditedPlace, image: GraphicsImage): Artwork | null {
  if (edited.kind === 'screen' || edited.kind === 'bitmap') {
    const shown = grabShown(image)
    return shown?.kind === edited.kind ? shown : null
  }
  if (edited.kind === 'characters') {
    const set = { ...grabCharacters(image, edited.address), colour: edited.colour }
    return charactersOnly(set, edited.codes, formatAddress(edited.address))
  }
  const { places, look, areOverlays } = edited
  if (places.in === 'sheet') return null
  const shown = spriteAddresses(image)
  const sprites = places.addresses.map((address, index): SpriteArt => {
    const n = shown.indexOf(address)
    const overlay = areOverlays && index % 2 === 1
    return { ...spriteAt(image, address, n < 0 ? look : spriteLookOf(image, n)), overlay }
  })
  return { kind: 'sprites', name: 'Sheet', sprites, animations: [], ...sharedSpriteColours(image) }
}
