/** Characters, the text screen and the bitmap in the editor, all in the memory of a machine. */
import { decodeVideo, isCharacterRom, type VideoMode } from '../../c64/video'
import {
  BITMAP_BYTES,
  CHARACTER_BYTES,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  type Backgrounds,
  type BitmapMode,
  type TextMode,
} from '../artwork'
import { bitmapPixels, characterColours, drawCell, screenPixels } from '../artworkPixels'
import { bytesSeen, type GraphicsImage } from '../grab'
import { bitmapSurface, type FullCell } from './bitmapSurface'
import { blockSurface } from './blockSurface'
import { cellSurface, cellValue, type CellBrush } from './cellSurface'
import { colourIn, formatHex, registerAt, vicPlace, VIC_START, type EditModel, type Place, type Swatch } from './model'
import type { Parts } from './surface'

const COLOUR_RAM = 0xd800
const ALL = 'the whole screen'
const CHARACTER_SET = 0x800

export const textModeOf = (mode: VideoMode): TextMode =>
  mode === 'multicolourText' || mode === 'extendedText' ? mode : 'text'

const backgroundIn = (parts: Parts, vic: number, n: number): number => colourIn(parts, vic, 0xd021 + n - VIC_START)

const backgroundsIn = (parts: Parts, vic: number): Backgrounds => [
  backgroundIn(parts, vic, 0),
  backgroundIn(parts, vic, 1),
  backgroundIn(parts, vic, 2),
  backgroundIn(parts, vic, 3),
]

const registerSwatch = (parts: Parts, vic: number, value: number, label: string, address: number): Swatch => ({
  ...{ value, label, source: formatHex(address), shares: ALL, at: registerAt(vic, address) },
  colour: colourIn(parts, vic, address - VIC_START),
})

export interface EditedCharacters {
  readonly address: number
  readonly codes: readonly number[]
  readonly columns: number
  /** Of colour RAM. */
  readonly colour: number
}

export function characterModel(
  { address, codes, columns, colour }: EditedCharacters,
  video: VideoMode,
  space: 'ram' | 'cpu',
): EditModel {
  const mode = textModeOf(video)
  const distinct = [...new Set(codes)]
  const vic = distinct.length
  const isMulticolour = mode === 'multicolourText' && (colour & 8) !== 0
  const surface = blockSurface({
    blocks: codes.map((code) => ({ part: distinct.indexOf(code), isMulticolour })),
    columns: Math.min(columns, codes.length),
    ...{ width: 8, height: 8 },
  })
  const placeOf = (code: number): Place => ({
    ...{ in: 'machine', space, length: CHARACTER_BYTES, address: (address + code * CHARACTER_BYTES) & 0xffff },
  })
  const own = (value: number, label: string): Swatch => ({
    ...{ value, label, source: 'colour RAM', at: null, shares: null },
    colour: mode === 'multicolourText' ? colour & 7 : colour & 15,
  })
  return {
    ...{ key: `characters ${address} ${codes.join()} ${columns} ${mode} ${isMulticolour}`, surface, scale: 1 },
    title: `Character ${codes[0] ?? 0} at ${formatHex(address + (codes[0] ?? 0) * CHARACTER_BYTES)}`,
    places: [...distinct.map(placeOf), vicPlace],
    grid: { x: 8, y: 8 },
    swatches: (parts) =>
      isMulticolour
        ? [...['00', '01', '10'].map((label, n) => registerSwatch(parts, vic, n, label, 0xd021 + n)), own(3, '11')]
        : [
            registerSwatch(
              parts,
              vic,
              0,
              '0',
              mode === 'extendedText' ? 0xd021 + (((codes[0] ?? 0) >> 6) & 3) : 0xd021,
            ),
            own(1, '1'),
          ],
    paint: (parts, out) =>
      codes.forEach((code, cell) => {
        const at = Math.floor(cell / columns) * 8 * surface.width + (cell % columns) * 8
        const bytes = parts[distinct.indexOf(code)] ?? new Uint8Array(CHARACTER_BYTES)
        drawCell(out, surface.width, at, bytes, 0, characterColours(mode, code, colour, backgroundsIn(parts, vic)))
      }),
    isMulticolour: mode === 'multicolourText' ? isMulticolour : null,
    modeAt: null,
    note: isCharacterRom(address) ? 'The VIC-II sees character ROM at this address, not the RAM that is edited.' : null,
  }
}

