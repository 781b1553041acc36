import { AppError } from '@shared/contract/errors'
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
import { openInEditor, useEdited, type Edited } from '../../client/edited'
import { notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { addToSheet } from '../../client/sheet'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteMemoryNow } from '../../frames/sprites'
import { session } from './session'
import { sheetSprites } from './sheetBytes'

/** Keeps what is edited as it is shown, with what was not written; its sprites can be edited there. */
export function keepEdited(): void {
  const { edited } = useEdited.getState()
  const image = graphicsImageNow(spriteMemoryNow())
  if (!edited || (edited.kind === 'sprites' && edited.places.in === 'sheet') || !image)
    throw new AppError('CONFLICT', 'The editor shows nothing of a machine.')
  const artwork = artworkOf(edited, session.covered(image))
  if (!artwork) throw new AppError('CONFLICT', 'The VIC-II shows no picture now.')
  const first = sheetSprites()?.sprites.length ?? 0
  addToSheet(artwork)
  if (artwork.kind !== 'sprites' || edited.kind !== 'sprites') {
    const show = { label: 'Show sheet', run: () => void showView('sheet') }
    notify('Kept in the sheet. The editor changes only the sprites of the sheet.', null, show)
    return
  }
  const indexes = artwork.sprites.map((_, index) => first + index)
  openInEditor({ ...edited, places: { in: 'sheet', indexes } })
}

function artworkOf(edited: Edited, image: GraphicsImage): Artwork | null {
  if (edited.kind === 'screen' || edited.kind === 'bitmap') return grabShown(image)
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
