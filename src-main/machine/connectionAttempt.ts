import { AppError } from '@shared/contract/errors'

const CONNECT_DEADLINE_MS = 20_000

/** Several callers may wait for it; it is aborted when all of them gave up. */
export class ConnectionAttempt {
  /** Settles when the attempt has ended and been reported; its rejection may go unheard. */
  readonly done: Promise<void>
  readonly #abort = new AbortController()
  #waiting = 0
  #hasEnded = false

  /**
   * @param connect starts in the next microtask, so that the attempt is known before the machine's first status
   * @param onEnd called before `done` settles, with the error of a failed attempt
   */
  constructor(
    connect: (signal: AbortSignal) => Promise<void>,
    onEnd: (failure: { readonly error: unknown; readonly wasAborted: boolean } | null) => void,
  ) {
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(CONNECT_DEADLINE_MS)])
    const connecting = Promise.resolve().then(() => connect(signal))
    this.done = connecting.then(
      () => {
        this.#hasEnded = true
        onEnd(null)
      },
      (error: unknown) => {
        this.#hasEnded = true
        onEnd({ error, wasAborted: this.#abort.signal.aborted })
        throw error
      },
    )
    this.done.catch(() => undefined)
  }

  abort(): void {
    this.#abort.abort()
  }

  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting++
    try {
      await raceAbort(this.done, signal)
    } finally {
      this.#waiting--
      if (this.#waiting === 0 && !this.#hasEnded) this.abort()
    }
  }
}

function raceAbort(done: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError('CANCELLED', 'Connecting was cancelled.'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void done.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
