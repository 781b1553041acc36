import type { VideoStandard } from '../contract/machine'
import { formatAddress, formatByte } from './address'
import { labelAt, placesIn, regionAt, showsPort, type Places } from './banking'
import { chipAt, chips } from './chips'
import type { Names } from './labels/names'
import { basicParts } from './memoryLayout'
import { namedBytes } from './namedBytes'
import { colourName } from './palettes'
import { decodeChip, type Readability } from './registers'
import { cellOf, isBitmap, type ScreenCell } from './screenCell'
import { decodeVideo, ioByte, isCharacterRom, type Video } from './video'

export interface UsedMemory {
  readonly read: (address: number) => number | null
  /** RAM, which is what the VIC-II sees; null where it is not known. */
  readonly readRam: (address: number) => number | null
  /** 4096 bytes from $D000; null where they are not known. */
  readonly io: Uint8Array | null
  readonly places: Places
  readonly names: Names
  readonly standard: VideoStandard
}

export const byteUses = (address: number, memory: UsedMemory): string[] => [
  ...registerUses(address, memory),
  ...videoUses(address, memory),
  ...portUses(address, memory),
  ...pointerUses(address, memory),
  ...basicUses(address, memory),
]

const readings: Readonly<Record<Readability, string>> = {
  read: '',
  latched: '; what is written to it is kept apart and cannot be read',
  writeOnly: '; a real chip does not give it back',
}

function registerUses(address: number, { io, places, standard }: UsedMemory): string[] {
  if (places.openBus === null) return []
  const id = chipAt(address)
  if (id === undefined) return []
  const { start, every } = chips[id]
  const { name } = regionAt(places, address)
  const offset = (address - start) % every
  const register = decodeChip(id, io ?? noIo, standard)[offset]
  if (!register) return [`${name}: no register`]
  const { description, meaning, readable } = register
  const mirrored = address === start + offset ? '' : `, seen again from ${formatAddress(start + offset)}`
  const now = io === null || meaning === '' ? '' : ` (${meaning})`
  return [`${name} register${mirrored}: ${description}${now}${readings[readable]}`]
}

const noIo = new Uint8Array(0)

const CELLS = 1000
const COLOUR_RAM = 0xd800
const SPRITE_BYTES = 64
const SPRITE_ROW_BYTES = 3
const CELL_LINES = 8
const CHARACTER_SET_BYTES = 0x800
const sprites = [0, 1, 2, 3, 4, 5, 6, 7]

function videoUses(address: number, memory: UsedMemory): string[] {
  const { io, places } = memory
  if (io === null) return []
  const video = decodeVideo(io)
  if (!video.visible) return []
  if (address >= COLOUR_RAM && address < COLOUR_RAM + CELLS && places.openBus !== null) {
    const cell = cellOf(video, address)
    return cell ? [`Colour of ${placeText(cell)}: ${colourName(ioByte(io, address))}`] : []
  }
  // The VIC-II reads RAM, whatever the CPU sees there.
  if (!isRam(places, address)) return []
  return [
    ...screenUses(address, video, memory),
    ...characterUses(address, video),
    ...spriteUses(address, video, memory),
  ]
}

const ram = placesIn('ram', 0)
const isRam = (places: Places, address: number): boolean => regionAt(places, address) === regionAt(ram, address)

const placeText = ({ row, column }: ScreenCell): string => `row ${row}, column ${column} of the screen`

function screenUses(address: number, video: Video, { io, read }: UsedMemory): string[] {
  const pointer = address - video.screen - 0x3f8
  if (pointer >= 0 && pointer < sprites.length) {
    const state = (spritesEnabled(io) & (1 << pointer)) === 0 ? 'off' : 'on'
    const block = read(address)
    return [`Pointer of sprite ${pointer} (${state})${block === null ? '' : pictureText(video.bankStart, block)}`]
  }
  const isScreen = address >= video.screen && address < video.screen + CELLS
  const isInBitmap = isBitmap(video) && address >= video.bitmap && address < video.bitmap + CELLS * CELL_LINES
  const cell = isScreen || isInBitmap ? cellOf(video, address) : null
  if (!cell) return []
  if (!isBitmap(video)) return [`Character at ${placeText(cell)}`]
  return [
    isScreen
      ? `Colours of ${placeText(cell)}${colourPair(read(address))}`
      : `Bitmap, line ${cell.line} at ${placeText(cell)}`,
  ]
}

