import { AppError } from '../../contract/errors'
import type { Artwork } from '../artwork'
import type { ExportOptions, GraphicsFormat, ReadArtwork, ReadOptions } from '../format'
import { artworkPicture, enlarged } from '../pictures/artworkPicture'
import { indexedPng } from '../pictures/indexedPng'
import { isShown, KEYWORD, keptText, readKept } from '../pictures/keptArtwork'
import { indexedPictures } from '../pictures/paletteOf'
import { isPng, readPngFile } from '../pictures/readPngFile'
import { readFrames } from '../pictures/readFrames'

export const png: GraphicsFormat = {
  id: 'png',
  title: 'PNG picture',
  extensions: ['png'],
  kinds: ['sprites', 'characters', 'screen', 'bitmap'],
  holdsMany: false,
  options: ['palette', 'scale', 'isTransparent', 'columns', 'aspect', 'romCharacters'],
  likeness: (file) => (isPng(file) ? 'likely' : 'no'),
  read,
  write: ([artwork], options) => write(artwork, options),
}

function write(artwork: Artwork | undefined, options: ExportOptions): Uint8Array {
  if (!artwork) throw new AppError('INVALID', 'There is nothing to draw.')
  const picture = enlarged(artworkPicture(artwork, options), options)
  if (picture.pixels.length === 0) throw new AppError('INVALID', 'There is nothing to draw.')
  return indexedPng(picture, options.palette, { keyword: KEYWORD, text: keptText(artwork, options) })
}

function read(file: Uint8Array, { palette, shownPalette }: ReadOptions = {}): ReadArtwork {
  const { frames, problems, text } = readPngFile(file, KEYWORD)
  const [frame] = frames
  if (!frame) return { artworks: [], problems }
  const kept = text && readKept(text)
  const own = kept?.options.palette
  const shown = kept && frames.length === 1 ? indexedPictures([frame], own && { own }) : null
  if (shown && 'pictures' in shown && kept?.artwork && shown.pictures.some((picture) => isShown(kept, picture)))
    return { artworks: [kept.artwork], problems: [] }
  return readFrames(frames, { given: palette, shown: shownPalette, ...(own ? { own } : {}) })
}
