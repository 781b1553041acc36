/** The system bus and the clock: each access of the CPU takes a cycle, and finds the chips as they stand in that cycle. */
import type { Bus } from './processor'
import type { Clock } from './clock'
import type { AddressSpace } from './pla'

/** What goes on beside the CPU. */
export interface ChipTiming {
  /**
   * Brings the chips up to the cycle `now`.
   * @returns the next cycle at which that is due, so that no change which the CPU could notice by itself comes late
   */
  advance(now: number): number
  /** Whether the VIC-II needs the bus in the cycle up to which the chips are (RDY is low): reads wait, writes go on. */
  readonly holdsBus: boolean
  /** Whether the chips have to be brought up to date before the CPU writes at an address. */
  isConcernedBy(address: number): boolean
  /** As {@link advance}, before the CPU writes at an address. */
  prepareWrite(address: number, now: number): number
  /**
   * The CPU waits, and looks at its interrupt lines as in every cycle.
   * @returns the next cycle at which the chips have to be brought up to date: until then nothing changes for it
   */
  wait(now: number): number
}

/** Chips lie there, or the RAM and ROM under them. */
export const IO_PAGE = 0xd

export class SystemBus implements Bus {
  /** The cycle from which on the chips have to be brought up to date before an access. */
  nextEvent = 0
  /** Where the CPU reads while the chips are brought up to date; -1 where it writes. */
  reading = -1
  readonly #clock: Clock
  readonly #space: AddressSpace
  readonly #timing: ChipTiming
  /** The clock after the last read that waited, and how many cycles it waited. */
  #lastWait = { end: 0, cycles: 0 }

  constructor(clock: Clock, space: AddressSpace, timing: ChipTiming) {
    this.#clock = clock
    this.#space = space
    this.#timing = timing
  }

  /** Cycles that the access before this moment waited. */
  get waited(): number {
    return this.#lastWait.end === this.#clock.now ? this.#lastWait.cycles : 0
  }

  read(address: number): number {
    if (this.#clock.now >= this.nextEvent || address >> 12 === IO_PAGE) this.#wait(address)
    const value = this.#space.read(address)
    this.#clock.now++
    return value
  }

  write(address: number, value: number): void {
    const { now } = this.#clock
    this.reading = -1
    if (now >= this.nextEvent || this.#timing.isConcernedBy(address))
      this.nextEvent = this.#timing.prepareWrite(address, now)
    this.#space.write(address, value)
    this.#clock.now++
  }

  #advance(): void {
    this.nextEvent = this.#timing.advance(this.#clock.now)
  }

  #wait(address: number): void {
    const begun = this.#clock.now
    this.reading = address
    this.#advance()
    while (this.#timing.holdsBus) {
      this.#clock.now = this.#timing.wait(this.#clock.now)
      this.#advance()
    }
    if (this.#clock.now !== begun) this.#lastWait = { end: this.#clock.now + 1, cycles: this.#clock.now - begun }
  }
}
