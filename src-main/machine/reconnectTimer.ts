import type { MachineState } from '@shared/contract/machine'

/** Waits before each attempt to reconnect; the last one repeats. */
const BACK_OFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 10_000] as const

/** Counts failed attempts to connect and starts the next one after a growing wait. */
export class ReconnectTimer {
  readonly #connect: () => void
  #failures = 0
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined

  constructor(connect: () => void) {
    this.#connect = connect
  }

  /** Attempts that failed since {@link resetFailures}. */
  get failures(): number {
    return this.#failures
  }

  get isScheduled(): boolean {
    return this.#next !== undefined
  }

  /** What the machine's state shows while an attempt is scheduled, or `isConnecting` again. */
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
