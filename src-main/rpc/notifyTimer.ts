/** The first `schedule` starts the time, later ones join it. */
export class NotifyTimer {
  readonly #delayMs: number
  readonly #notify: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(delayMs: number, notify: () => void) {
    this.#delayMs = delayMs
    this.#notify = notify
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => this.notifyNow(), this.#delayMs)
  }

  notifyNow(): void {
    this.cancel()
    this.#notify()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
