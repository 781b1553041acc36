import { formatAddress } from '../../c64/address'
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
import { charactersDrawn, type GraphicsImage } from '../grab'
import { bitmapSurface, type FullCell } from './bitmapSurface'
import { blockSurface, type Block } from './blockSurface'
import { cellSurface, cellValue, type CellBrush } from './cellSurface'
import { colourIn, registerAt, vicPlace, VIC_START, type EditModel, type Place, type Swatch } from './model'
import type { Parts } from './surface'

const COLOUR_RAM = 0xd800

const textModeOf = (mode: VideoMode): TextMode =>
  mode === 'multicolourText' || mode === 'extendedText' ? mode : 'text'

export interface RegisterNames {
  readonly nameOf: (address: number) => string
  readonly shares: string
}

const machineNames: RegisterNames = { nameOf: formatAddress, shares: 'the whole screen' }

const backgroundIn = (parts: Parts, vic: number, n: number): number => colourIn(parts, vic, 0xd021 + n - VIC_START)

const backgroundsIn = (parts: Parts, vic: number): Backgrounds => [
  backgroundIn(parts, vic, 0),
  backgroundIn(parts, vic, 1),
  backgroundIn(parts, vic, 2),
  backgroundIn(parts, vic, 3),
]

type Drawn = Pick<Swatch, 'value' | 'label'>

const backgroundSwatch = (
  parts: Parts,
  vic: number,
  n: number,
  drawn: Drawn,
  { nameOf, shares }: RegisterNames,
): Swatch => ({
  ...drawn,
  source: nameOf(0xd021 + n),
  shares,
  at: registerAt(vic, 0xd021 + n),
  colour: backgroundIn(parts, vic, n),
})

type Placed = Pick<EditModel, 'key' | 'title' | 'places' | 'note'> & { readonly names: RegisterNames }

export interface Characters extends Placed {
  readonly codes: readonly number[]
  readonly columns: number
  readonly mode: TextMode
  readonly blockOf: (code: number) => Required<Pick<Block, 'part' | 'first'>>
  readonly vic: number
  readonly colourOf: (parts: Parts, code: number) => number
  readonly code: number
  readonly own: Pick<Swatch, 'source' | 'at' | 'shares'>
  readonly modeAt: EditModel['modeAt']
}

export function charactersModel(characters: Characters, parts: Parts): EditModel {
  const { key, title, places, note, names, codes, columns, mode, blockOf, vic, colourOf, code, own } = characters
  const isPairs = (each: number): boolean => mode === 'multicolourText' && (colourOf(parts, each) & 8) !== 0
  const surface = blockSurface({
    blocks: codes.map((each) => ({ ...blockOf(each), isMulticolour: isPairs(each) })),
    columns: Math.min(columns, codes.length),
    width: 8,
    height: 8,
  })
  const isMulticolour = mode === 'multicolourText' ? isPairs(code) : null
  return {
    key: `${key} ${mode} ${codes.map((each) => Number(isPairs(each))).join('')}`,
    title,
    places,
    note,
    surface,
    scale: 1,
    grid: { x: 8, y: 8 },
    isMulticolour,
    modeAt: characters.modeAt,
    text: null,
    swatches: (now) => {
      const colour = colourOf(now, code) & (mode === 'multicolourText' ? 7 : 15)
      const ofCode = (drawn: Drawn): Swatch => ({ ...drawn, ...own, colour, isLow: mode === 'multicolourText' })
      const background = (n: number, drawn: Drawn) => backgroundSwatch(now, vic, n, drawn, names)
      if (isMulticolour !== true) {
        const behind = mode === 'extendedText' ? (code >> 6) & 3 : 0
        return [background(behind, { value: 0, label: '0' }), ofCode({ value: 1, label: '1' })]
      }
      return [
        ...['00', '01', '10'].map((label, n) => background(n, { value: n, label })),
        ofCode({ value: 3, label: '11' }),
      ]
    },
    paint: (now, out) =>
      codes.forEach((each, cell) => {
        const at = Math.floor(cell / columns) * 8 * surface.width + (cell % columns) * 8
        const { part, first } = blockOf(each)
        const colours = characterColours(mode, each, colourOf(now, each), backgroundsIn(now, vic))
        drawCell(out, surface.width, at, now[part] ?? new Uint8Array(), first, colours)
      }),
  }
}

export interface EditedCharacters {
  readonly address: number
  readonly codes: readonly number[]
  readonly columns: number
  readonly colour: number
}

export function characterModel(
  { address, codes, columns, colour }: EditedCharacters,
  video: VideoMode,
  space: 'ram' | 'cpu',
): EditModel {
  const distinct = [...new Set(codes)]
  const [code = 0] = codes
  const placeOf = (each: number): Place => ({
    in: 'machine',
    space,
    length: CHARACTER_BYTES,
    address: (address + each * CHARACTER_BYTES) & 0xffff,
  })
  return charactersModel(
    {
      key: `characters ${address} ${codes.join()} ${columns}`,
      names: machineNames,
      codes,
      columns,
      code,
      title: `Character ${code} at ${formatAddress(address + code * CHARACTER_BYTES)}`,
      places: [...distinct.map(placeOf), vicPlace],
      vic: distinct.length,
      mode: textModeOf(video),
      blockOf: (each) => ({ part: distinct.indexOf(each), first: 0 }),
      colourOf: () => colour,
      own: { source: 'colour RAM', at: null, shares: null },
      modeAt: null,
      note: isCharacterRom(address)
        ? 'The VIC-II sees character ROM at this address, not the RAM that is edited.'
        : null,
    },
    [],
  )
}

