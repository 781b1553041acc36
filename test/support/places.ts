/** Places that are taken in the order in which they were asked for. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  take(): Promise<void> {
    return new Promise((taken) => {
      this.#waiting.push(taken)
      this.#seat()
    })
  }

  give(): void {
    this.#free++
    this.#seat()
  }

  #seat(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      this.#free--
      this.#waiting.shift()?.()
    }
  }
}
