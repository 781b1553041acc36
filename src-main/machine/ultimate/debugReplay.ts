/**
 * Replays the Ultimate 64's debug stream into a copy of what the CPU sees. A packet is u16 LE number, u16 reserved, and
 * 360 entries u32 LE, one per bus cycle:
 *
 * bit 31 PHI2 | 30 GAME# | 29 EXROM# | 28 BA | 27 IRQ# | 26 ROM# | 25 NMI# | 24 R/W# | 23-16 data | 15-0 address
 *
 * About 985,000 cycles per second arrive, so {@link DebugReplay.push} allocates nothing.
 */
import { clearBit, hasBit, setBit } from '@shared/bitmap'
import type { Accesses, Segment } from '@shared/contract/frames'
import { PacketOrder } from './packetOrder'

export const DEBUG_PACKET_BYTES = 1_444

const HEADER_BYTES = 4
const ENTRIES_PER_PACKET = 360
const MEMORY_BYTES = 0x10000
const BITMAP_BYTES = MEMORY_BYTES / 8

export const READ = 1 << 24
export const BUS_AVAILABLE = 1 << 28

export interface BusListener {
  entries(entries: Int32Array): void
  /** @param counted false where the number of packets is unknown */
  lost(packets: number, counted: boolean): void
}

/** Below is the 6510's own port, whose reads the bus does not show. */
const FIRST_ADDRESS = 2

/** By page: 1 where the CPU may read something else than was written: ROM over RAM, or a register. */
const readsDiffer = Uint8Array.from({ length: 256 }, (_, page) =>
  (page >= 0xa0 && page < 0xc0) || page >= 0xd0 ? 1 : 0,
)

export interface DebugSample {
  readonly segments: readonly Segment[]
  readonly accesses: Accesses & { readonly stale: Uint8Array }
}

export class DebugReplay {
  readonly order: PacketOrder
  readonly #memory = new Uint8Array(MEMORY_BYTES)
  readonly #reads = new Uint8Array(BITMAP_BYTES)
  readonly #writes = new Uint8Array(BITMAP_BYTES)
  /** Set for every byte until it was seen on the bus or read, and again once packets were lost. */
  readonly #stale = new Uint8Array(BITMAP_BYTES).fill(0xff)
  readonly #known = new Uint8Array(BITMAP_BYTES)
  readonly #seen = new Uint8Array(BITMAP_BYTES)
  #losses = 0
  #lossesAtRefresh = 0
  readonly #packet = new Uint8Array(DEBUG_PACKET_BYTES)
  // Signed, so that every entry is a small integer in V8. Every platform we run on is little-endian.
  readonly #entries = new Int32Array(this.#packet.buffer, HEADER_BYTES, ENTRIES_PER_PACKET)

  constructor(listener?: BusListener) {
    this.order = new PacketOrder({
      size: DEBUG_PACKET_BYTES,
      onPacket: (packet) => {
        this.#replay(packet)
        listener?.entries(this.#entries)
      },
      onLost: (packets, counted) => {
        this.#forget()
        listener?.lost(packets, counted)
      },
    })
  }

  push(packet: Uint8Array): void {
    this.order.push(packet)
  }

  byte(address: number): number | undefined {
    return hasBit(this.#known, address) ? this.#memory[address] : undefined
  }

  /** A read of the machine begins: accesses seen from now on are newer than its result. */
  beginRefresh(): void {
    this.#seen.fill(0)
    this.#lossesAtRefresh = this.#losses
  }

  /** Bytes stay stale where packets were lost since {@link beginRefresh}. */
  refresh(address: number, bytes: Uint8Array): void {
    const isCertain = this.#losses === this.#lossesAtRefresh
    for (const [index, byte] of bytes.entries()) {
      const at = address + index
      if (hasBit(this.#seen, at)) continue
      this.#memory[at] = byte
      setBit(this.#known, at)
      if (isCertain) clearBit(this.#stale, at)
    }
  }

  /** Something other than the CPU wrote to the range: it is stale. */
  expire(address: number, length: number): void {
    for (let at = address; at < address + length; at++) {
      setBit(this.#stale, at)
      setBit(this.#seen, at)
    }
  }

  certain(address: number, length: number): Uint8Array | undefined {
    for (let at = address; at < address + length; at++) if (hasBit(this.#stale, at)) return undefined
    return this.#memory.slice(address, address + length)
  }

  take(): DebugSample {
    const accesses = { reads: this.#reads.slice(), writes: this.#writes.slice(), stale: this.#stale.slice() }
    this.#reads.fill(0)
    this.#writes.fill(0)
    return { segments: this.#knownSegments(), accesses }
  }

  /** Takes bytes from before the stream began; they stay stale. */
  seed(segments: readonly Segment[]): void {
    for (const { address, bytes } of segments) {
      for (const [index, byte] of bytes.entries()) {
        const at = address + index
        if (hasBit(this.#known, at)) continue
        this.#memory[at] = byte
        setBit(this.#known, at)
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
    const seen = this.#seen
    for (let index = 0; index < ENTRIES_PER_PACKET; index++) {
      const entry = entries[index] ?? 0
      // Bit 31 is clear in the VIC-II's half of each cycle, and in entries of the 1541.
      if (entry >= 0) continue
      const isRead = (entry & READ) !== 0
      // While the VIC-II has the bus, reads are its own or are repeated later; writes of the CPU still count.
      if (isRead && (entry & BUS_AVAILABLE) === 0) continue
      const address = entry & 0xffff
      const place = address >> 3
      const mask = 1 << (address & 7)
      if (isRead) reads[place] = (reads[place] ?? 0) | mask
      else writes[place] = (writes[place] ?? 0) | mask
      if (address < FIRST_ADDRESS) continue
      if (!isRead && readsDiffer[address >> 8] === 1) {
        stale[place] = (stale[place] ?? 0) | mask
        // A refresh that has begun may have been read before this write.
        seen[place] = (seen[place] ?? 0) | mask
        continue
      }
      const data = (entry >> 16) & 0xff
      memory[address] = data
      known[place] = (known[place] ?? 0) | mask
      seen[place] = (seen[place] ?? 0) | mask
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
    for (let address = 0; address <= MEMORY_BYTES; address++) {
      // Skips eight addresses at a time where their state is the same.
      while ((address & 7) === 0 && address < MEMORY_BYTES && this.#known[address >> 3] === (start < 0 ? 0 : 0xff))
        address += 8
      const isKnown = address < MEMORY_BYTES && hasBit(this.#known, address)
      if (isKnown && start < 0) start = address
      if (!isKnown && start >= 0) {
        segments.push({ space: 'cpu', address: start, bytes: this.#memory.slice(start, address) })
        start = -1
      }
    }
    return segments
  }
}
