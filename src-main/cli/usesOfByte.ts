/** What a byte is for, as `why` says it. */
import { bankingPins, placesIn } from '@shared/c64/banking'
import { byteUses } from '@shared/c64/byteUses'
import { chipAt } from '@shared/c64/chips'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import { readChipRegisters } from './chipRegisters'
import { programNames } from './namedMemory'
import type { Session } from './session'

/** The processor port, and BASIC's pointers. */
const ZERO_PAGE_BYTES = 0x39

interface WantedByte {
  readonly machine: string
  readonly address: number
  /** As the CPU sees it. */
  readonly value: number
  readonly standard: 'pal' | 'ntsc'
}

/** In plain words, the most telling first. Reads no register whose read changes the machine. */
export async function usesOfByte(
  session: Session,
  { machine, address, value, standard }: WantedByte,
  signal: AbortSignal,
): Promise<string[]> {
  const known = new Map([[address, value]])
  const read = async (first: number, length: number): Promise<void> => {
    const range = { machine, space: 'cpu' as const, address: first, length }
    const { bytes } = await session.client.call('memory.read', range, signal)
    bytes.forEach((byte, index) => known.set(first + index, byte))
  }
  await read(0, ZERO_PAGE_BYTES)
  const places = placesIn('cpu', bankingPins(known.get(0) ?? 0, known.get(1) ?? 0))
  const chip = chipAt(address)
  const io = await readChipRegisters(session, { machine, read: ['vic', 'cia2', ...(chip ? [chip] : [])] }, signal)
  if (places.openBus !== null && address >= IO_START && address < IO_START + IO_SIZE) io[address - IO_START] = value
  const video = decodeVideo(io)
  if (video.visible) await read(video.screen + 0x3f8, 8)
  // For the other half of a pointer, of which there is none among the chips.
  const isOfChips = address >= IO_START - 1 && address <= IO_START + IO_SIZE
  if (!isOfChips) {
    const first = Math.max(0, address - 1)
    await read(first, Math.min(address + 2, 0x10000) - first)
  }
  const names = await programNames(session, machine, signal)
  return byteUses(address, { read: (at) => known.get(at) ?? null, io, places, names, standard })
}
