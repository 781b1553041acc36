/** PNG pictures with a palette. The artwork itself is kept in a text of the file, for as long as the picture shows it. */
import { AppError } from '../../contract/errors'
import type { Artwork } from '../artwork'
import type { ExportOptions, GraphicsFormat, ReadArtwork } from '../format'
import { artworkPicture, enlarged } from '../pictures/artworkPicture'
import { indexedPng } from '../pictures/indexedPng'
import { isShown, KEYWORD, keptText, readKept } from '../pictures/keptArtwork'
import { artworkOfPicture, spritesOfPictures } from '../pictures/pictureArtwork'
import { indexedPicture } from '../pictures/paletteOf'
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

function read(file: Uint8Array): ReadArtwork {
  const { frames, problems, text } = readPngFile(file, KEYWORD)
  const [frame] = frames
  if (!frame) return { artworks: [], problems }
  if (frames.length > 1) return readFrames(frames)
  const kept = text && readKept(text)
  const indexed = indexedPicture(frame, kept ? [kept.options.palette] : [])
  if (!('pixels' in indexed)) return readFrames(frames)
  if (kept?.artwork && isShown(kept, indexed.pixels)) return { artworks: [kept.artwork], problems: [] }
  const artwork = artworkOfPicture(indexed.pixels) ?? spritesOfPictures([indexed.pixels])
  return artwork ? { artworks: [artwork], problems: [] } : readFrames(frames)
}
