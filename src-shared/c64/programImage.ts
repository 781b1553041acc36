/**
 * Formats: D64, D71 and D81 as in VICE's manual (sectors of 256 bytes in the order of the tracks, bytes of errors
 * behind them), T64 as made for C64S (64 bytes of header, 32 for each entry).
 */
import { AppError } from '../contract/errors'
import { petsciiToText } from './petscii'

export interface ImageProgram {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Above the 296 files of the largest directory, a D81's. */
export const MAX_IMAGE_PROGRAMS = 300
const SECTOR = 256
const ENTRY = 32
const PRG = 2
const NAME_SIZE = 16
const SHIFTED_SPACE = 0xa0
/** A D81 has 3200 sectors; a longer chain is circular. */
const MAX_SECTORS = 3_200

interface DiskLayout {
  readonly sectorsOf: (track: number) => number
  readonly tracks: number
  readonly directory: readonly [track: number, sector: number]
}

const sectorsOf1541 = (track: number): number => (track < 18 ? 21 : track < 25 ? 19 : track < 31 ? 18 : 17)

const d64 = (tracks: number): DiskLayout => ({ sectorsOf: sectorsOf1541, tracks, directory: [18, 1] })
const d71: DiskLayout = {
  sectorsOf: (track) => sectorsOf1541(track > 35 ? track - 35 : track),
  tracks: 70,
  directory: [18, 1],
}
const d81: DiskLayout = { sectorsOf: () => 40, tracks: 80, directory: [40, 3] }

const layouts = new Map<number, DiskLayout>(
  [d64(35), d64(40), d64(42), d71, d81].map((layout) => [sectorsBefore(layout, layout.tracks + 1), layout]),
)

function sectorsBefore({ sectorsOf }: DiskLayout, track: number): number {
  let sectors = 0
  for (let each = 1; each < track; each++) sectors += sectorsOf(each)
  return sectors
}

/** Not those of G64, G71 and TAP, which hold signals. */
export const hasListedPrograms = (name: string): boolean => /\.(d64|d71|d81|t64)$/i.test(name)

/** @throws AppError INVALID for a file of another kind */
export function imagePrograms(name: string, image: Uint8Array): ImageProgram[] {
  const programs = /\.t64$/i.test(name) ? tapePrograms(image) : diskPrograms(image)
  return programs.slice(0, MAX_IMAGE_PROGRAMS)
}

function diskPrograms(image: Uint8Array): ImageProgram[] {
  const layout =
    image.length % SECTOR === 0
      ? layouts.get(image.length / SECTOR)
      : image.length % (SECTOR + 1) === 0
        ? layouts.get(image.length / (SECTOR + 1))
        : undefined
  if (!layout)
    throw new AppError('INVALID', `This is no disk image: no disk has ${image.length} bytes.`, {
      hint: 'Copy the image again; it may be cut short.',
    })
  return chain(image, layout, ...layout.directory).flatMap((sector) =>
    entriesOf(sector).flatMap((entry) => {
      const [, , type = 0, track = 0, first = 0] = entry
      if ((type & 7) !== PRG) return []
      const file = chain(image, layout, track, first)
      return programOf(nameOf(entry.subarray(5, 5 + NAME_SIZE), SHIFTED_SPACE), joined(file.map(contentsOf)))
    }),
  )
}

const entriesOf = (sector: Uint8Array): Uint8Array[] =>
  Array.from({ length: SECTOR / ENTRY }, (_, n) => sector.subarray(n * ENTRY, (n + 1) * ENTRY))

/** The last sector of a file says where its bytes end. */
const contentsOf = (sector: Uint8Array): Uint8Array => {
  const [track = 0, next = 0] = sector
  return track === 0 ? sector.subarray(2, next + 1) : sector.subarray(2)
}

/** A chain that leads off the disk ends there. */
function chain(image: Uint8Array, layout: DiskLayout, track: number, sector: number): Uint8Array[] {
  const sectors: Uint8Array[] = []
  while (track >= 1 && track <= layout.tracks && sector < layout.sectorsOf(track) && sectors.length < MAX_SECTORS) {
    const at = (sectorsBefore(layout, track) + sector) * SECTOR
    const bytes = image.subarray(at, at + SECTOR)
    sectors.push(bytes)
    ;[track = 0, sector = 0] = bytes
  }
  return sectors
}

const T64_ENTRIES = 0x40

function tapePrograms(image: Uint8Array): ImageProgram[] {
  if (!String.fromCharCode(...image.subarray(0, 3)).startsWith('C64'))
    throw new AppError('INVALID', 'This is no T64 image: its first bytes do not say so.', {
      hint: 'Copy the image again, or convert it with VICE’s c1541.',
    })
  const view = new DataView(image.buffer, image.byteOffset, image.length)
  if (image.length < T64_ENTRIES) return []
  const entries = Array.from({ length: Math.min(view.getUint16(0x22, true), MAX_IMAGE_PROGRAMS) }, (_, n) =>
    image.subarray(T64_ENTRIES + n * ENTRY, T64_ENTRIES + (n + 1) * ENTRY),
  ).filter((entry) => entry.length === ENTRY && entry[0] === 1)
  const placeOf = (entry: Uint8Array) => new DataView(entry.buffer, entry.byteOffset, ENTRY)
  const offsets = entries.map((entry) => placeOf(entry).getUint32(8, true))
  return entries.flatMap((entry, n) => {
    const place = placeOf(entry)
    const [start, end, offset = 0] = [place.getUint16(2, true), place.getUint16(4, true), offsets[n]]
    // Many converters wrote $C3C6 for every end, so a program ends at the next one at the latest.
    const limit = Math.min(image.length, ...offsets.filter((other) => other > offset))
    const length = end > start ? Math.min(end - start, limit - offset) : limit - offset
    if (length <= 0) return []
    const bytes = image.subarray(offset, offset + length)
    return programOf(nameOf(entry.subarray(16, 16 + NAME_SIZE), 0x20), joined([littleEndian(start), bytes]))
  })
}

const littleEndian = (address: number): Uint8Array => Uint8Array.of(address & 0xff, address >> 8)

function nameOf(petscii: Uint8Array, padding: number): string {
  const end = petscii.findLastIndex((code) => code !== padding && code !== 0) + 1
  return Array.from(petscii.subarray(0, end), (code) => petsciiToText(code, 'upper') ?? '').join('')
}

/** A file without a byte behind its load address cannot be run. */
const programOf = (name: string, bytes: Uint8Array<ArrayBuffer>): ImageProgram[] =>
  bytes.length > 2 ? [{ name: name === '' ? '(no name)' : name, bytes }] : []

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
