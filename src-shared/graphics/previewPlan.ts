import { formatAddress } from '../c64/address'
import { decodeVideo, ioByte } from '../c64/video'
import type { MemoryRun } from '../contract/memory'
import { AppError } from '../contract/errors'
import { SCREEN_CELLS, isFli, type Bitmap, type SpriteArt, type SpriteSheet, type TextScreen } from './artwork'
import type { GraphicsImage } from './grab'

export type PreviewArtwork = Bitmap | TextScreen | SpriteSheet

export interface PreviewPlan {
  /** In this order; the old bytes are restored in reverse order. */
  readonly writes: readonly MemoryRun[]
  /** A loop without interrupts that runs in place of the program, so that it does not draw over the preview. */
  readonly loop: MemoryRun
  readonly places: string
}

interface Spot {
  readonly bank: number
  readonly data: number
  readonly screen: number
  /** Under ROM: only machines that write RAM there can use it. */
  readonly isUnderRom: boolean
}

const spots: readonly Spot[] = [
  { bank: 1, data: 0x6000, screen: 0x5c00, isUnderRom: false },
  { bank: 1, data: 0x4000, screen: 0x6400, isUnderRom: false },
  { bank: 2, data: 0xa000, screen: 0x8c00, isUnderRom: true },
  { bank: 3, data: 0xe000, screen: 0xcc00, isUnderRom: true },
]

const DATA_BYTES = 0x2000
const SPRITES_SHOWN = 8
const SPRITE_DATA = 0x800
const COLOR_RAM = 0xd800

/** @param ram the space that writes RAM; `cpu` where the machine does not reach under ROM */
export function planPreview(
  artwork: PreviewArtwork,
  image: GraphicsImage,
  ram: 'ram' | 'cpu',
  columns = 4,
): PreviewPlan {
  const spot = freeSpot(image, ram)
  const memory = (address: number, bytes: Uint8Array): MemoryRun => ({ space: ram, address, bytes })
  const writes =
    artwork.kind === 'bitmap'
      ? bitmapWrites(artwork, spot, memory)
      : artwork.kind === 'screen'
        ? screenWrites(artwork, spot, memory)
        : spriteWrites(artwork, spot, memory, Math.min(columns, SPRITES_SHOWN))
  const bankBits = (ioByte(image.io, 0xdd00) & 0xfc) | (3 - spot.bank)
  const all = [...writes, register(0xdd00, bankBits)]
  return { writes: all, loop: loopAt(spot.screen + LOOP, memory), places: placesOf(all) }
}

/** Lies after the cells of a screen, before the pointers of its sprites. */
const LOOP = 0x3e8

/** SEI, then JMP to itself. */
const loopAt = (address: number, memory: Memory): MemoryRun =>
  memory(address, Uint8Array.of(0x78, 0x4c, (address + 1) & 0xff, (address + 1) >> 8))

/** The spot with the fewest bytes other than $00 and $FF, if possible in another bank than the one shown. */
function freeSpot(image: GraphicsImage, ram: 'ram' | 'cpu'): Spot {
  const shown = decodeVideo(image.io).bankStart / 0x4000
  const usable = spots.filter(({ isUnderRom }) => ram === 'ram' || !isUnderRom)
  const others = usable.filter(({ bank }) => bank !== shown)
  const used = ({ data, screen }: Spot): number =>
    bytesUsed(image.ram, data, DATA_BYTES) + bytesUsed(image.ram, screen, 0x400)
  const [first, ...rest] = others.length > 0 ? others : usable
  if (!first) throw new AppError('UNSUPPORTED', 'No place in memory for a preview.')
  return rest.reduce((best, spot) => (used(spot) < used(best) ? spot : best), first)
}

function bytesUsed(ram: Uint8Array, from: number, length: number): number {
  let count = 0
  for (let at = from; at < from + length; at++) if (ram[at] !== 0 && ram[at] !== 0xff) count++
  return count
}

type Memory = (address: number, bytes: Uint8Array) => MemoryRun

const register = (address: number, value: number): MemoryRun => ({
  space: 'io',
  address,
  bytes: Uint8Array.of(value),
})

const colourRam = (bytes: Uint8Array): MemoryRun => ({ space: 'colorRam', address: COLOR_RAM, bytes })

const pointersOf = ({ data, screen }: Spot): number => (((screen & 0x3fff) >> 10) << 4) | (((data & 0x3fff) >> 11) << 1)

