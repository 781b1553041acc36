/**
 * OCP Art Studio: load address $2000, bitmap, screen; then border in hires, or border, background, 14 unused bytes and
 * colour RAM in multicolour (Advanced Art Studio).
 */
import { BITMAP_BYTES, SCREEN_CELLS, isFli, type Artwork, type Bitmap, type BitmapMode } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'
import { fixedFile, fixedLikeness, newFixedFile, type FixedLayout } from './fixedFile'
import { cannotHold } from './readBytes'

const SCREEN = 2 + BITMAP_BYTES
const BORDER = SCREEN + SCREEN_CELLS
const BACKGROUND = BORDER + 1
const COLOURS = BORDER + 16
const hires: FixedLayout = { address: 0x2000, sizes: [BORDER + 7, BORDER + 1, BORDER] }
const multicolour: FixedLayout = { address: 0x2000, sizes: [COLOURS + SCREEN_CELLS] }

export const artStudio: GraphicsFormat = {
  id: 'art-studio',
  title: 'Art Studio',
  extensions: ['art', 'ocp', 'aas'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => fixedLikeness(file, hires, artStudio.extensions.includes(extension)),
  read: (file) => read(file, 'bitmap'),
  write: (artworks) => write(artworks[0], 'bitmap'),
}

export const advancedArtStudio: GraphicsFormat = {
  id: 'advanced-art-studio',
  title: 'Advanced Art Studio',
  extensions: ['ocp', 'mpic', 'art'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => fixedLikeness(file, multicolour, advancedArtStudio.extensions.includes(extension)),
  read: (file) => read(file, 'multicolourBitmap'),
  write: (artworks) => write(artworks[0], 'multicolourBitmap'),
}

function read(bytes: Uint8Array, mode: BitmapMode): ReadArtwork {
  const isHires = mode === 'bitmap'
  const file = fixedFile(bytes, isHires ? hires : multicolour)
  if (file.isEmpty) return { artworks: [], problems: file.problems }
  const picture: Bitmap = {
    kind: 'bitmap',
    name: '',
    mode,
    bitmap: file.part(2, BITMAP_BYTES),
    screen: file.part(SCREEN, SCREEN_CELLS),
    colours: isHires ? new Uint8Array(SCREEN_CELLS) : file.part(COLOURS, SCREEN_CELLS).map((colour) => colour & 0x0f),
    background: file.colour(isHires ? BORDER : BACKGROUND),
    border: file.colour(BORDER),
  }
  return { artworks: [picture], problems: file.problems, notes: file.notes }
}

function write(artwork: Artwork | undefined, mode: BitmapMode): Uint8Array {
  const isHires = mode === 'bitmap'
  if (artwork?.kind !== 'bitmap' || artwork.mode !== mode || isFli(artwork))
    throw cannotHold(
      isHires
        ? 'An Art Studio picture is a hires bitmap without FLI.'
        : 'An Advanced Art Studio picture is a multicolour bitmap without FLI.',
    )
  const file = newFixedFile(isHires ? hires : multicolour)
  file.set(artwork.bitmap, 2)
  file.set(artwork.screen, SCREEN)
  file[BORDER] = artwork.border
  if (isHires) return file
  file[BACKGROUND] = artwork.background
  file.set(artwork.colours, COLOURS)
  return file
}