export interface TextCells extends Placed {
  readonly mode: TextMode
  readonly columns: number
  readonly rows: number
  readonly characters: Uint8Array
  readonly isLower: boolean
  readonly clearColour: number
}

/** Parts: codes, colours, registers. */
export function textModel(cells: TextCells, brush: CellBrush): EditModel {
  const { key, title, places, note, names, mode, columns, rows, characters, isLower, clearColour } = cells
  const vic = 2
  const backgrounds = (parts: Parts) => backgroundsIn(parts, vic)
  return {
    key: `${key} ${mode} ${brush}`,
    title,
    places,
    note,
    scale: 8,
    isMulticolour: null,
    modeAt: null,
    text: { mode, characters, isLower, backgrounds },
    grid: { x: 1, y: 1 },
    surface: cellSurface(brush, clearColour, { width: columns, height: rows }),
    swatches: (parts) =>
      Array.from({ length: mode === 'text' ? 1 : mode === 'extendedText' ? 4 : 3 }, (_, n) => {
        const label = mode === 'text' ? 'background' : `background ${n}`
        return backgroundSwatch(parts, vic, n, { value: cellValue(0x20, 0), label }, names)
      }),
    paint: (parts, out) => {
      const [codes = new Uint8Array(), colours = new Uint8Array()] = parts
      const { pixels } = screenPixels(
        {
          kind: 'screen',
          name: '',
          mode,
          columns,
          rows,
          codes,
          characters,
          border: 0,
          colours: colours.map((colour) => colour & 0x0f),
          backgrounds: backgrounds(parts),
        },
        characters,
      )
      out.set(pixels)
    },
  }
}

export function screenModel(image: GraphicsImage, brush: CellBrush, space: 'ram' | 'cpu'): EditModel {
  const video = decodeVideo(image.io)
  return textModel(
    {
      key: `screen ${video.screen}`,
      title: `Screen ${formatAddress(video.screen)}`,
      names: machineNames,
      note: (video.charactersFromRom && image.romNote) || null,
      mode: textModeOf(video.mode),
      columns: SCREEN_COLUMNS,
      rows: SCREEN_ROWS,
      characters: charactersDrawn(image),
      isLower: (video.characters & 0x800) !== 0,
      clearColour: (image.io[0x800] ?? 0x0e) & 0x0f,
      places: [
        { in: 'machine', space, address: video.screen, length: SCREEN_CELLS },
        { in: 'machine', space: 'colorRam', address: COLOUR_RAM, length: SCREEN_CELLS },
        vicPlace,
      ],
    },
    brush,
  )
}

export interface BitmapCells extends Placed {
  readonly mode: BitmapMode
  readonly background: number
}

/** Parts: bitmap, screen, colours, registers. */
export function cellsModel(cells: BitmapCells, whenFull: FullCell): EditModel {
  const { key, title, places, note, names, mode, background } = cells
  const vic = 3
  return {
    key: `${key} ${mode} ${whenFull} ${background}`,
    title,
    places,
    note,
    scale: 1,
    modeAt: null,
    isMulticolour: null,
    text: null,
    grid: { x: 8, y: 8 },
    surface: bitmapSurface(mode, background, whenFull),
    swatches: (parts) =>
      mode === 'bitmap' ? [] : [backgroundSwatch(parts, vic, 0, { value: background, label: 'background' }, names)],
    paint: (parts, out) => {
      const [bitmap = new Uint8Array(), screen = new Uint8Array(), colours = new Uint8Array()] = parts
      const { pixels } = bitmapPixels({
        kind: 'bitmap',
        name: '',
        mode,
        bitmap,
        screen,
        colours,
        border: 0,
        background: backgroundIn(parts, vic, 0),
      })
      out.set(pixels)
    },
  }
}

export function bitmapModel(image: GraphicsImage, whenFull: FullCell, space: 'ram' | 'cpu'): EditModel | null {
  const video = decodeVideo(image.io)
  if (video.mode !== 'bitmap' && video.mode !== 'multicolourBitmap') return null
  return cellsModel(
    {
      key: `bitmap ${video.bitmap} ${video.screen}`,
      title: `Bitmap ${formatAddress(video.bitmap)}`,
      note: null,
      mode: video.mode,
      background: (image.io[0x21] ?? 0) & 0x0f,
      names: machineNames,
      places: [
        { in: 'machine', space, address: video.bitmap, length: BITMAP_BYTES },
        { in: 'machine', space, address: video.screen, length: SCREEN_CELLS },
        { in: 'machine', space: 'colorRam', address: COLOUR_RAM, length: SCREEN_CELLS },
        vicPlace,
      ],
    },
    whenFull,
  )
}
