/** Predicts when VICE next takes commands: at the end of a frame, with frames at equal distances. */

/** Closer to the end of a frame further commands would miss it. 9 of 10 ends came within 4 ms of the expected time. */
const LEAD_MS = 4

export class FrameClock {
  #start: number | undefined

  /**
   * To be called when VICE continues from the end of a frame.
   * @param at by `performance.now()`
   */
  started(at: number): void {
    this.#start = at
  }

  /**
   * ms until it is late in a frame, above 0; 0 before VICE first continued.
   * @param now by `performance.now()`
   * @param frame length in ms
   */
  untilLate(now: number, frame: number): number {
    if (this.#start === undefined) return 0
    const frames = Math.floor((now + LEAD_MS - this.#start) / frame) + 1
    return this.#start + frames * frame - LEAD_MS - now
  }
}
