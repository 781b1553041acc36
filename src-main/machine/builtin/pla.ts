/**
 * The 6510's address space: RAM, the ROMs and the I/O area, switched by the port at $00/$01 as the PLA does without a
 * cartridge.
 */
import type BusInterface from '6502.ts/lib/machine/bus/BusInterface'
import { z } from 'zod'

export interface Roms {
  /** 8 KiB at $E000. */
  readonly kernal: Uint8Array
  /** 8 KiB at $A000. */
  readonly basic: Uint8Array
  /** 4 KiB at $D000. */
  readonly character: Uint8Array
}

/** The chips at $D000 to $DFFF, as the CPU reaches them. */
export interface IoArea {
  read(address: number): number
  /** Like `read` but nothing in the machine changes. */
  peek(address: number): number
  write(address: number, value: number): void
}

export const portSchema = z.strictObject({ direction: z.int().min(0).max(255), data: z.int().min(0).max(255) })
export type Port = z.infer<typeof portSchema>

const LORAM = 1
const HIRAM = 2
const CHAREN = 4

/** Levels of the port's pins while they are inputs: LORAM, HIRAM and CHAREN are pulled up, and no tape key is down (bit 4). */
const PULLED_UP = 0x17

const PAGE_BITS = 12
const IO_PAGE = 0xd

export class AddressSpace implements BusInterface {
  /** What the CPU reads at $00 and $01 is kept in `ram[0]` and `ram[1]`; the RAM cells under the port cannot be seen. */
  readonly ram = new Uint8Array(0x10000)
  /** The ROMs at their addresses; zero elsewhere. */
  readonly rom = new Uint8Array(0x10000)
  /** Told of each access of the CPU while checkpoints are looked for. */
  onAccess: ((address: number, operation: 'load' | 'store') => void) | undefined
  readonly #io: IoArea
  /** For each 4 KiB page of addresses the 64 KiB that are read there; `undefined` is the I/O area. */
  readonly #pages: (Uint8Array | undefined)[] = Array<Uint8Array>(16).fill(this.ram)
  #port: Port = { direction: 0, data: 0 }

  constructor(roms: Roms, io: IoArea) {
    this.#io = io
    this.rom.set(roms.basic, 0xa000)
    this.rom.set(roms.character, 0xd000)
    this.rom.set(roms.kernal, 0xe000)
    this.reset()
  }

  reset(): void {
    this.port = { direction: 0, data: 0 }
  }

  get port(): Port {
    return this.#port
  }

  set port(port: Port) {
    this.#port = port
    const { direction, data } = port
    const pins = (data & direction) | (~direction & PULLED_UP)
    this.ram[0] = direction
    this.ram[1] = pins

    const pages = this.#pages
    const basic = (pins & LORAM) !== 0 && (pins & HIRAM) !== 0 ? this.rom : this.ram
    pages[0xa] = pages[0xb] = basic
    pages[0xe] = pages[0xf] = (pins & HIRAM) !== 0 ? this.rom : this.ram
    if ((pins & (LORAM | HIRAM)) === 0) pages[IO_PAGE] = this.ram
    else pages[IO_PAGE] = (pins & CHAREN) !== 0 ? undefined : this.rom
  }

  /** True while the CPU sees the chips at $D000. */
  get ioVisible(): boolean {
    return this.#pages[IO_PAGE] === undefined
  }

  /** What the CPU sees, with the RAM in place of the chips. */
  image(): Uint8Array<ArrayBuffer> {
    const image = this.ram.slice()
    for (const [page, bytes] of this.#pages.entries()) {
      const start = page << PAGE_BITS
      if (bytes === this.rom) image.set(bytes.subarray(start, start + (1 << PAGE_BITS)), start)
    }
    return image
  }

  read(address: number): number {
    if (this.onAccess !== undefined) this.onAccess(address, 'load')
    const page = this.#pages[address >> PAGE_BITS]
    return page === undefined ? this.#io.read(address) : (page[address] ?? 0)
  }

  peek(address: number): number {
    const page = this.#pages[address >> PAGE_BITS]
    return page === undefined ? this.#io.peek(address) : (page[address] ?? 0)
  }

  readWord(address: number): number {
    return this.read(address) | (this.read((address + 1) & 0xffff) << 8)
  }

  /** Writes go to the RAM under a ROM. */
  write(address: number, value: number): void {
    if (this.onAccess !== undefined) this.onAccess(address, 'store')
    if (address > 1) {
      if (address >> PAGE_BITS === IO_PAGE && this.#pages[IO_PAGE] === undefined) this.#io.write(address, value)
      else this.ram[address] = value
    } else if (address === 0) {
      this.port = { direction: value, data: this.#port.data }
    } else {
      this.port = { direction: this.#port.direction, data: value }
    }
  }

  poke(address: number, value: number): void {
    this.write(address, value)
  }
}
