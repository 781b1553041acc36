import { bankingPins, placesIn, spaceRead } from '@shared/c64/banking'
import { byteUses } from '@shared/c64/byteUses'
import { chipAt } from '@shared/c64/chips'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { MachineState } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import { readChipRegisters, registersOf, videoRegisters } from './chipRegisters'
import { nameAddresses } from './place'
import type { Session } from './session'

const ZERO_PAGE_BYTES = 0x39
const SPRITE_POINTERS = 0x3f8

interface WantedByte {
  readonly state: MachineState
  readonly address: number
  readonly value: number
}

/** Most telling first. Reads no register whose read changes the machine. */
export async function usesOfByte(
  session: Session,
  { state, address, value }: WantedByte,
  signal: AbortSignal,
): Promise<string[]> {
  const { machine } = state
  const read = async (space: Space, first: number, length: number): Promise<readonly (readonly [number, number])[]> => {
    const { bytes } = await session.client.call('memory.read', { machine, space, address: first, length }, signal)
    return Array.from(bytes, (byte, index) => [first + index, byte] as const)
  }
  const seen = new Map([[address, value], ...(await read('cpu', 0, ZERO_PAGE_BYTES))])
  const pins = bankingPins(seen.get(0) ?? 0, seen.get(1) ?? 0)
  const places = placesIn('cpu', pins)
  const chip = chipAt(address)
  const ranges = [...videoRegisters, ...(chip && chip !== 'vic' ? registersOf(chip) : [])]
  const io = await readChipRegisters(session, { machine, ranges }, signal)
  if (places.openBus !== null && address >= IO_START && address < IO_START + IO_SIZE) io[address - IO_START] = value
  const isOfChips = address >= IO_START - 1 && address <= IO_START + IO_SIZE
  const around = isOfChips
    ? []
    : await read('cpu', Math.max(0, address - 1), address === 0 || address === 0xffff ? 2 : 3)
  for (const [at, byte] of around) seen.set(at, byte)
  const names = await namesOfTargets(session, { machine, address, pins, seen }, signal)
  const pointers = decodeVideo(io).screen + SPRITE_POINTERS
  const space = state.capabilities.ramUnderRom === null ? 'ram' : spaceRead(pins, pointers) === 'ram' ? 'cpu' : null
  const ram = new Map(space === null ? [] : await read(space, pointers, 8))
  return byteUses(address, {
    read: (at) => seen.get(at) ?? null,
    readRam: (at) => ram.get(at) ?? null,
    io,
    places,
    names,
    standard: state.standard ?? 'pal',
  })
}

interface AskedTargets {
  readonly machine: string
  readonly address: number
  readonly pins: number
  readonly seen: ReadonlyMap<number, number>
}

async function namesOfTargets(
  session: Session,
  { machine, address, pins, seen }: AskedTargets,
  signal: AbortSignal,
): Promise<Names> {
  const targets = [address - 1, address].flatMap((first) => {
    const [low, high] = [seen.get(first), seen.get(first + 1)]
    return low === undefined || high === undefined ? [] : [low | (high << 8)]
  })
  if (targets.length === 0) return builtInNames
  const named = await nameAddresses(session, machine, { addresses: targets, pins }, signal)
  const at: Names['at'] = (asked) => {
    const name = named.get(asked)?.name ?? null
    return name === null ? builtInNames.at(asked) : { name, description: '' }
  }
  return { ...builtInNames, at }
}
