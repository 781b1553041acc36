import type { MachineState } from '@shared/contract/machine'

/** The last one repeats. */
const BACK_OFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 10_000] as const

export class ReconnectTimer {
  readonly #connect: () => void
  #failures = 0
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined

  constructor(connect: () => void) {
    this.#connect = connect
  }

  get failures(): number {
    return this.#failures
  }

  get isScheduled(): boolean {
    return this.#next !== undefined
  }

  describe(isConnecting: boolean): MachineState['retry'] {
    if (this.#next) return { failures: this.#failures, next: this.#next.at }
    return isConnecting ? { failures: this.#failures, next: null } : null
  }

  countFailure(): void {
    this.#failures++
  }

  resetFailures(): void {
    this.#failures = 0
  }

  schedule(): void {
    if (this.#next) return
    const wait = BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length - 1)] ?? 0
    this.#next = { timer: setTimeout(this.#connect, wait), at: Date.now() + wait }
  }

  cancel(): void {
    clearTimeout(this.#next?.timer)
    this.#next = undefined
  }
}
