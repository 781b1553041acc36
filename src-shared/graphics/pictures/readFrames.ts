import type { SpriteSheet } from '../artwork'
import type { ReadArtwork } from '../format'
import { indexedPictures, type PictureColours } from './paletteOf'
import { artworkOfPicture, spritesOfPictures } from './pictureArtwork'
import { viceScreenshot } from './viceScreenshot'
import type { PngFrame } from './readPngFile'

const MAX_MS = 60_000

const GRID =
  'Expected sprites of 24 x 21 pixels, characters of 8 x 8 in two colours, or a bitmap of 320 x 200 with the colours of the C64’s cells.'

export function readFrames(frames: readonly PngFrame[], colours?: PictureColours): ReadArtwork {
  const all = readTogether(frames, colours)
  if (frames.length <= 1 || all.artworks.length > 0) return all
  const first = readTogether(frames.slice(0, 1), colours)
  if (first.artworks.length === 0) return all
  const text = `The file has ${frames.length} pictures; only the first is loaded.`
  return { ...first, notes: [{ offset: 0, text }, ...(first.notes ?? [])] }
}

function readTogether(frames: readonly PngFrame[], colours?: PictureColours): ReadArtwork {
  const refused = (text: string): ReadArtwork => ({ artworks: [], problems: [{ offset: 0, text }] })
  const read = indexedPictures(frames, colours)
  if ('unknown' in read) {
    const { picture, colour, x, y } = read.unknown
    const hex = colour.toString(16).padStart(6, '0').toUpperCase()
    const where = frames.length > 1 ? `picture ${picture + 1}, column ${x}, line ${y}` : `column ${x}, line ${y}`
    return refused(`Expected up to sixteen colours, found one more, #${hex}, in ${where}.`)
  }
  const [first] = read.pictures
  const shot = first && frames.length === 1 ? viceScreenshot(first) : null
  const inside = shot && artworkOfPicture(shot.window)
  if (shot && inside?.kind === 'bitmap') {
    const lost = shot.isPlain ? null : 'Only the window of 320 x 200 is loaded, not what the border shows.'
    const notes = [read.note, lost].flatMap((text) => (text === null ? [] : [{ offset: 0, text }]))
    return { artworks: [{ ...inside, border: shot.border }], problems: [], ...(notes.length > 0 ? { notes } : {}) }
  }
  const single = first && frames.length === 1 ? artworkOfPicture(first) : null
  const sheet = single ? null : spritesOfPictures(read.pictures)
  const artwork = single ?? (sheet && frames.length > 1 ? animated(sheet, frames) : sheet)
  if (!artwork) return refused(GRID)
  return { artworks: [artwork], problems: [], ...noteOf(read.note) }
}

const noteOf = (text: string | null): Pick<ReadArtwork, 'notes'> =>
  text === null ? {} : { notes: [{ offset: 0, text }] }

function animated(sheet: SpriteSheet, frames: readonly PngFrame[]): SpriteSheet {
  const each = sheet.sprites.length / frames.length
  return {
    ...sheet,
    animations:
      each === 1
        ? [
            {
              name: '',
              isPingPong: false,
              frames: frames.map(({ ms }, sprite) => ({ sprite, ms: Math.min(Math.max(ms, 1), MAX_MS) })),
            },
          ]
        : [],
  }
}
