const RATE_WINDOW_MS = 1_000

export class SampleMeter {
  #times: number[] = []
  #cost: number | null = null

  /** @param cost share of the machine's time, 0 to 1, where known */
  add(cost: number | undefined): void {
    const now = performance.now()
    this.#times.push(now)
    this.#dropOldTimes(now)
    if (cost !== undefined) this.#cost = Math.min(1, Math.max(0, cost))
  }

  get rate(): number {
    this.#dropOldTimes(performance.now())
    return this.#times.length / (RATE_WINDOW_MS / 1_000)
  }

  /** Share of the machine's time, 0 to 1; null where it is unknown or nothing is sampled. */
  get cost(): number | null {
    return this.rate === 0 ? null : this.#cost
  }

  #dropOldTimes(now: number): void {
    const firstKept = this.#times.findIndex((time) => time > now - RATE_WINDOW_MS)
    this.#times.splice(0, firstKept < 0 ? this.#times.length : firstKept)
  }
}
