import { decodeVideo } from '@shared/c64/video'
import { spriteAddresses, spriteLookOf, type GraphicsImage } from '@shared/graphics/grab'
import { likelyFli } from '@shared/graphics/fli'
import type { EditModel } from '@shared/graphics/edit/model'
import { bitmapModel, characterModel, screenModel } from '@shared/graphics/edit/screenModels'
import { sheetModel } from '@shared/graphics/edit/sheetModels'
import { machineSpriteModel, sheetSpriteModel, type LayerLook } from '@shared/graphics/edit/spriteModel'
import { chosenNow } from '../../client/chosen'
import { isOfSheet, openInEditor, type Edited, type EditedArtwork, type EditedPlace } from '../../client/edited'
import { frontMachine, limitOf } from '../../client/machines'
import { notify } from '../../client/messages'
import { artworkById, useSheet } from '../../client/sheet'
import { characterRomNow } from '../../frames/characterRom'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { writtenLately } from '../../frames/writtenRegisters'
import { spriteMemoryNow } from '../../frames/sprites'
import { useEditor } from './editorState'
import { sheetSprites } from './sheetBytes'

export function modelNow(edited: Edited, image: GraphicsImage | null, looks: readonly LayerLook[]): EditModel | string {
  if (isOfSheet(edited)) return artworkModel(edited)
  if (edited.kind === 'sprites' && edited.places.in === 'sheet') {
    const sheet = sheetSprites()
    const grid = { ...edited, layer: layerNow(), indexes: edited.places.indexes }
    return (sheet && sheetSpriteModel(sheet, grid)) ?? 'This sprite is no longer in the sheet.'
  }
  if (!image) return waitingReason()
  return machineModel(edited, image, looks)
}

const waitingReason = (): string =>
  limitOf(frontMachine(), 'readMemory') === null
    ? 'Waiting for the first frame…'
    : 'The memory of this machine cannot be seen now.'

function artworkModel(edited: EditedArtwork): EditModel | string {
  const artwork = artworkById(useSheet.getState().artworks, edited.artwork)
  if (!artwork || artwork.kind === 'sprites') return 'This is no longer in the sheet.'
  return sheetModel(artwork, {
    artwork: edited.artwork,
    columns: edited.columns,
    cursor: useEditor.getState().cursor,
    brush: chosenNow('editor.brush'),
    whenFull: chosenNow('editor.fullCell'),
    ...characterRomNow(),
  })
}

const layerNow = (): 0 | 1 => (chosenNow('editor.layer') === 'overlay' ? 1 : 0)

function machineModel(edited: EditedPlace, image: GraphicsImage, looks: readonly LayerLook[]): EditModel | string {
  const space = spriteMemoryNow()
  const { mode } = decodeVideo(image.io)
  if (edited.kind === 'bitmap')
    return likelyFli(image, writtenLately())
      ? 'This is likely a picture in FLI, with other colours in each line: the editor changes plain bitmaps only. The view Pictures shows and keeps it.'
      : (bitmapModel(image, chosenNow('editor.fullCell'), space) ?? 'The VIC-II shows no bitmap now.')
  if (edited.kind === 'screen')
    return mode === 'bitmap' || mode === 'multicolourBitmap' || mode === 'invalid'
      ? 'The VIC-II shows no text screen now.'
      : screenModel(image, chosenNow('editor.brush'), space)
  if (edited.kind === 'characters') {
    const colour = looks[0]?.colour ?? edited.colour
    return characterModel({ ...edited, colour }, mode, space)
  }
  if (edited.places.in === 'sheet') return 'This sprite is no longer in the sheet.'
  return machineSpriteModel({
    ...edited,
    addresses: edited.places.addresses,
    shown: spriteAddresses(image),
    layer: layerNow(),
    looks,
    space,
    registers: image.io.subarray(0, 0x2f),
  })
}

export function looksOf(edited: Edited | null): readonly LayerLook[] {
  if (!edited || isOfSheet(edited)) return []
  if (edited.kind === 'characters') return [{ colour: edited.colour, multicolour: (edited.colour & 8) !== 0 }]
  if (edited.kind !== 'sprites') return []
  const { colour, multicolour } = edited.look
  return [
    { colour, multicolour },
    { colour: 0, multicolour: false },
  ]
}

export function openFirstSprite(): void {
  const image = graphicsImageNow()
  const address = image ? spriteAddresses(image)[0] : undefined
  if (!image || address === undefined) {
    notify(limitOf(frontMachine(), 'readMemory') ?? 'No frame has come from the machine yet.')
    return
  }
  openInEditor({
    kind: 'sprites',
    places: { in: 'machine', addresses: [address] },
    columns: 1,
    areOverlays: false,
    look: spriteLookOf(image, 0),
  })
}
