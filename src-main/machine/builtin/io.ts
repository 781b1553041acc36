/** The chips at $D000 to $DFFF as the CPU reaches them. */
import type { Cia } from './cia'
import type { Clock } from './clock'
import type { IoArea } from './pla'
import type { Sid } from './sid'
import type { VicII } from './vicii'

/** Nothing is plugged into the cartridge port: the real chip's bus would show what the VIC-II read last. */
const OPEN_BUS = 0xff

export interface Chips {
  readonly vic: VicII
  readonly sid: Sid
  readonly cia1: Cia
  readonly cia2: Cia
  readonly colorRam: Uint8Array
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
    const { vic, sid, cia1, cia2 } = this.#chips
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        return vic.read(address & 0x3f)
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        return sid.read(address & 0x1f, this.#clock.now)
      case 0xc:
        return this.#readCia(cia1, address)
      case 0xd:
        return this.#readCia(cia2, address)
      default:
        return this.peek(address)
    }
  }

  /** Like `read` but nothing changes, and the SID's registers are as written. */
  peek(address: number): number {
    const { vic, sid, cia1, cia2, colorRam } = this.#chips
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        return vic.peek(address & 0x3f)
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        return sid.registers[address & 0x1f] ?? 0
      case 0xc:
        return cia1.peek(address & 0x0f)
      case 0xd:
        return cia2.peek(address & 0x0f)
      case 0xe:
      case 0xf:
        return OPEN_BUS
      default:
        return colorRam[address & 0x3ff] ?? 0
    }
  }

  write(address: number, value: number): void {
    const { vic, sid, cia1, cia2, colorRam } = this.#chips
    switch ((address >> 8) & 0x0f) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        vic.write(address & 0x3f, value)
        break
      case 0x4:
      case 0x5:
      case 0x6:
      case 0x7:
        sid.registers[address & 0x1f] = value
        return
      case 0xc:
        cia1.write(address & 0x0f, value, this.#clock.now)
        break
      case 0xd:
        cia2.write(address & 0x0f, value, this.#clock.now)
        break
      case 0xe:
      case 0xf:
        return
      default:
        // There are four memory cells only; the high nibble reads 0 here, and at random on the real machine.
        colorRam[address & 0x3ff] = value & 0x0f
        return
    }
    this.#changed()
  }

  #readCia(cia: Cia, address: number): number {
    const value = cia.read(address & 0x0f, this.#clock.now)
    this.#changed()
    return value
  }
}
