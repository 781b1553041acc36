import { formatAddress } from '../c64/address'
import { decodeVideo, ioByte, isCharacterRom } from '../c64/video'
import { AppError } from '../contract/errors'
import {
  isFli,
  SCREEN_CELLS,
  type Artwork,
  type Bitmap,
  type CharacterSet,
  type SpriteSheet,
  type TextScreen,
} from './artwork'
import { spriteAddresses, type GraphicsImage } from './grab'

const BLOCK = 64
const ALL = [0, 1, 2, 3, 4, 5, 6, 7]

export interface MemoryChange {
  readonly space: 'ram' | 'io' | 'colorRam'
  readonly address: number
  readonly bytes: Uint8Array
}

const ram = (address: number, bytes: Uint8Array): MemoryChange => ({ space: 'ram', address, bytes })
const io = (address: number, value: number): MemoryChange => ({ space: 'io', address, bytes: Uint8Array.of(value) })
const colours = (bytes: Uint8Array): MemoryChange => ({ space: 'colorRam', address: 0xd800, bytes })

/**
 * @param at where the data goes; without it, where the VIC-II has it, so that it is shown
 * @throws AppError INVALID for what the VIC-II cannot show
 */
export function changesFor(artwork: Artwork, image: GraphicsImage, at: number | undefined): MemoryChange[] {
  const changes = at === undefined ? shownChanges(artwork, image) : [ram(at, dataOf(artwork))]
  for (const { space, address, bytes } of changes)
    if (address + bytes.length > 0x10000)
      throw new AppError('INVALID', `${bytes.length} bytes do not fit in ${space} from ${formatAddress(address)}.`)
  return changes
}

function dataOf(artwork: Artwork): Uint8Array {
  switch (artwork.kind) {
    case 'sprites': {
      const bytes = new Uint8Array(artwork.sprites.length * BLOCK)
      artwork.sprites.forEach((sprite, index) => {
        bytes.set(sprite.bytes, index * BLOCK)
      })
      return bytes
    }
    case 'characters':
      return artwork.bytes
    case 'screen':
      return artwork.codes
    case 'bitmap':
      return artwork.bitmap
  }
}

function shownChanges(artwork: Artwork, image: GraphicsImage): MemoryChange[] {
  switch (artwork.kind) {
    case 'sprites':
      return spriteChanges(artwork, image)
    case 'characters':
      return characterChanges(artwork.bytes, image)
    case 'screen':
      return screenChanges(artwork, image)
    case 'bitmap':
      return bitmapChanges(artwork, image)
  }
}

function spriteChanges({ sprites, multicolour1, multicolour2 }: SpriteSheet, image: GraphicsImage): MemoryChange[] {
  const addresses = spriteAddresses(image)
  const first = sprites.slice(0, ALL.length)
  if (new Set(addresses.slice(0, first.length)).size < first.length)
    throw new AppError('INVALID', 'Several sprites of the VIC-II share their data.', {
      hint: 'Say with --at where the data goes.',
    })
  const wrong = addresses.slice(0, first.length).find((address) => address < 0x0200 || isCharacterRom(address))
  if (wrong !== undefined)
    throw new AppError('INVALID', `A sprite’s data is at ${formatAddress(wrong)}, where none can be put.`, {
      hint: 'Point it elsewhere with sprite set N --at, or say with --at where the data goes.',
    })
  const bits = (register: number, isSet: (sprite: (typeof first)[number]) => boolean) =>
    io(
      register,
      first.reduce(
        (value, sprite, n) => (isSet(sprite) ? value | (1 << n) : value & ~(1 << n)),
        ioByte(image.io, register),
      ),
    )
  return [
    ...first.flatMap((sprite, n) => [ram(addresses[n] ?? 0, sprite.bytes), io(0xd027 + n, sprite.colour)]),
    bits(0xd01c, ({ multicolour }) => multicolour),
    bits(0xd01d, ({ expandX }) => expandX),
    bits(0xd017, ({ expandY }) => expandY),
    bits(0xd015, () => true),
    io(0xd025, multicolour1),
    io(0xd026, multicolour2),
  ]
}

const placesWith = (image: GraphicsImage, bits: number): MemoryChange =>
  io(0xd018, (ioByte(image.io, 0xd018) & 0xf1) | bits)

/** Written where the VIC-II has the characters, or, where that is ROM, to $3800 of its bank. */
function characterChanges(bytes: CharacterSet['bytes'], image: GraphicsImage): MemoryChange[] {
  const { characters, bankStart } = decodeVideo(image.io)
  const data = bytes.slice(0, 0x800)
  return isCharacterRom(characters) ? [ram(bankStart + 0x3800, data), placesWith(image, 0x0e)] : [ram(characters, data)]
}

const modeChanges = (image: GraphicsImage, mode: TextScreen['mode'] | Bitmap['mode']): MemoryChange[] => {
  const control1 = mode === 'extendedText' ? 0x40 : mode === 'bitmap' || mode === 'multicolourBitmap' ? 0x20 : 0
  const control2 = mode === 'multicolourText' || mode === 'multicolourBitmap' ? 0x10 : 0
  return [
    // Without the raster compare bit, which reads as the raster's own.
    io(0xd011, (ioByte(image.io, 0xd011) & 0x1f) | control1 | 0x10),
    io(0xd016, (ioByte(image.io, 0xd016) & 0xef) | control2),
  ]
}

function screenChanges(screen: TextScreen, image: GraphicsImage): MemoryChange[] {
  if (screen.columns !== 40 || screen.rows !== 25)
    throw new AppError('INVALID', `The C64 shows 40 x 25 characters, not ${screen.columns} x ${screen.rows}.`, {
      hint: 'Say with --at where the codes go.',
    })
  return [
    ram(decodeVideo(image.io).screen, screen.codes),
    colours(screen.colours),
    ...screen.backgrounds.map((colour, index) => io(0xd021 + index, colour)),
    io(0xd020, screen.border),
    ...(typeof screen.characters === 'string'
      ? [placesWith(image, screen.characters === 'upper' ? 4 : 6)]
      : characterChanges(screen.characters, image)),
    ...modeChanges(image, screen.mode),
  ]
}

/**
 * Uses the upper half of the VIC-II's bank, with the screen at $0400 of the bank: neither overlaps the zero page or the
 * other.
 */
function bitmapChanges(picture: Bitmap, image: GraphicsImage): MemoryChange[] {
  if (isFli(picture)) throw new AppError('INVALID', 'FLI needs a program that shows it.')
  const { bankStart } = decodeVideo(image.io)
  return [
    ram(bankStart + 0x2000, picture.bitmap),
    ram(bankStart + 0x0400, picture.screen.slice(0, SCREEN_CELLS)),
    colours(picture.colours),
    io(0xd021, picture.background),
    io(0xd020, picture.border),
    io(0xd018, 0x18),
    ...modeChanges(image, picture.mode),
  ]
}
