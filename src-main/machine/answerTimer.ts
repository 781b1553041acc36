/** After this process stood still, its timers run before the bytes are read that came meanwhile: so long they are awaited. */
const UNREAD_MS = 50

/** How long an answer is waited for. `late` is called once `ms` have passed, unless the timer is cleared before. */
export class AnswerTimer {
  readonly #ms: number
  readonly #late: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, late: () => void) {
    this.#ms = ms
    this.#late = late
    this.refresh()
  }

  /** The time counts from now. */
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
