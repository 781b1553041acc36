/**
 * A place is a RAM address; the chips at $D000 to $DFFF and the ROMs have places after the 64 KiB, which tells them
 * apart from the RAM under them.
 */
import { hasBit, setBit } from '@shared/bitmap'
import type { AccessSpace } from '@shared/c64/banking'
import { chipAt, chips } from '@shared/c64/chips'
import { outsideCauses, type OutsideCause } from '@shared/contract/timeTravel'

const IO_PLACES = 0x10000
const IO_START = 0xd000
const IO_SIZE = 0x1000
const ROM_PLACES = IO_PLACES + IO_SIZE
const ROM_START = 0xa000
const PLACES = ROM_PLACES + 0x10000 - ROM_START

export const placeOffsets: Readonly<Record<AccessSpace, number>> = {
  ram: 0,
  io: IO_PLACES - IO_START,
  rom: ROM_PLACES - ROM_START,
}

/** Bytes; fetching an instruction is no read of data. */
const LONGEST_INSTRUCTION = 3

const NOWHERE = -1

const chipPlaces = Int32Array.from({ length: IO_SIZE }, (_, offset) => {
  const id = chipAt(IO_START + offset)
  if (!id) return IO_PLACES + offset
  const first = chips[id].start - IO_START
  return IO_PLACES + first + ((offset - first) % chips[id].every)
})

export const chipPlace = (address: number): number => chipPlaces[address - IO_START] ?? NOWHERE

/** In place of an instruction's address. */
const INTERRUPT = -1
const RESET = -2

/** The clock in cycles, and the instruction's place; null for an interrupt's sequence. */
export interface Access {
  readonly clock: number
  readonly instruction: number | null
  readonly cause: OutsideCause | null
}

export interface Write extends Access {
  /** Null for a chip's register that nothing wrote before. */
  readonly from: number | null
  readonly to: number
}

/** Called before the write happens, with the clock at which the writing instruction began. */
export type OnWrite = (write: Write & { readonly begun: number }) => void

/** In its arrays of clocks, 0 means never. */
export class AccessTrace {
  readonly #outside = new OutsideWrites()
  readonly #writeClocks = new Float64Array(ROM_PLACES)
  readonly #writers = new Int32Array(ROM_PLACES)
  readonly #from = new Int16Array(ROM_PLACES)
  readonly #to = new Uint8Array(ROM_PLACES)
  readonly #readClocks = new Float64Array(PLACES)
  readonly #readers = new Int32Array(PLACES)
  readonly #runClocks = new Float64Array(PLACES)
  #instruction = 0
  #begun = 0
  #watched = NOWHERE
  #onWrite: OnWrite | undefined

  begin(place: number, isInterrupt: boolean, clock: number): void {
    this.#begun = clock
    if (isInterrupt) this.#instruction = INTERRUPT
    else {
      this.#instruction = place
      this.#runClocks[place] = clock
    }
  }

  beginReset(clock: number): void {
    this.#begun = clock
    this.#instruction = RESET
  }

  /** Instruction fetches do not count. */
  read(place: number, clock: number): void {
    const instruction = this.#instruction
    if (place >= instruction && place < instruction + LONGEST_INSTRUCTION) return
    this.#readClocks[place] = clock
    this.#readers[place] = instruction
  }

  write(place: number, from: number, to: number, clock: number): void {
    this.#from[place] = from
    this.#to[place] = to
    this.#writeClocks[place] = clock
    this.#writers[place] = this.#instruction
    if (place === this.#watched) this.#notify(place)
  }

  watch(place: number, onWrite: OnWrite): void {
    this.#watched = place
    this.#onWrite = onWrite
  }

  unwatch(): void {
    this.#watched = NOWHERE
    this.#onWrite = undefined
  }

  #notify(place: number): void {
    const write = this.#lastByInstruction(place)
    if (write) this.#onWrite?.({ ...write, begun: this.#begun })
  }

