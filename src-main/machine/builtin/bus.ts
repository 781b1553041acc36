/** Each access of the CPU takes a cycle, and finds the chips as they stand in that cycle. */
import type { Bus } from './processor'
import type { Clock } from './clock'
import type { AddressSpace } from './pla'

export interface ChipTiming {
  /**
   * Brings the chips up to the cycle `now`.
   * @returns the next cycle at which this is due, before the CPU could notice a change
   */
  advance(now: number): number
  /** True while the VIC-II holds RDY low in the chips' present cycle: reads wait, writes continue. */
  readonly holdsBus: boolean
  isConcernedBy(address: number): boolean
  prepareWrite(address: number, now: number): number
  /**
   * A waiting CPU checks its interrupt lines in every cycle.
   * @returns the next cycle at which the chips have to be brought up to date
   */
  wait(now: number): number
}

export const IO_PAGE = 0xd

export class SystemBus implements Bus {
  nextEvent = 0
  reading = -1
  readonly #clock: Clock
  readonly #space: AddressSpace
  readonly #timing: ChipTiming
  #lastWait = { end: 0, cycles: 0 }

  constructor(clock: Clock, space: AddressSpace, timing: ChipTiming) {
    this.#clock = clock
    this.#space = space
    this.#timing = timing
  }

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
