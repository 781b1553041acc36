/** ms; a stall up to this is caught up, after a longer one (a suspended laptop) timing restarts from now. */
const LONGEST_STALL = 500

/** Frame n is due n periods after the start, so that late timers never add up. */
export class Pacer {
  readonly #period: number
  #start: number
  #done = 0

  /**
   * @param period ms
   * @param now the first frame is due then
   */
  constructor(period: number, now: number) {
    this.#period = period
    this.#start = now
  }

  due(now: number): number {
    if (now - this.#nextDue > LONGEST_STALL) {
      this.#start = now
      this.#done = 0
    }
    const due = Math.max(0, Math.floor((now - this.#start) / this.#period) + 1 - this.#done)
    this.#done += due
    return due
  }

  defer(frames: number): void {
    this.#done -= frames
  }

  delay(now: number): number {
    return Math.max(0, this.#nextDue - now)
  }

  get #nextDue(): number {
    return this.#start + this.#done * this.#period
  }
}

export class SpeedMeter {
  #last = { at: 0, clock: 0 }
  #measured = this.#last

  note(at: number, clock: number): void {
    this.#last = { at, clock }
  }

  restart(at: number, clock: number): void {
    this.note(at, clock)
    this.#measured = this.#last
  }

  /**
   * 1 is real time; null where the machine did not run since the last measurement.
   * @param clockRate cycles per second
   */
  measure(clockRate: number): number | null {
    const time = this.#last.at - this.#measured.at
    const cycles = this.#last.clock - this.#measured.clock
    this.#measured = this.#last
    return time > 0 ? ((cycles / clockRate) * 1000) / time : null
  }
}
