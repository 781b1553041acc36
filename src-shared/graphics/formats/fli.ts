/**
 * Multicolour FLI: colour RAM, eight screens of 1,024 bytes each, bitmap. FLI Graph and FLI Designer load to $3C00 and have
 * a black background; Blackmail FLI loads to $3B00 and begins with a background for each of the 200 lines.
 */
import { BITMAP_BYTES, SCREEN_CELLS, isFli, type Artwork, type Bitmap } from '../artwork'
import type { FormatProblem, GraphicsFormat, ReadArtwork } from '../format'
import { fixedFile, fixedLikeness, newFixedFile, type FixedLayout } from './fixedFile'
import { cannotHold } from './readBytes'

const KIB = 1024
const SCREENS = 8
const LINES = 200
const PAGE = 0x100

interface FliFormat {
  readonly layout: FixedLayout
  readonly colours: number
  readonly hasBackgrounds: boolean
}

const SIZE = 2 + KIB + SCREENS * KIB + BITMAP_BYTES
const designer: FliFormat = {
  // FLI Designer saves up to $7FFE.
  layout: { address: 0x3c00, sizes: [SIZE, 0x4400 + 1, 0x4400 + 2] },
  colours: 2,
  hasBackgrounds: false,
}
const blackmail: FliFormat = {
  layout: { address: 0x3b00, sizes: [SIZE + PAGE] },
  colours: 2 + PAGE,
  hasBackgrounds: true,
}

export const fliDesigner: GraphicsFormat = {
  id: 'fli-designer',
  title: 'FLI Designer',
  extensions: ['fli', 'fd2'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => fixedLikeness(file, designer.layout, fliDesigner.extensions.includes(extension)),
  read: (file) => read(file, designer),
  write: (artworks) => write(artworks[0], designer),
}

export const blackmailFli: GraphicsFormat = {
  id: 'blackmail-fli',
  title: 'Blackmail FLI',
  extensions: ['bml', 'fli'],
  kinds: ['bitmap'],
  holdsMany: false,
  options: [],
  likeness: (file, extension) => fixedLikeness(file, blackmail.layout, blackmailFli.extensions.includes(extension)),
  read: (file) => read(file, blackmail),
  write: (artworks) => write(artworks[0], blackmail),
}

function read(bytes: Uint8Array, { layout, colours, hasBackgrounds }: FliFormat): ReadArtwork {
  const file = fixedFile(bytes, layout)
  if (file.isEmpty) return { artworks: [], problems: file.problems }
  const screen = new Uint8Array(SCREENS * SCREEN_CELLS)
  for (let line = 0; line < SCREENS; line++)
    screen.set(file.part(colours + KIB + line * KIB, SCREEN_CELLS), line * SCREEN_CELLS)
  const background = hasBackgrounds ? file.colour(2) : 0
  const picture: Bitmap = {
    kind: 'bitmap',
    name: '',
    mode: 'multicolourBitmap',
    bitmap: file.part(colours + KIB + SCREENS * KIB, BITMAP_BYTES),
    screen,
    colours: file.part(colours, SCREEN_CELLS).map((colour) => colour & 0x0f),
    background,
    border: background,
  }
  const notes = [...file.notes, ...(hasBackgrounds ? otherBackgrounds(bytes) : [])]
  return { artworks: [picture], problems: file.problems, notes }
}

function otherBackgrounds(bytes: Uint8Array): FormatProblem[] {
  const first = (bytes[2] ?? 0) & 0x0f
  const other = bytes.subarray(2, 2 + LINES).findIndex((colour) => (colour & 0x0f) !== first)
  if (other < 0) return []
  return [{ offset: 2 + other, text: `Line ${other} has a background of its own; all lines are loaded with ${first}.` }]
}

function write(artwork: Artwork | undefined, { layout, colours, hasBackgrounds }: FliFormat): Uint8Array {
  if (artwork?.kind !== 'bitmap' || artwork.mode !== 'multicolourBitmap' || !isFli(artwork))
    throw cannotHold('This format holds multicolour FLI pictures only, which have eight screens.')
  if (!hasBackgrounds && artwork.background !== 0)
    throw cannotHold(`A FLI Designer picture has a black background, this one has colour ${artwork.background}.`)
  const file = newFixedFile(layout)
  if (hasBackgrounds) file.fill(artwork.background, 2, 2 + LINES)
  file.set(artwork.colours, colours)
  for (let line = 0; line < SCREENS; line++)
    file.set(artwork.screen.subarray(line * SCREEN_CELLS, (line + 1) * SCREEN_CELLS), colours + KIB + line * KIB)
  file.set(artwork.bitmap, colours + KIB + SCREENS * KIB)
  return file
}
