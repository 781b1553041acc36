/** The port at $00/$01 switches the memories as the PLA does without a cartridge. */
import { locationOf, spaceRead, spaceWritten, type AccessSpace } from '@shared/c64/banking'
import type { OutsideCause } from '@shared/contract/timeTravel'
import { chipPlace, placeOffsets, type AccessTrace } from './accessTrace'
import type { Clock } from './clock'
import { portLevels, resetPort, writePort, type PortState } from './processorPort'

export interface Roms {
  /** 8 KiB at $E000. */
  readonly kernal: Uint8Array
  /** 8 KiB at $A000. */
  readonly basic: Uint8Array
  /** 4 KiB at $D000. */
  readonly character: Uint8Array
}

export interface IoArea {
  read(address: number): number
  peek(address: number): number
  write(address: number, value: number): void
}

const PAGE_BITS = 12
const IO_PAGE = 0xd
/** Below this page, and at $C000, the CPU always sees RAM. */
const FIRST_BANKED_PAGE = 0xa

export class AddressSpace {
  /** `ram[0]` and `ram[1]` hold what the CPU reads at $00 and $01; the RAM cells under the port cannot be seen. */
  readonly ram = new Uint8Array(0x10000)
  readonly rom = new Uint8Array(0x10000)
  watchedLoads: Uint8Array | undefined
  watchedStores: Uint8Array | undefined
  onAccess = (_address: number, _written: number | null): void => undefined
  readonly #io: IoArea
  readonly #clock: Clock
  readonly #trace: AccessTrace
  /** By 4 KiB page, for reading; `undefined` is the I/O area. */
  readonly #pages: (Uint8Array | undefined)[] = Array<Uint8Array>(16).fill(this.ram)
  readonly #placeOffsets = new Int32Array(16)
  #pins = 7
  #port = resetPort()

  constructor(roms: Roms, io: IoArea, clock: Clock, trace: AccessTrace) {
    this.#io = io
    this.#clock = clock
    this.#trace = trace
    this.rom.set(roms.basic, 0xa000)
    this.rom.set(roms.character, 0xd000)
    this.rom.set(roms.kernal, 0xe000)
    this.reset()
  }

  reset(): void {
    this.port = resetPort()
  }

  get port(): PortState {
    return this.#port
  }

  set port(port: PortState) {
    this.#port = port
    this.refreshPort()
    this.#pins = (this.ram[1] ?? 0) & 7
    for (let page = FIRST_BANKED_PAGE; page < this.#pages.length; page++) {
      const seen = spaceRead(this.#pins, page << PAGE_BITS)
      this.#pages[page] = seen === 'io' ? undefined : this[seen]
      this.#placeOffsets[page] = placeOffsets[seen]
    }
  }

  get pins(): number {
    return this.#pins
  }

  locationOf(address: number): number {
    return locationOf(spaceRead(this.#pins, address), address)
  }

  placeOf(address: number): number {
    return address + (this.#placeOffsets[address >> PAGE_BITS] ?? 0)
  }

  readPlaceOf(address: number): number {
    return this.#pages[address >> PAGE_BITS] === undefined ? chipPlace(address) : this.placeOf(address)
  }

  writePlaceOf(address: number): number {
    return spaceWritten(this.#pins, address) === 'io' ? chipPlace(address) : address
  }

  get ioVisible(): boolean {
    return this.#pages[IO_PAGE] === undefined
  }

  /** Inputs lose their charge with time, and a loaded program may have overwritten `ram[0]` and `ram[1]`. */
  refreshPort(): void {
    this.ram[0] = this.#port.direction
    this.ram[1] = portLevels(this.#port, this.#clock.now)
  }

  ramImage(): Uint8Array<ArrayBuffer> {
    this.refreshPort()
    return this.ram.slice()
  }

  image(): Uint8Array<ArrayBuffer> {
    const image = this.ramImage()
    for (const [page, bytes] of this.#pages.entries()) {
      const start = page << PAGE_BITS
      if (bytes === this.rom) image.set(bytes.subarray(start, start + (1 << PAGE_BITS)), start)
    }
    return image
  }

  read(address: number): number {
    if (this.watchedLoads !== undefined && this.watchedLoads[address] === 1) this.onAccess(address, null)
    if (address === 1) this.refreshPort()
    const page = this.#pages[address >> PAGE_BITS]
    this.#trace.read(this.readPlaceOf(address), this.#clock.now)
    return page === undefined ? this.#io.read(address) : (page[address] ?? 0)
  }

  peek(address: number): number {
    if (address === 1) this.refreshPort()
    const page = this.#pages[address >> PAGE_BITS]
    return page === undefined ? this.#io.peek(address) : (page[address] ?? 0)
  }

  peekIn(space: AccessSpace, address: number): number {
    return space === 'io' ? this.#io.peek(address) : (this[space][address] ?? 0)
  }

  /** Writes go to the RAM under a ROM. */
  write(address: number, value: number): void {
    if (this.watchedStores !== undefined && this.watchedStores[address] === 1) this.onAccess(address, value)
    if (address > 1) {
      if (address >> PAGE_BITS === IO_PAGE && this.#pages[IO_PAGE] === undefined) {
        this.#trace.writeChip(chipPlace(address), value, this.#clock.now)
        this.#io.write(address, value)
      } else {
        this.#trace.write(address, this.ram[address] ?? 0, value, this.#clock.now)
        this.ram[address] = value
      }
    } else {
      this.#trace.write(address, this.ram[address] ?? 0, value, this.#clock.now)
      this.port = writePort(this.#port, address === 0 ? 0 : 1, value, this.#clock.now)
    }
  }

  setRam(address: number, value: number, cause: OutsideCause): void {
    this.#trace.setFromOutside(address, this.ram[address] ?? 0, value, this.#clock.now, cause)
    this.ram[address] = value
  }

  setPort(address: 0 | 1, value: number): void {
    this.refreshPort()
    const from = this.ram[address] ?? 0
    this.port = writePort(this.#port, address, value, this.#clock.now)
    this.#trace.setFromOutside(address, from, value, this.#clock.now, 'write')
  }
}
