/** Koala Painter: load address $6000, bitmap, screen, colour RAM, background. */
import { AppError } from '../../contract/errors'
import { BITMAP_BYTES, SCREEN_CELLS, isFli, type Artwork, type Bitmap } from '../artwork'
import type { GraphicsFormat, ReadArtwork } from '../format'

const ADDRESS = 0x6000
const SCREEN = 2 + BITMAP_BYTES
const COLOURS = SCREEN + SCREEN_CELLS
const BACKGROUND = COLOURS + SCREEN_CELLS
const SIZE = BACKGROUND + 1

export const koala: GraphicsFormat = {
  id: 'koala',
  title: 'Koala Painter',
  extensions: ['koa', 'kla'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => {
    const isKoala = file.length === SIZE && file[0] === 0 && file[1] === 0x60
    if (isKoala) return 'likely'
    return koala.extensions.includes(extension) ? 'possible' : 'no'
  },
  read,
  write: (artworks) => write(artworks[0]),
}

function read(file: Uint8Array): ReadArtwork {
  const part = (from: number, length: number) => {
    const bytes = new Uint8Array(length)
    bytes.set(file.subarray(from, from + length))
    return bytes
  }
  const address = (file[0] ?? 0) | ((file[1] ?? 0) << 8)
  const problems = [
    ...(address === ADDRESS
      ? []
      : [{ offset: 0, text: `Expected the load address $6000, found $${address.toString(16).padStart(4, '0')}.` }]),
    ...(file.length === SIZE
      ? []
      : [{ offset: Math.min(file.length, SIZE), text: `Expected ${SIZE} bytes, found ${file.length}.` }]),
  ]
  if (file.length <= 2) return { artworks: [], problems }
  const picture: Bitmap = {
    kind: 'bitmap',
    name: '',
    mode: 'multicolourBitmap',
    bitmap: part(2, BITMAP_BYTES),
    screen: part(SCREEN, SCREEN_CELLS),
    colours: part(COLOURS, SCREEN_CELLS).map((colour) => colour & 0x0f),
    background: (file[BACKGROUND] ?? 0) & 0x0f,
    border: (file[BACKGROUND] ?? 0) & 0x0f,
  }
  return { artworks: [picture], problems }
}

function write(artwork: Artwork | undefined): Uint8Array {
  if (artwork?.kind !== 'bitmap' || artwork.mode !== 'multicolourBitmap' || isFli(artwork))
    throw new AppError('INVALID', 'A Koala picture is a multicolour bitmap without FLI.')
  const file = new Uint8Array(SIZE)
  file.set([ADDRESS & 0xff, ADDRESS >> 8])
  file.set(artwork.bitmap, 2)
  file.set(artwork.screen, SCREEN)
  file.set(artwork.colours, COLOURS)
  file[BACKGROUND] = artwork.background
  return file
}
