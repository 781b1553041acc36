/** When the frames of a machine that runs in real time are due. All times are milliseconds on one monotonic clock. */

/** A stall up to this is caught up, so that the machine loses no time; after a longer one (a suspended laptop) it goes on from now. */
const LONGEST_STALL = 500

/**
 * Frames on an absolute schedule: frame n is due n periods after the start, so that late timers never add up.
 */
export class Pacer {
  readonly #period: number
  #start: number
  #done = 0

  /** @param period milliseconds between two frames; the first is due at `now`. */
  constructor(period: number, now: number) {
    this.#period = period
    this.#start = now
  }

  /** How many frames are to be run now; they count as run. */
  due(now: number): number {
    if (now - this.#nextDue > LONGEST_STALL) {
      this.#start = now
      this.#done = 0
    }
    const due = Math.max(0, Math.floor((now - this.#start) / this.#period) + 1 - this.#done)
    this.#done += due
    return due
  }

  /** So many of the frames that counted as run were not: they are due again. */
  defer(frames: number): void {
    this.#done -= frames
  }

  /** Milliseconds until the next frame is due; 0 when it is. */
  delay(now: number): number {
    return Math.max(0, this.#nextDue - now)
  }

  get #nextDue(): number {
    return this.#start + this.#done * this.#period
  }
}

/** How fast a machine runs: its cycles against the clock of the host. */
export class SpeedMeter {
  #last = { at: 0, clock: 0 }
  #measured = this.#last

  /** The machine ran until now, when its clock is `clock`. */
  note(at: number, clock: number): void {
    this.#last = { at, clock }
  }

  /** Forgets the time before: the clock stood still or jumped. */
  restart(at: number, clock: number): void {
    this.note(at, clock)
    this.#measured = this.#last
  }

  /**
   * Real time is 1; null for a machine that did not run since the last measurement.
   * @param clockRate cycles per second
   */
  measure(clockRate: number): number | null {
    const time = this.#last.at - this.#measured.at
    const cycles = this.#last.clock - this.#measured.clock
    this.#measured = this.#last
    return time > 0 ? ((cycles / clockRate) * 1000) / time : null
  }
}
