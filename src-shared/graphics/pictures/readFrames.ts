/** Pictures that are shown one after the other, as sprites with an animation. */
import type { SpriteSheet } from '../artwork'
import type { ReadArtwork } from '../format'
import { indexedPicture } from './paletteOf'
import { spritesOfPictures } from './pictureArtwork'
import type { PngFrame } from './readPngFile'

const MAX_MS = 60_000

const GRID =
  'Expected sprites of 24 x 21 pixels, characters of 8 x 8 in two colours, or a bitmap of 320 x 200 with the colours of the C64’s cells.'

export function readFrames(frames: readonly PngFrame[]): ReadArtwork {
  const refused = (text: string): ReadArtwork => ({ artworks: [], problems: [{ offset: 0, text }] })
  const pictures = frames.map((frame) => indexedPicture(frame))
  for (const [index, picture] of pictures.entries())
    if ('unknown' in picture) {
      const { colour, x, y } = picture.unknown
      const hex = colour.toString(16).padStart(6, '0').toUpperCase()
      const where = frames.length > 1 ? `picture ${index + 1}, column ${x}, line ${y}` : `column ${x}, line ${y}`
      return refused(`Expected the sixteen colours of one palette, found #${hex} in ${where}.`)
    }
  const all = pictures.flatMap((picture) => ('pixels' in picture ? [picture.pixels] : []))
  const sheet = spritesOfPictures(all)
  if (!sheet) return refused(GRID)
  return { artworks: [frames.length > 1 ? animated(sheet, frames) : sheet], problems: [] }
}

function animated(sheet: SpriteSheet, frames: readonly PngFrame[]): SpriteSheet {
  const each = sheet.sprites.length / frames.length
  return {
    ...sheet,
    animations:
      each === 1
        ? [
            {
              ...{ name: '', isPingPong: false },
              frames: frames.map(({ ms }, sprite) => ({ sprite, ms: Math.min(Math.max(ms, 1), MAX_MS) })),
            },
          ]
        : [],
  }
}
