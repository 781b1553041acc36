import type { Cia } from './cia'
import type { Clock } from './clock'
import type { IoArea } from './pla'
import type { Raster } from './raster'
import type { Sid } from './sid'
import type { VicII } from './vicii'

/** Shown where nothing is plugged in; a program reads the floating bus. */
const OPEN_BUS = 0xff

/** Each KiB belongs to one kind of chip, whose registers repeat in it. */
const AREA = 0x0c00
const VIC_AREA = 0x0000
const SID_AREA = 0x0400
const COLOR_AREA = 0x0800
const LAST_PORT_REGISTER = 3

export interface Chips {
  readonly vic: VicII
  readonly raster: Raster
  readonly sid: Sid
  readonly cia1: Cia
  readonly cia2: Cia
  readonly colorRam: Uint8Array
  portsChanged(): void
}

export class Io implements IoArea {
  readonly #chips: Chips
  readonly #clock: Clock
  readonly #changed: () => void

  /** @param changed called after an access that may have moved an interrupt line, an output or the next event */
  constructor(chips: Chips, clock: Clock, changed: () => void) {
    this.#chips = chips
    this.#clock = clock
    this.#changed = changed
  }

  read(address: number): number {
    const { raster, sid } = this.#chips
    switch (address & AREA) {
      case VIC_AREA:
        return raster.read(address & 0x3f)
      case SID_AREA:
        return sid.read(address & 0x1f, this.#clock.now)
      case COLOR_AREA:
        // Colour RAM has 4 bits; the upper ones float.
        return (this.#chips.colorRam[address & 0x3ff] ?? 0) | (raster.floatingByte() & 0xf0)
      default:
        return this.#readCia(this.#ciaAt(address), address)
    }
  }

  /** Like `read`, but without side effects or floating bus, and the SID's registers as written. */
  peek(address: number): number {
    const { vic, sid, colorRam } = this.#chips
    switch (address & AREA) {
      case VIC_AREA:
        return vic.peek(address & 0x3f)
      case SID_AREA:
        return sid.registers[address & 0x1f] ?? 0
      case COLOR_AREA:
        return colorRam[address & 0x3ff] ?? 0
      default:
        return this.#ciaAt(address)?.peek(address & 0x0f) ?? OPEN_BUS
    }
  }

  write(address: number, value: number): void {
    const { raster, sid, colorRam } = this.#chips
    switch (address & AREA) {
      case VIC_AREA:
        raster.write(address & 0x3f, value)
        break
      case SID_AREA:
        sid.registers[address & 0x1f] = value
        return
      case COLOR_AREA:
        if (raster.mayReadColorLater(address & 0x3ff)) raster.settle()
        colorRam[address & 0x3ff] = value & 0x0f
        return
      default: {
        const cia = this.#ciaAt(address)
        if (!cia) return
        cia.write(address & 0x0f, value, this.#clock.now)
        if (cia === this.#chips.cia1 && (address & 0x0f) <= LAST_PORT_REGISTER) this.#chips.portsChanged()
      }
    }
    this.#changed()
  }

  #ciaAt(address: number): Cia | undefined {
    const page = address & 0x0300
    if (page === 0x0000) return this.#chips.cia1
    return page === 0x0100 ? this.#chips.cia2 : undefined
  }

  #readCia(cia: Cia | undefined, address: number): number {
    if (!cia) return this.#chips.raster.floatingByte()
    const value = cia.read(address & 0x0f, this.#clock.now)
    this.#changed()
    return value
  }
}
