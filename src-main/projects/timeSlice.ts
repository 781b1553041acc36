/** One turn of a thread's work through many things: once it is over, others have theirs. */
export class Turn {
  readonly #length: number
  #since = performance.now()

  /** @param length ms */
  constructor(length: number) {
    this.#length = length
  }

  get isOver(): boolean {
    return performance.now() - this.#since >= this.#length
  }

  async next(): Promise<void> {
    await new Promise(setImmediate)
    this.#since = performance.now()
  }
}
