/** What stands where in each of the C64's overlapping memories, without a cartridge. */
import type { Space } from '../contract/memory'
import { builtInNames, type Names } from './labels/names'
import { regions as afterPowerOn, type Label, type Region } from './memoryMap'

const LORAM = 1
const HIRAM = 2
const CHAREN = 4

/** LORAM, HIRAM and CHAREN as the PLA gets them from the 6510's port: inputs are pulled up. 0 to 7; 7 after power-on. */
export const bankingPins = (direction: number, data: number): number => (data | ~direction) & 7

/** From the first address to the last, exclusive. */
interface Area {
  readonly start: number
  readonly end: number
}

export interface Places {
  /** In address order, without gaps, from $0000 to $FFFF. */
  readonly regions: readonly Region[]
  /**
   * The expansion port's addresses where they are seen, null elsewhere. With nothing plugged in, no chip answers there, and
   * each read gives what the VIC-II left on the bus: such bytes vary without anything having changed.
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
/** Where these have nothing of their own, there is RAM. */
const ioSpaces = build(ramUnderBasic, io, ramUnderKernal)

/** What a space holds; the same object for the same answer. `pins` ({@link bankingPins}) matter for the `cpu` space only. */
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
 * The name of what stands at an address there: no chip's register in RAM, and no KERNAL routine where the ROM is not. A
 * program's own labels are named wherever they are.
 */
export function labelAt(places: Places, address: number, names: Names = builtInNames): Label | undefined {
  if (address < 0xd000 || address >= CPU_VECTORS) return names.at(address)
  const isNamed = address < 0xe000 ? places.openBus !== null : places.regions.at(-1) === kernalRom[0]
  return isNamed || names.programLabelsAt(address).length > 0 ? names.at(address) : undefined
}
