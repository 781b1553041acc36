/**
 * The Ultimate 64's debug stream replayed into a copy of what the CPU sees. A packet is u16 LE number, u16 reserved, and
 * 360 entries u32 LE, one a bus cycle:
 *
 * bit 31 PHI2 | 30 GAME# | 29 EXROM# | 28 BA | 27 IRQ# | 26 ROM# | 25 NMI# | 24 R/W# | 23-16 data | 15-0 address
 *
 * About 985,000 cycles a second come in, so {@link DebugReplay.push} allocates nothing.
 */
import type { Accesses, Segment } from '@shared/contract/frames'
import { PacketOrder } from './packetOrder'

export const DEBUG_PACKET = 1_444

const HEADER = 4
const ENTRIES = 360
const MEMORY = 0x10000
const BITMAP = MEMORY / 8

const READ = 1 << 24
const BUS_AVAILABLE = 1 << 28

/** The 6510's own port: what is on the bus then is not what the CPU reads. */
const FIRST_ADDRESS = 2

/**
 * By page: 1 where a write may land under ROM or in a register that reads otherwise, so that what the CPU would read there
 * is not known from the write.
 */
const readsOtherwise = Uint8Array.from({ length: 256 }, (_, page) =>
  (page >= 0xa0 && page < 0xc0) || page >= 0xd0 ? 1 : 0,
)

export interface DebugSample {
  /** All bytes that were ever known, as the CPU sees them. */
  readonly segments: readonly Segment[]
  /** What the bus told since the last time that they were taken. */
  readonly accesses: Accesses
}

export class DebugReplay {
  /** Packets that came in. */
  packets = 0
  malformed = 0
  readonly #memory = new Uint8Array(MEMORY)
  readonly #reads = new Uint8Array(BITMAP)
  readonly #writes = new Uint8Array(BITMAP)
  /** Set for every byte until it was seen on the bus or read, and again once packets were lost. */
  readonly #stale = new Uint8Array(BITMAP).fill(0xff)
  /** Bytes that were ever known. */
  readonly #known = new Uint8Array(BITMAP)
  /** Bytes that the bus told of since {@link beginRefresh}. */
  readonly #told = new Uint8Array(BITMAP)
  #losses = 0
  #lossesAtRefresh = 0
  readonly #order: PacketOrder
  readonly #packet = new Uint8Array(DEBUG_PACKET)
  // Signed, so that no entry is more than a small integer of the engine's; all that this runs on is little-endian.
  readonly #entries = new Int32Array(this.#packet.buffer, HEADER, ENTRIES)