const DISPLAY_ON = 0x1b
const BITMAP_ON = 0x20
const EXTENDED_ON = 0x40
const COLUMNS_40 = 0x08
const MULTICOLOUR_ON = 0x10

function modeWrites(spot: Spot, control: number, isMulticolour: boolean): MemoryRun[] {
  return [
    register(0xd011, control),
    register(0xd016, COLUMNS_40 | (isMulticolour ? MULTICOLOUR_ON : 0)),
    register(0xd018, pointersOf(spot)),
  ]
}

function bitmapWrites(picture: Bitmap, spot: Spot, memory: Memory): MemoryRun[] {
  if (isFli(picture)) throw new AppError('UNSUPPORTED', 'FLI needs a program of its own, which a preview has not.')
  const isMulticolour = picture.mode === 'multicolourBitmap'
  return [
    memory(spot.data, picture.bitmap),
    memory(spot.screen, picture.screen),
    ...(isMulticolour ? [colourRam(picture.colours)] : []),
    register(0xd015, 0),
    register(0xd020, picture.border),
    register(0xd021, picture.background),
    ...modeWrites(spot, DISPLAY_ON | BITMAP_ON, isMulticolour),
  ]
}

function screenWrites(screen: TextScreen, spot: Spot, memory: Memory): MemoryRun[] {
  const { characters, codes, colours, backgrounds, border, mode } = screen
  if (typeof characters === 'string' || codes.length !== SCREEN_CELLS)
    throw new AppError('UNSUPPORTED', 'Only a screen of 40 x 25 with characters of its own is previewed.')
  return [
    memory(spot.data, characters),
    memory(spot.screen, codes),
    colourRam(colours),
    register(0xd015, 0),
    register(0xd020, border),
    ...backgrounds.map((colour, n) => register(0xd021 + n, colour)),
    ...modeWrites(spot, DISPLAY_ON | (mode === 'extendedText' ? EXTENDED_ON : 0), mode === 'multicolourText'),
  ]
}

function spriteWrites(sheet: SpriteSheet, spot: Spot, memory: Memory, columns: number): MemoryRun[] {
  const shown = sheet.sprites.slice(0, SPRITES_SHOWN)
  const blocks = new Uint8Array(SPRITES_SHOWN * 64)
  shown.forEach(({ bytes }, n) => blocks.set(bytes, n * 64))
  const firstPointer = ((spot.data + SPRITE_DATA) & 0x3fff) >> 6
  const mask = (isSet: (sprite: SpriteArt) => boolean): number =>
    shown.reduce((bits, sprite, n) => bits | (isSet(sprite) ? 1 << n : 0), 0)
  const left = 24 + (320 - Math.min(columns, shown.length) * 24) / 2
  return [
    memory(spot.data, new Uint8Array(8)),
    memory(spot.data + SPRITE_DATA, blocks),
    memory(spot.screen, new Uint8Array(SCREEN_CELLS)),
    memory(
      spot.screen + 0x3f8,
      Uint8Array.from({ length: SPRITES_SHOWN }, (_, n) => firstPointer + n),
    ),
    ...shown.flatMap((_, n) => [
      register(0xd000 + 2 * n, (left + (n % columns) * 24) & 0xff),
      register(0xd001 + 2 * n, 100 + Math.floor(n / columns) * 21),
    ]),
    register(
      0xd010,
      shown.reduce((bits, _, n) => bits | (left + (n % columns) * 24 > 0xff ? 1 << n : 0), 0),
    ),
    register(0xd017, 0),
    register(0xd01b, 0),
    register(0xd01d, 0),
    register(
      0xd01c,
      mask(({ multicolour }) => multicolour),
    ),
    register(0xd020, sheet.background),
    register(0xd021, sheet.background),
    register(0xd025, sheet.multicolour1),
    register(0xd026, sheet.multicolour2),
    ...shown.map(({ colour }, n) => register(0xd027 + n, colour)),
    ...modeWrites(spot, DISPLAY_ON, false),
    register(
      0xd015,
      mask(() => true),
    ),
  ]
}

function placesOf(writes: readonly MemoryRun[]): string {
  const memory = writes
    .filter(({ space }) => space === 'ram' || space === 'cpu')
    .map(({ address, bytes }) => `${formatAddress(address)}–${formatAddress(address + bytes.length - 1)}`)
  const hasColours = writes.some(({ space }) => space === 'colorRam')
  return `${[...memory, ...(hasColours ? ['colour RAM'] : [])].join(', ')} and VIC-II registers`
}
