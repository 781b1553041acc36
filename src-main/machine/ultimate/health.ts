/** Whether a device that keeps no connection is still there: from the outcome of every request, and by asking when it is quiet. */
import type { AppError } from '@shared/contract/errors'

export interface HealthOptions {
  /** The cheapest request; its outcome comes in as any other's. */
  readonly probe: () => Promise<unknown>
  /** It does not answer, or answers again (`null`). */
  readonly onSilence: (reason: AppError | null) => void
  /** Called once: it is gone. */
  readonly onLost: (reason: AppError) => void
}

/** A quiet device is asked after this time, ms. */
const QUIET = 5_000
/** A silent one is asked again after this time, ms. */
const RETRY = 500
/** Silence for so long means that it is gone, ms. A loading program can hold it up for some seconds. */
const PATIENCE = 20_000

export class Health {
  readonly #options: HealthOptions
  #timer: NodeJS.Timeout | undefined
  #silentSince: number | undefined
  #failures = 0
  #ended = false

  constructor(options: HealthOptions) {
    this.#options = options
    this.#probeAfter(QUIET)
  }

  /** To be told of each request: `null` when it was answered. */
  outcome(failure: AppError | null): void {
    if (this.#ended) return
    if (failure === null) {
      if (this.#silentSince !== undefined) this.#options.onSilence(null)
      this.#silentSince = undefined
      this.#failures = 0
      this.#probeAfter(QUIET)
      return
    }
    const now = performance.now()
    this.#failures++
    if (this.#silentSince === undefined) this.#options.onSilence(failure)
    this.#silentSince ??= now
    // One refusal may be a device that is just starting; two in a row say that nothing is there.
    const isGone = failure.code === 'UNREACHABLE' && this.#failures > 1
    if (isGone || now - this.#silentSince > PATIENCE) {
      this.end()
      this.#options.onLost(failure)
    } else {
      this.#probeAfter(RETRY)
    }
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  #probeAfter(time: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#options.probe().catch(() => undefined), time)
  }
}
