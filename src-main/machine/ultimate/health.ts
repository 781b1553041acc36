import type { AppError } from '@shared/contract/errors'

export interface HealthOptions {
  readonly probe: () => Promise<unknown>
  /** `null` when the device answers again. */
  readonly onSilence: (reason: AppError | null) => void
  readonly onLost: (reason: AppError) => void
}

const PROBE_INTERVAL_MS = 5_000
const RETRY_INTERVAL_MS = 500
/** Loading a program can block the device for some seconds. */
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
