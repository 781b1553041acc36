export class TimeSlice {
  readonly #lengthMs: number
  #since = performance.now()

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  get isOver(): boolean {
    return performance.now() - this.#since >= this.#lengthMs
  }

  async next(): Promise<void> {
    await new Promise(setImmediate)
    this.#since = performance.now()
  }
}
