/** Work under one key runs in order; keys do not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const settled = done.then(
      () => undefined,
      () => undefined,
    )
    this.#last.set(key, settled)
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    })
    return done
  }

  /** Resolves when all that was given until now is done. */
  async drained(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
