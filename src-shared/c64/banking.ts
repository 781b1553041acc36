import type { Space } from '../contract/memory'
import { formatAddress } from './address'
import { builtInNames, type Names } from './labels/names'
import { regions as afterPowerOn, type Label, type Region } from './memoryMap'

const LORAM = 1
const HIRAM = 2
const CHAREN = 4
export const ALL_PINS = 7

/** LORAM, HIRAM and CHAREN as the PLA gets them from the 6510's port: inputs are pulled up. 0 to 7; 7 after power-on. */
export const bankingPins = (direction: number, data: number): number => (data | ~direction) & 7

/**
 * Whether $00 and $01 can be the 6510's port, whose inputs read 1. An Ultimate reads 0 at both, as its port is in the
 * CPU.
 */
export const showsPort = (direction: number, data: number): boolean => ((direction | data) & ALL_PINS) !== 0

/** From the registers of VICE, which shows the port among them; null where it does not. */
export function pinsOf(registers: readonly { readonly name: string; readonly value: number }[]): number | null {
  const [direction, data] = ['00', '01'].map((wanted) => registers.find(({ name }) => name === wanted)?.value)
  return direction === undefined || data === undefined ? null : bankingPins(direction, data)
}

export const accessSpaces = ['ram', 'rom', 'io'] as const
export type AccessSpace = (typeof accessSpaces)[number]

export const accessedIn = (space: Space): AccessSpace | null =>
  space === 'cpu' ? null : space === 'colorRam' ? 'io' : space

export function spaceRead(pins: number, address: number): AccessSpace {
  const page = address >> 12
  const kernal = (pins & HIRAM) !== 0
  if (page === 0xa || page === 0xb) return kernal && (pins & LORAM) !== 0 ? 'rom' : 'ram'
  if (page >= 0xe) return kernal ? 'rom' : 'ram'
  if (page !== 0xd || (pins & (LORAM | HIRAM)) === 0) return 'ram'
  return (pins & CHAREN) !== 0 ? 'io' : 'rom'
}

/** `pins` matter for the `cpu` space only. */
export function spaceShown(space: Space, pins: number, address: number): AccessSpace {
  const page = address >> 12
  if (space === 'cpu') return spaceRead(pins, address)
  if (space === 'rom') return page < 0xa || page === 0xc ? 'ram' : 'rom'
  return space !== 'ram' && page === 0xd ? 'io' : 'ram'
}

/** A write to a ROM goes to the RAM under it. */
export const spaceWritten = (pins: number, address: number): AccessSpace =>
  spaceRead(pins, address) === 'io' ? 'io' : 'ram'

interface Area {
  readonly start: number
  readonly end: number
}

export interface Places {
  /** In address order, without gaps, from $0000 to $FFFF. */
  readonly regions: readonly Region[]
  /**
   * The expansion port's addresses where they are visible, else null. With nothing plugged in, each read gives what the
   * VIC-II left on the bus, so bytes vary without having changed.
   */
  readonly openBus: Area | null
}

const between = (start: number, end: number): Region[] =>
  afterPowerOn.filter((region) => region.start >= start && region.end < end)

const lowRam = between(0x0000, 0xa000)
const basicRom = between(0xa000, 0xc000)
const upperRam = between(0xc000, 0xd000)
const io = between(0xd000, 0xe000)
const kernalRom = between(0xe000, 0x10000)
const ramUnderBasic: Region[] = [
  { name: 'RAM at $A000', start: 0xa000, end: 0xbfff, description: 'RAM under the BASIC ROM' },
]
const ramUnderIo: Region[] = [
  { name: 'RAM at $D000', start: 0xd000, end: 0xdfff, description: 'RAM under I/O and character ROM' },
]
const characterRom: Region[] = [
  {
    name: 'Characters',
    start: 0xd000,
    end: 0xdfff,
    description: 'Character ROM: capitals with graphics, then small letters',
  },
]
const ramUnderKernal: Region[] = [
  { name: 'RAM at $E000', start: 0xe000, end: 0xffff, description: 'RAM under the KERNAL ROM' },
]
const expansion: Area = { start: 0xde00, end: 0xe000 }