  constructor() {
    this.#order = new PacketOrder({
      size: DEBUG_PACKET,
      onPacket: (packet) => this.#replay(packet),
      onLost: () => this.#forget(),
    })
  }

  get lost(): number {
    return this.#order.lost
  }

  get late(): number {
    return this.#order.late
  }

  push(packet: Uint8Array): void {
    if (packet.length === 2) return
    if (packet.length !== DEBUG_PACKET) {
      this.malformed++
      return
    }
    this.packets++
    this.#order.push(packet)
  }

  /** The byte as far as it is known; what is stale may be another by now. */
  byte(address: number): number | undefined {
    return bit(this.#known, address) ? this.#memory[address] : undefined
  }

  /** A read of the machine begins: what the bus tells from now on is newer than what it will bring. */
  beginRefresh(): void {
    this.#told.fill(0)
    this.#lossesAtRefresh = this.#losses
  }

  /** What a read since {@link beginRefresh} brought. Where packets were lost meanwhile it may be old already. */
  refresh(address: number, bytes: Uint8Array): void {
    const isCertain = this.#losses === this.#lossesAtRefresh
    for (const [index, byte] of bytes.entries()) {
      const at = address + index
      if (bit(this.#told, at)) continue
      this.#memory[at] = byte
      this.#known[at >> 3] = (this.#known[at >> 3] ?? 0) | (1 << (at & 7))
      if (isCertain) this.#stale[at >> 3] = (this.#stale[at >> 3] ?? 0) & ~(1 << (at & 7))
    }
  }

  /** The machine's memory was written other than by its CPU: what was known there is so no longer. */
  expire(address: number, length: number): void {
    for (let at = address; at < address + length; at++) {
      this.#stale[at >> 3] = (this.#stale[at >> 3] ?? 0) | (1 << (at & 7))
      this.#told[at >> 3] = (this.#told[at >> 3] ?? 0) | (1 << (at & 7))
    }
  }

  /** A copy of the range where every byte of it is known for certain. */
  certain(address: number, length: number): Uint8Array | undefined {
    for (let at = address; at < address + length; at++) if (bit(this.#stale, at)) return undefined
    return this.#memory.slice(address, address + length)
  }

  take(): DebugSample {
    const accesses = { reads: this.#reads.slice(), writes: this.#writes.slice(), stale: this.#stale.slice() }
    this.#reads.fill(0)
    this.#writes.fill(0)
    return { segments: this.#knownSegments(), accesses }
  }

  /** Bytes as they were before the stream began: known, but maybe others by now. */
  seed(segments: readonly Segment[]): void {
    for (const { address, bytes } of segments) {
      for (const [index, byte] of bytes.entries()) {
        const at = address + index
        if (bit(this.#known, at)) continue
        this.#memory[at] = byte
        this.#known[at >> 3] = (this.#known[at >> 3] ?? 0) | (1 << (at & 7))
      }
    }
  }

  #replay(packet: Uint8Array): void {
    this.#packet.set(packet)
    const entries = this.#entries
    const memory = this.#memory
    const reads = this.#reads
    const writes = this.#writes
    const stale = this.#stale
    const known = this.#known
    const told = this.#told
    for (let index = 0; index < ENTRIES; index++) {
      const entry = entries[index] ?? 0
      // The VIC-II has the other half of each cycle, and the 1541 has this bit clear.
      if (entry >= 0) continue
      const isRead = (entry & READ) !== 0
      // While the VIC-II takes the bus, reads are its own or are made again; the CPU's writes still come through.
      if (isRead && (entry & BUS_AVAILABLE) === 0) continue
      const address = entry & 0xffff
      const place = address >> 3
      const mask = 1 << (address & 7)
      if (isRead) reads[place] = (reads[place] ?? 0) | mask
      else writes[place] = (writes[place] ?? 0) | mask
      if (address < FIRST_ADDRESS) continue
      if (!isRead && readsOtherwise[address >> 8] === 1) {
        stale[place] = (stale[place] ?? 0) | mask
        // A read that is under way may have come before this write.
        told[place] = (told[place] ?? 0) | mask
        continue
      }
      const data = (entry >> 16) & 0xff
      memory[address] = data
      known[place] = (known[place] ?? 0) | mask
      told[place] = (told[place] ?? 0) | mask
      stale[place] = (stale[place] ?? 0) & ~mask
    }
  }

  /** A lost packet may have held a write to any address. */
  #forget(): void {
    this.#losses++
    this.#stale.fill(0xff)
  }

  #knownSegments(): Segment[] {
    const segments: Segment[] = []
    let start = -1
    for (let address = 0; address <= MEMORY; address++) {
      // Eight at a time where nothing changes.
      while ((address & 7) === 0 && address < MEMORY && this.#known[address >> 3] === (start < 0 ? 0 : 0xff))
        address += 8
      const isKnown = address < MEMORY && bit(this.#known, address)
      if (isKnown && start < 0) start = address
      if (!isKnown && start >= 0) {
        segments.push({ space: 'cpu', address: start, bytes: this.#memory.slice(start, address) })
        start = -1
      }
    }
    return segments
  }
}

const bit = (map: Uint8Array, address: number): boolean => ((map[address >> 3] ?? 0) & (1 << (address & 7))) !== 0
