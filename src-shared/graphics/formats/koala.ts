/** Koala Painter: load address $6000, bitmap, screen, colour RAM, background. */
import { BITMAP_BYTES, SCREEN_CELLS, isFli, type Artwork, type Bitmap } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { fixedFile, fixedLikeness, newFixedFile, type FixedLayout } from './fixedFile'
import { cannotHold } from './readBytes'

const SCREEN = 2 + BITMAP_BYTES
const COLOURS = SCREEN + SCREEN_CELLS
const BACKGROUND = COLOURS + SCREEN_CELLS
const layout: FixedLayout = { address: 0x6000, sizes: [BACKGROUND + 1] }

export const koala: GraphicsFormat = {
  id: 'koala',
  title: 'Koala Painter',
  extensions: ['koa', 'kla', 'koala'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => fixedLikeness(file, layout, koala.extensions.includes(extension)),
  read,
  write: (artworks) => write(artworks[0]),
}

function read(bytes: Uint8Array): ReadArtwork {
  const file = fixedFile(bytes, layout)
  if (file.isEmpty) return { artworks: [], problems: file.problems }
  const picture: Bitmap = {
    kind: 'bitmap',
    name: '',
    mode: 'multicolourBitmap',
    bitmap: file.part(2, BITMAP_BYTES),
    screen: file.part(SCREEN, SCREEN_CELLS),
    colours: file.part(COLOURS, SCREEN_CELLS).map((colour) => colour & 0x0f),
    background: file.colour(BACKGROUND),
    border: file.colour(BACKGROUND),
  }
  return { artworks: [picture], problems: file.problems, notes: file.notes }
}

function write(artwork: Artwork | undefined): Uint8Array {
  if (artwork?.kind !== 'bitmap' || artwork.mode !== 'multicolourBitmap' || isFli(artwork))
    throw cannotHold('A Koala picture is a multicolour bitmap without FLI.')
  const file = newFixedFile(layout)
  file.set(artwork.bitmap, 2)
  file.set(artwork.screen, SCREEN)
  file.set(artwork.colours, COLOURS)
  file[BACKGROUND] = artwork.background
  return file
}
