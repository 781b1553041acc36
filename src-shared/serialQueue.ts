/** One after the other; a task that fails does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task)
    this.#last = done.catch(() => undefined)
    return done
  }

  async settled(): Promise<void> {
    await this.#last
  }
}
