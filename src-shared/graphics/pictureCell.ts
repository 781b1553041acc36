import { formatAddress, formatByte } from '../c64/address'
import { colourName } from '../c64/palettes'
import { screenCodeToText, type CharacterSet } from '../c64/screenCodes'
import { isFli, SCREEN_CELLS, SCREEN_COLUMNS, type Bitmap, type TextScreen } from './artwork'
import { characterColours } from './artworkPixels'
import { shapeOf } from './characterUse'
import { romSetSeen, type ShownPicture } from './shownPicture'

export interface CellFact {
  readonly label: string
  readonly text: string
  readonly address?: number
}

const COLOUR_RAM = 0xd800
const SCREEN_STEP = 0x400

export function cellFacts(shown: ShownPicture, column: number, row: number): CellFact[] {
  const cell = row * SCREEN_COLUMNS + column
  const { artwork } = shown
  const place = { label: 'Cell', text: `column ${column}, row ${row}` }
  return [place, ...(artwork.kind === 'screen' ? textFacts(shown, artwork, cell) : bitmapFacts(shown, artwork, cell))]
}

function textFacts(shown: ShownPicture, artwork: TextScreen, cell: number): CellFact[] {
  const code = artwork.codes[cell] ?? 0
  const colour = artwork.colours[cell] ?? 0
  const set = unicodeSet(shown)
  const rom = typeof artwork.characters === 'string'
  return [
    { label: 'Code', text: `${formatByte(code)} = ${code}` },
    { label: rom ? 'Unicode' : 'In ROM’s set', text: unicodeText(code, set) },
    ...coloursOf(artwork, code, colour),
    { label: 'Screen', text: formatAddress(shown.screen + cell), address: shown.screen + cell },
    { label: 'Colour RAM', text: formatAddress(COLOUR_RAM + cell), address: COLOUR_RAM + cell },
    characterFact(shown, shapeOf(artwork.mode, code), rom),
  ]
}

function characterFact({ characters }: ShownPicture, shape: number, isRom: boolean): CellFact {
  const address = characters + shape * 8
  return isRom
    ? { label: 'Character', text: `${formatByte(shape)} in ROM` }
    : { label: 'Character', text: formatAddress(address), address }
}

function coloursOf(artwork: TextScreen, code: number, colour: number): CellFact[] {
  const [background = 0, ...others] = characterColours(artwork.mode, code, colour, artwork.backgrounds)
  return [
    { label: 'Colour', text: named(others.at(-1) ?? 0) },
    { label: 'Background', text: named(background) },
    { label: 'Shared', text: others.length > 1 ? others.slice(0, 2).map(named).join(', ') : '–' },
  ]
}

function bitmapFacts(shown: ShownPicture, artwork: Bitmap, cell: number): CellFact[] {
  const screen = artwork.screen[cell] ?? 0
  const isMulticolour = artwork.mode === 'multicolourBitmap'
  const screens = isFli(artwork)
    ? Array.from({ length: 8 }, (_, line) => formatByte(artwork.screen[line * SCREEN_CELLS + cell] ?? 0)).join(' ')
    : formatByte(screen)
  return [
    { label: isFli(artwork) ? 'Screens' : 'Screen byte', text: screens },
    { label: isMulticolour ? 'Pairs 01, 10' : 'Bits 1, 0', text: `${named(screen >> 4)}, ${named(screen & 0x0f)}` },
    { label: 'Pair 11', text: isMulticolour ? named(artwork.colours[cell] ?? 0) : '–' },
    { label: 'Background', text: isMulticolour ? named(artwork.background) : '–' },
    {
      label: 'Screen',
      text: isFli(artwork)
        ? `${formatAddress(shown.screen + cell)}, each line ${formatAddress(SCREEN_STEP)} on`
        : formatAddress(shown.screen + cell),
      address: shown.screen + cell,
    },
    { label: 'Colour RAM', text: formatAddress(COLOUR_RAM + cell), address: COLOUR_RAM + cell },
    { label: 'Bitmap', text: formatAddress(shown.bitmap + cell * 8), address: shown.bitmap + cell * 8 },
  ]
}

const named = (colour: number): string => `${colour & 0x0f} ${colourName(colour)}`

export const unicodeSet = ({ artwork, characters }: ShownPicture): CharacterSet => {
  if (artwork.kind === 'screen' && typeof artwork.characters === 'string') return artwork.characters
  return romSetSeen(characters) ?? 'upper'
}

export function unicodeText(code: number, set: CharacterSet): string {
  const character = screenCodeToText(code, set)
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const reverse = code >= 0x80 && character !== '█' ? ', reversed' : ''
  return character === ' ' ? `space${reverse}` : `${character} (U+${point}${reverse})`
}
