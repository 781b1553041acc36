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

  /** Milliseconds until the next frame is due; 0 when it is. */
  delay(now: number): number {
    return Math.max(0, this.#nextDue - now)
  }

  get #nextDue(): number {
    return this.#start + this.#done * this.#period
  }
}
