import { bankingPins, placesIn, regionAt, showsPort } from './banking'
import { chips } from './chips'
import type { LaidOut } from './laidOut'
import { loadedParts, type DebugSegment, type LoadedProgram } from './loadedParts'
import { isBitmap } from './screenCell'
import { decodeVideo, ioByte } from './video'

export interface OfProgram {
  readonly programs: readonly LoadedProgram[]
  readonly segments: readonly DebugSegment[]
}

const SPRITE_BYTES = 64
const SPRITES = 8
const FIRST_ROM = 0xa000

interface Seen {
  /** All 64 KiB. */
  readonly ram: Uint8Array
  /** 4096 bytes from $D000. */
  readonly io: Uint8Array
  /** Whether `ram` is what the CPU sees, so that ROM and I/O hide RAM. */
  readonly isHidden: boolean
}

export function memoryLayout({ ram, io, isHidden }: Seen, { programs, segments }: OfProgram): LaidOut[] {
  const readRam = isHidden ? ramSeen(ram) : (address: number) => ram[address] ?? 0
  return [
    ...fixedParts(),
    ...basicParts(ram),
    ...videoParts(readRam, io),
    ...bankedParts(ram),
    ...loadedParts(programs, readRam),
    ...segments.map(({ name, start, end, file }) => ({ start, end: end - 1, name, why: `segment in ${file}` })),
  ].toSorted((one, other) => one.start - other.start || other.end - one.end)
}

function ramSeen(memory: Uint8Array): (address: number) => number | null {
  const [seen, ram] = [placesIn('cpu', bankingPins(memory[0] ?? 0, memory[1] ?? 0)), placesIn('ram', 0)]
  return (address) => (regionAt(seen, address) === regionAt(ram, address) ? (memory[address] ?? 0) : null)
}

const fixedParts = (): LaidOut[] => [
  { start: 0x0000, end: 0x00ff, name: 'Zero page', why: 'the CPU' },
  { start: 0x0100, end: 0x01ff, name: 'Stack', why: 'the CPU' },
]

const wordAt = (ram: Uint8Array, address: number): number => (ram[address] ?? 0) | ((ram[address + 1] ?? 0) << 8)

/**
 * From BASIC's pointers; empty where their order is not one that BASIC leaves.
 * @param ram the zero page at least
 */
export function basicParts(ram: Uint8Array): LaidOut[] {
  const pointers = [0x2b, 0x2d, 0x2f, 0x31, 0x33, 0x37].map((pointer) => wordAt(ram, pointer))
  const [text = 0, variables = 0, arrays = 0, end = 0, strings = 0, top = 0] = pointers
  const isSound = pointers.every((pointer, index) => index === 0 || pointer >= (pointers[index - 1] ?? 0))
  if (!isSound || text < 0x0200 || top > 0xd000) return []
  return [
    { start: text, end: variables - 1, name: 'BASIC program', why: '$2B and $2D' },
    { start: variables, end: arrays - 1, name: 'BASIC variables', why: '$2D and $2F' },
    { start: arrays, end: end - 1, name: 'BASIC arrays', why: '$2F and $31' },
    { start: strings, end: top - 1, name: 'BASIC strings', why: '$33 and $37' },
  ].filter((part) => part.end >= part.start)
}

/** Empty while the program has banked the chips out, as their registers are then unknown. */
function videoParts(readRam: (address: number) => number | null, io: Uint8Array): LaidOut[] {
  const video = decodeVideo(io)
  if (!video.visible) return []
  const why = `VIC-II, bank ${video.bank}`
  const enabled = ioByte(io, chips.vic.start + 0x15)
  const pointers = video.screen + 0x3f8
  const sprites = Array.from({ length: SPRITES }, (_, sprite) => sprite)
    .filter((sprite) => (enabled & (1 << sprite)) !== 0)
    .flatMap((sprite) => {
      const pointer = readRam(pointers + sprite)
      if (pointer === null) return []
      const start = video.bankStart + pointer * SPRITE_BYTES
      return { start, end: start + SPRITE_BYTES - 2, name: `Sprite ${sprite}`, why: `${why}, its pointer` }
    })
  return [
    { start: video.screen, end: video.screen + 999, name: isBitmap(video) ? 'Bitmap colours' : 'Screen', why },
    { start: pointers, end: pointers + SPRITES - 1, name: 'Sprite pointers', why },
    ...(isBitmap(video)
      ? [{ start: video.bitmap, end: video.bitmap + 7999, name: 'Bitmap', why }]
      : video.charactersFromRom
        ? []
        : [{ start: video.characters, end: video.characters + 0x7ff, name: 'Characters', why }]),
    ...sprites,
  ]
}

/** What the CPU sees from $A000 on; empty where the machine does not show its port. */
function bankedParts(ram: Uint8Array): LaidOut[] {
  const [direction = 0, data = 0] = ram
  if (!showsPort(direction, data)) return []
  return placesIn('cpu', bankingPins(direction, data))
    .regions.filter(({ start }) => start >= FIRST_ROM)
    .map(({ start, end, name }) => ({ start, end, name, why: '$00 and $01' }))
}
