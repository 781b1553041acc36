import { graphicsExtensions } from '@shared/contract/graphics'
import { toFailure } from '@shared/contract/errors'
import type { Artwork } from '@shared/graphics/artwork'
import { exportOptions } from '@shared/graphics/exportOptions'
import type { GraphicsFormat } from '@shared/graphics/format'
import { formatNamed } from '@shared/graphics/formats'
import { writeGraphicsFile } from '@shared/graphics/graphicsFile'
import { call } from '../../client/call'
import { chosenNow } from '../../client/chosen'
import { fileNameOf, notifySaved } from '../../client/savedFile'
import type { ChosenOf } from '../../client/viewChoices'
import { currentColours } from '../../frames/screenOptions'
import { requireConversion } from './studio'

export type SaveAs = ChosenOf<'studio.saveAs'>

function usualFormat(artwork: Artwork): string {
  if (artwork.kind === 'sprites') return 'spritepad-5'
  if (artwork.kind !== 'bitmap') return 'charpad'
  return artwork.mode === 'multicolourBitmap' ? 'koala' : 'art-studio'
}

/** `usual` depends on what was made: Koala Painter for a multicolour bitmap. */
export function formatFor(artwork: Artwork, choice: SaveAs): GraphicsFormat {
  const id = choice === 'usual' ? usualFormat(artwork) : choice
  const format = formatNamed(id)
  if (!format) throw new Error(`no format ${id}`)
  return format
}

/** @throws AppError INVALID for what the format cannot hold, with the reason */
function fileOf(artwork: Artwork, choice: SaveAs): Uint8Array {
  const { scale, columns, address, frameMs, animation } = exportOptions
  return writeGraphicsFile(formatFor(artwork, choice), [artwork], {
    name: nameOf(artwork),
    numbers: 'hex',
    palette: currentColours(),
    isTransparent: true,
    aspect: 'square',
    scale: scale.usual,
    columns: columns.usual,
    address: address.usual,
    frameMs: frameMs.usual,
    animation: animation.usual,
    romCharacters: new Uint8Array(),
  })
}

const nameOf = ({ name }: Artwork): string => name || 'picture'

/** Why the format cannot hold this; null where it can. */
export function saveLimit(artwork: Artwork, choice: SaveAs): string | null {
  try {
    fileOf(artwork, choice)
    return null
  } catch (error) {
    return toFailure(error).message
  }
}

export async function savePicture(): Promise<void> {
  const { artwork } = requireConversion()
  const choice = chosenNow('studio.saveAs')
  const bytes = fileOf(artwork, choice)
  const { extensions, leavesOut } = formatFor(artwork, choice)
  const extension = graphicsExtensions.find((each) => each === extensions[0]) ?? 'bin'
  const { saved } = await call('graphics.saveFile', { bytes, name: fileNameOf(nameOf(artwork)), extension })
  const missing = [...new Set(leavesOut?.([artwork]) ?? [])]
  notifySaved(saved, missing.length === 0 ? '' : `Not in the file: ${missing.join(', ')}.`)
}
