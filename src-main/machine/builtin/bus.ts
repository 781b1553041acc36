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
  /** Whether the VIC-II needs the bus in the cycle `now` (RDY is low): the CPU's reads wait, its writes go on. */
  holdsBus(now: number): boolean
  /** The CPU still waits in the cycle that just passed, and looks at its interrupt lines as in every cycle. */
  waited(): void
}

export class SystemBus implements Bus {
  /** The cycle from which on the chips have to be brought up to date before an access. */
  nextEvent = 0
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
    if (this.#clock.now >= this.nextEvent) this.#wait()
    const value = this.#space.read(address)
    this.#clock.now++
    return value
  }

  write(address: number, value: number): void {
    if (this.#clock.now >= this.nextEvent) this.#advance()
    this.#space.write(address, value)
    this.#clock.now++
  }

  #advance(): void {
    this.nextEvent = this.#timing.advance(this.#clock.now)
  }

  #wait(): void {
    const begun = this.#clock.now
    this.#advance()
    while (this.#timing.holdsBus(this.#clock.now)) {
      this.#clock.now++
      this.#timing.waited()
      this.#advance()
    }
    if (this.#clock.now !== begun) this.#lastWait = { end: this.#clock.now + 1, cycles: this.#clock.now - begun }
  }
}
