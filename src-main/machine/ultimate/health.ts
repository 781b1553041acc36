/** Tells whether a device without a lasting connection still answers: from every request's outcome, and by probing. */
import type { AppError } from '@shared/contract/errors'

export interface HealthOptions {
  /** Sends the cheapest request; its outcome is reported like any other's. */
  readonly probe: () => Promise<unknown>
  /** The device does not answer, or answers again (`null`). */
  readonly onSilence: (reason: AppError | null) => void
  /** Called once when the device is gone. */
  readonly onLost: (reason: AppError) => void
}

/** A device is probed after this time without requests. */
const PROBE_INTERVAL_MS = 5_000
/** A silent device is probed again after this time. */
const RETRY_INTERVAL_MS = 500
/** A device silent for this long is gone. Loading a program can block it for some seconds. */
const MAX_SILENCE_MS = 20_000

export class Health {
  readonly #options: HealthOptions
  #timer: NodeJS.Timeout | undefined
  #silentSince: number | undefined
  #failures = 0
  #ended = false

  constructor(options: HealthOptions) {
    this.#options = options
    this.#probeAfter(PROBE_INTERVAL_MS)
  }

  /** Takes the outcome of each request: `null` when it was answered. */
  outcome(failure: AppError | null): void {
    if (this.#ended) return
    if (failure === null) {
      if (this.#silentSince !== undefined) this.#options.onSilence(null)
      this.#silentSince = undefined
      this.#failures = 0
      this.#probeAfter(PROBE_INTERVAL_MS)
      return
    }
    const now = performance.now()
    this.#failures++
    if (this.#silentSince === undefined) this.#options.onSilence(failure)
    this.#silentSince ??= now
    // The device may just be starting at the first refusal; at the second, nothing is there.
    const isGone = failure.code === 'UNREACHABLE' && this.#failures > 1
    if (isGone || now - this.#silentSince > MAX_SILENCE_MS) {
      this.end()
      this.#options.onLost(failure)
    } else {
      this.#probeAfter(RETRY_INTERVAL_MS)
    }
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  #probeAfter(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#options.probe().catch(() => undefined), delayMs)
  }
}
