/** Runs tasks one after the other; a task that fails does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when all tasks added so far have ended. */
  async settled(): Promise<void> {
    await this.#last
  }
}
