/** Agents without a slot wait in the order in which they came. */
export class AgentSlots {
  readonly #limit: () => number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit()
  }

  get taken(): number {
    return this.#taken
  }

  tryAcquire(): boolean {
    if (this.#taken >= this.#limit()) return false
    this.#taken++
    return true
  }

  /** For one that runs already; may exceed the limit. */
  occupy(): void {
    this.#taken++
  }

  /** @returns false where the signal aborts before a slot is free */
  acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    if (this.tryAcquire()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const take = () => resolve(true)
      this.#waiting.push(take)
      signal.addEventListener('abort', () => {
        const at = this.#waiting.indexOf(take)
        if (at < 0) return
        this.#waiting.splice(at, 1)
        resolve(false)
      })
    })
  }

  release(): void {
    this.#taken--
    this.admit()
  }

  /** To be called when the limit may have grown. */
  admit(): void {
    while (this.#waiting.length > 0 && this.tryAcquire()) this.#waiting.shift()?.()
  }
}