function build(basic: Region[], d000: Region[], kernal: Region[]): Places {
  return { regions: [...lowRam, ...basic, ...upperRam, ...d000, ...kernal], openBus: d000 === io ? expansion : null }
}

const byPins: readonly Places[] = Array.from({ length: 8 }, (_, pins) => {
  const kernal = (pins & HIRAM) !== 0
  const basic = kernal && (pins & LORAM) !== 0
  const d000 = (pins & (LORAM | HIRAM)) === 0 ? ramUnderIo : (pins & CHAREN) !== 0 ? io : characterRom
  return build(basic ? basicRom : ramUnderBasic, d000, kernal ? kernalRom : ramUnderKernal)
})
const ram = build(ramUnderBasic, ramUnderIo, ramUnderKernal)
const rom = build(basicRom, characterRom, kernalRom)
const ioSpaces = build(ramUnderBasic, io, ramUnderKernal)

/** The same object for the same answer. `pins` ({@link bankingPins}) matter for the `cpu` space only. */
export function placesIn(space: Space, pins: number): Places {
  switch (space) {
    case 'cpu':
      return byPins[pins & 7] ?? ram
    case 'ram':
      return ram
    case 'rom':
      return rom
    case 'io':
    case 'colorRam':
      return ioSpaces
  }
}

export function regionAt({ regions }: Places, address: number): Region {
  const region = regions.find(({ end }) => address <= end)
  if (!region || address < 0) throw new RangeError(`${address} is no address`)
  return region
}

/** The 6510 takes its vectors from here, ROM or RAM. */
const CPU_VECTORS = 0xfffa

/**
 * Leaves out names of chip registers in RAM, and of KERNAL routines where the ROM is not visible. A program's own
 * labels count everywhere.
 */
export function labelAt(places: Places, address: number, names: Names = builtInNames): Label | undefined {
  if (address < 0xd000 || address >= CPU_VECTORS) return names.at(address)
  const isNamed = address < 0xe000 ? places.openBus !== null : places.regions.at(-1) === kernalRom[0]
  return isNamed || names.programLabelsAt(address).length > 0 ? names.at(address) : undefined
}

export function labelIn(space: AccessSpace, address: number, names: Names = builtInNames): Label | undefined {
  // `draw+3` belongs to the program, which lies in the RAM under the address; a label of its own there may name a
  // routine or a register.
  const isOwn = space === 'ram' || names.programLabelsAt(address).length > 0
  return labelAt(placesIn(space, ALL_PINS), address, isOwn ? names : builtInNames)
}

export const namesIn = (names: Names, spaceAt: (address: number) => AccessSpace): Names => ({
  ...names,
  at: (address) => labelIn(spaceAt(address), address, names),
})

function otherwiseText(space: AccessSpace, address: number): string | null {
  const page = address >> 12
  if (space === 'rom') return page === 0xd ? 'character ROM' : null
  if (space === 'io' || page < 0xa || page === 0xc) return null
  return `RAM under ${page < 0xc ? 'BASIC' : page === 0xd ? 'I/O' : 'the KERNAL'}`
}

export function calledIn(space: AccessSpace, address: number, names: Names): string | null {
  const name = labelIn(space, address, names)?.name ?? null
  const otherwise = otherwiseText(space, address)
  const mayMeanChip = address >> 12 === 0xd && otherwise !== null
  return name !== null && mayMeanChip ? `${name}, ${otherwise}` : (name ?? otherwise)
}

/** Location and memory as one number: ROM begins at $10000, I/O at $20000. */
export const locationOf = (space: AccessSpace, address: number): number =>
  address + 0x10000 * accessSpaces.indexOf(space)

export const MAX_LOCATION = 0x2ffff

export const parseLocation = (location: number): { readonly space: AccessSpace; readonly address: number } => ({
  space: accessSpaces[location >> 16] ?? 'ram',
  address: location & 0xffff,
})

/** `$E000`, or `$E000 (RAM under the KERNAL)`. */
export function formatLocation(location: number): string {
  const { space, address } = parseLocation(location)
  const otherwise = otherwiseText(space, address)
  return otherwise === null ? formatAddress(address) : `${formatAddress(address)} (${otherwise})`
}
