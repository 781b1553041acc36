/** ms; after this process stood still, timers run before the bytes that came meanwhile are read. */
const UNREAD_MS = 50

export class AnswerTimer {
  readonly #ms: number
  readonly #late: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, late: () => void) {
    this.#ms = ms
    this.#late = late
    this.refresh()
  }

  refresh(): void {
    this.clear()
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(this.#late, UNREAD_MS)
    }, this.#ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