export function screenModel(image: GraphicsImage, brush: CellBrush, space: 'ram' | 'cpu'): EditModel {
  const video = decodeVideo(image.io)
  const mode = textModeOf(video.mode)
  const vic = 2
  const clearColour = (image.io[0x800] ?? 0x0e) & 0x0f
  const characters = bytesSeen(image, video.characters, CHARACTER_SET)
  return {
    ...{ key: `screen ${video.screen} ${mode} ${brush}`, scale: 8, isMulticolour: null, modeAt: null },
    title: `Screen ${formatHex(video.screen)}`,
    surface: cellSurface(brush, clearColour),
    places: [
      { in: 'machine', space, address: video.screen, length: SCREEN_CELLS },
      { in: 'machine', space: 'colorRam', address: COLOUR_RAM, length: SCREEN_CELLS },
      vicPlace,
    ],
    grid: { x: 1, y: 1 },
    swatches: (parts) =>
      Array.from({ length: mode === 'text' ? 1 : mode === 'extendedText' ? 4 : 3 }, (_, n) =>
        registerSwatch(parts, vic, cellValue(0x20, 0), mode === 'text' ? 'background' : `background ${n}`, 0xd021 + n),
      ),
    paint: (parts, out) => {
      const backgrounds = backgroundsIn(parts, vic)
      const [codes = new Uint8Array(), colours = new Uint8Array()] = parts
      const { pixels } = screenPixels(
        {
          ...{ kind: 'screen', name: '', mode, columns: SCREEN_COLUMNS, rows: SCREEN_ROWS, codes, characters },
          ...{ colours: colours.map((colour) => colour & 0x0f), backgrounds, border: 0 },
        },
        characters,
      )
      out.set(pixels)
    },
    paintsFrom: characters,
    note: null,
  }
}

/** Null where the VIC-II shows no bitmap. */
export function bitmapModel(image: GraphicsImage, whenFull: FullCell, space: 'ram' | 'cpu'): EditModel | null {
  const video = decodeVideo(image.io)
  if (video.mode !== 'bitmap' && video.mode !== 'multicolourBitmap') return null
  const mode: BitmapMode = video.mode
  const vic = 3
  const background = (image.io[0x21] ?? 0) & 0x0f
  return {
    ...{ key: `bitmap ${video.bitmap} ${video.screen} ${mode} ${whenFull} ${background}`, scale: 1, modeAt: null },
    ...{ title: `Bitmap ${formatHex(video.bitmap)}`, isMulticolour: null },
    surface: bitmapSurface(mode, background, whenFull),
    places: [
      { in: 'machine', space, address: video.bitmap, length: BITMAP_BYTES },
      { in: 'machine', space, address: video.screen, length: SCREEN_CELLS },
      { in: 'machine', space: 'colorRam', address: COLOUR_RAM, length: SCREEN_CELLS },
      vicPlace,
    ],
    grid: { x: 8, y: 8 },
    swatches: (parts) =>
      mode === 'multicolourBitmap' ? [registerSwatch(parts, vic, background, 'background', 0xd021)] : [],
    paint: (parts, out) => {
      const [bitmap = new Uint8Array(), screen = new Uint8Array(), colours = new Uint8Array()] = parts
      const { pixels } = bitmapPixels({
        ...{ kind: 'bitmap', name: '', mode, bitmap, screen, colours, border: 0 },
        background: backgroundIn(parts, vic, 0),
      })
      out.set(pixels)
    },
    note: null,
  }
}