  /** The last written value counts, as a chip's register cannot be read back. */
  writeChip(place: number, to: number, clock: number): void {
    this.write(place, this.#writtenBefore(place), to, clock)
  }

  setChipFromOutside(place: number, to: number, clock: number, cause: OutsideCause): void {
    this.setFromOutside(place, this.#writtenBefore(place), to, clock, cause)
  }

  #writtenBefore(place: number): number {
    const own = this.#writeClocks[place] ?? 0
    const outside = this.#outside.clocks[place] ?? 0
    if (own === 0 && outside === 0) return -1
    return (outside >= own ? this.#outside.to[place] : this.#to[place]) ?? -1
  }

  /** @param from -1 where not known */
  setFromOutside(place: number, from: number, to: number, clock: number, cause: OutsideCause): void {
    this.#outside.set(place, from, to, clock, cause)
    if (place !== this.#watched) return
    const write = this.#outside.last(place)
    if (write) this.#onWrite?.({ ...write, begun: clock })
  }

  lastWrite(place: number): Write | null {
    const own = this.#lastByInstruction(place)
    const outside = this.#outside.last(place)
    return outside && outside.clock >= (own?.clock ?? 0) ? outside : own
  }

  #lastByInstruction(place: number): Write | null {
    const access = accessOf(this.#writeClocks[place], this.#writers[place])
    if (!access) return null
    const from = this.#from[place] ?? 0
    return { ...access, from: from < 0 ? null : from, to: this.#to[place] ?? 0 }
  }

  lastRead(place: number): Access | null {
    return accessOf(this.#readClocks[place], this.#readers[place])
  }

  /**
   * Counts only the start of an instruction; null when the present value never ran, as after loading another program.
   */
  lastRun(place: number): number | null {
    const clock = this.#runClocks[place] ?? 0
    return clock < (this.#outside.clocks[place] ?? 0) ? null : clock || null
  }

  /** One bit a place. */
  touchedSince(since: number): TouchedPlaces {
    return {
      store: bitsSince(this.#writeClocks, since),
      load: bitsSince(this.#readClocks, since),
      exec: bitsSince(this.#runClocks, since),
    }
  }

  changedSince(since: number): TouchedPlaces {
    const touched = this.touchedSince(since)
    this.#outside.markSince(since, touched.store)
    return touched
  }

  /** For a machine that went back: what came after `clock` did not happen. */
  forgetAfter(clock: number): void {
    for (const clocks of [this.#writeClocks, this.#readClocks, this.#runClocks, this.#outside.clocks])
      for (let place = 0; place < clocks.length; place++) if ((clocks[place] ?? 0) >= clock) clocks[place] = 0
  }
}

/** Kept apart from the rest, as a write from outside is no access of the CPU. */
class OutsideWrites {
  readonly clocks = new Float64Array(ROM_PLACES)
  readonly #from = new Int16Array(ROM_PLACES)
  readonly to = new Uint8Array(ROM_PLACES)
  readonly #causes = new Uint8Array(ROM_PLACES)

  set(place: number, from: number, to: number, clock: number, cause: OutsideCause): void {
    this.clocks[place] = clock
    this.#from[place] = from
    this.to[place] = to
    this.#causes[place] = outsideCauses.indexOf(cause)
  }

  last(place: number): Write | null {
    const clock = this.clocks[place]
    if (!clock) return null
    const from = this.#from[place] ?? -1
    const cause = outsideCauses[this.#causes[place] ?? 0] ?? 'write'
    return { clock, instruction: null, cause, from: from < 0 ? null : from, to: this.to[place] ?? 0 }
  }

  markSince(since: number, bits: Uint8Array): void {
    for (let place = 0; place < ROM_PLACES; place++) if ((this.clocks[place] ?? 0) >= since) setBit(bits, place)
  }
}

export type TouchedPlaces = Readonly<Record<'store' | 'load' | 'exec', Uint8Array>>

export function hasAddress(bits: Uint8Array, start: number, end: number): boolean {
  for (let address = start; address <= end; address++) {
    if (hasBit(bits, address)) return true
    if (isChipAddress(address) && hasBit(bits, chipPlace(address))) return true
    if (address >= ROM_START && hasBit(bits, address + placeOffsets.rom)) return true
  }
  return false
}

export function addressBits(places: Uint8Array, space: AccessSpace): Uint8Array<ArrayBuffer> {
  if (space === 'ram') return places.slice(0, IO_PLACES >> 3)
  const bits = new Uint8Array(0x10000 >> 3)
  if (space === 'io') bits.set(places.subarray(IO_PLACES >> 3, ROM_PLACES >> 3), IO_START >> 3)
  else bits.set(places.subarray(ROM_PLACES >> 3), ROM_START >> 3)
  return bits
}

/** One bit for each of the 64 KiB, in whichever memory. */
export function anywhereBits(places: Uint8Array): Uint8Array<ArrayBuffer> {
  const bits = places.slice(0, IO_PLACES >> 3)
  const add = (from: Uint8Array, start: number): void => {
    for (let index = 0; index < from.length; index++)
      bits[start + index] = (bits[start + index] ?? 0) | (from[index] ?? 0)
  }
  add(places.subarray(IO_PLACES >> 3, ROM_PLACES >> 3), IO_START >> 3)
  add(places.subarray(ROM_PLACES >> 3), ROM_START >> 3)
  return bits
}

export function placeIn(place: number): { readonly space: AccessSpace; readonly address: number } {
  const space = place < IO_PLACES ? 'ram' : place < ROM_PLACES ? 'io' : 'rom'
  return { space, address: place - placeOffsets[space] }
}

const isChipAddress = (address: number): boolean => address >= IO_START && address < IO_START + IO_SIZE

function bitsSince(clocks: Float64Array, since: number): Uint8Array {
  const bits = new Uint8Array(clocks.length >> 3)
  for (let index = 0; index < bits.length; index++) {
    let eight = 0
    for (let bit = 0; bit < 8; bit++) if ((clocks[(index << 3) | bit] ?? 0) >= since) eight |= 1 << bit
    bits[index] = eight
  }
  return bits
}

function accessOf(clock: number | undefined, instruction: number | undefined): Access | null {
  if (clock === undefined || clock === 0) return null
  if (instruction === undefined || instruction < 0)
    return { clock, instruction: null, cause: instruction === RESET ? 'reset' : null }
  return { clock, instruction, cause: null }
}
