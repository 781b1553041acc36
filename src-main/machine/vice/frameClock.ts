/** When VICE next takes commands: at the end of a frame, and its frames come at even distances once it goes on from one. */

/** Later, and more commands would miss the end of the frame: 9 of 10 came within 4 ms of where it was expected. */
const LEAD_MS = 4

export class FrameClock {
  #start: number | undefined

  /** VICE goes on from the end of a frame. @param at by `performance.now()` */
  started(at: number): void {
    this.#start = at
  }

  /**
   * How long until it is late in a frame, ms, more than 0; 0 before VICE went on for the first time.
   * @param now by `performance.now()` @param frame how long one is, ms
   */
  untilLate(now: number, frame: number): number {
    if (this.#start === undefined) return 0
    const frames = Math.floor((now + LEAD_MS - this.#start) / frame) + 1
    return this.#start + frames * frame - LEAD_MS - now
  }
}