function pictureText(bankStart: number, block: number): string {
  const picture = bankStart + block * SPRITE_BYTES
  return `, picture at ${formatAddress(picture)}${isCharacterRom(picture) ? ' in the character ROM' : ''}`
}

const colourPair = (value: number | null): string =>
  value === null ? '' : `: ${colourName(value >> 4)} and ${colourName(value)}`

function characterUses(address: number, video: Video): string[] {
  const offset = address - video.characters
  if (isBitmap(video) || video.charactersFromRom || offset < 0 || offset >= CHARACTER_SET_BYTES) return []
  return [`Picture of character ${formatByte(offset >> 3)}, line ${offset % CELL_LINES}`]
}

const spritesEnabled = (io: Uint8Array | null): number => (io === null ? 0 : ioByte(io, chips.vic.start + 0x15))

function spriteUses(address: number, video: Video, { io, readRam }: UsedMemory): string[] {
  return sprites.flatMap((sprite) => {
    const pointer = (spritesEnabled(io) & (1 << sprite)) === 0 ? null : readRam(video.screen + 0x3f8 + sprite)
    if (pointer === null) return []
    const offset = address - video.bankStart - pointer * SPRITE_BYTES
    // The 64th byte of a sprite's block is not shown.
    if (offset < 0 || offset >= SPRITE_BYTES - 1) return []
    return [
      `Picture of sprite ${sprite}, row ${Math.floor(offset / SPRITE_ROW_BYTES)}, byte ${offset % SPRITE_ROW_BYTES}`,
    ]
  })
}

const PROCESSOR_PORT = 0x0001

function portUses(address: number, { places, read }: UsedMemory): string[] {
  if (address !== PROCESSOR_PORT) return []
  if (!showsPort(read(0) ?? 0, read(1) ?? 0))
    return ['Chooses what the CPU sees; this machine does not show what it holds']
  const [basic, io, kernal] = [0xa000, 0xd000, 0xe000].map((start) => regionAt(places, start).name)
  const middle = places.openBus === null ? io : 'I/O'
  return [`Chooses what the CPU sees: ${basic}, ${middle}, ${kernal}`]
}

function pointerUses(address: number, { names, places, read }: UsedMemory): string[] {
  const naming = { names, places, pointers: new Set<number>() }
  // One byte earlier, as this one may be the high byte.
  const first = Math.max(0, address - 1)
  const pointer = namedBytes({ start: first, end: Math.min(address + 2, 0x10000) }, naming).find(
    (row) => row.kind === 'pointer' && address >= row.address && address < row.address + row.length,
  )
  if (!pointer) return []
  const half = address === pointer.address ? 'Low' : 'High'
  const [low, high] = [read(pointer.address), read(pointer.address + 1)]
  const what = pointer.description === null ? '' : ` (${pointer.description})`
  const begin = `${half} byte of the pointer ${pointer.name ?? formatAddress(pointer.address)}${what}`
  if (low === null || high === null) return [begin]
  const target = low | (high << 8)
  const name = labelAt(places, target, names)?.name
  return [`${begin}: ${formatAddress(target)}${name === undefined ? '' : ` = ${name}`}`]
}

const BASIC_POINTERS = { start: 0x2b, end: 0x39 } as const

function basicUses(address: number, { places, read }: UsedMemory): string[] {
  if (!isRam(places, address)) return []
  const zeroPage = new Uint8Array(0x100)
  for (let at: number = BASIC_POINTERS.start; at < BASIC_POINTERS.end; at++) {
    const value = read(at)
    if (value === null) return []
    zeroPage[at] = value
  }
  return basicParts(zeroPage)
    .filter(({ start, end }) => address >= start && address <= end)
    .map(({ name, start, end }) => `${name}, ${formatAddress(start)} to ${formatAddress(end)}`)
}
