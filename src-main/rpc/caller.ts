import { AppError, fromFailure } from '@shared/contract/errors'
import type { Call, Cancel, Reply } from './messages'

interface Pending {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: AppError) => void
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** ms; 0 for as long as it takes. */
  readonly deadlineMs?: number
}

export class Caller {
  readonly #post: (message: Call | Cancel) => void
  readonly #pending = new Map<number, Pending>()
  #nextId = 0

  constructor(post: (message: Call | Cancel) => void) {
    this.#post = post
  }

  /**
   * Resolves with the answer's data, unparsed. Rejects with the other end's AppError, TIMEOUT after the deadline,
   * CANCELLED when the signal aborts, or the error given to `rejectAll`.
   */
  async call(command: string, input: unknown, { signal, deadlineMs = 0 }: CallOptions = {}): Promise<unknown> {
    const cancelled = () => new AppError('CANCELLED', 'The call was cancelled.')
    if (signal?.aborted) throw cancelled()
    const id = this.#nextId++
    const giveUp = (error: AppError) => {
      this.#post({ kind: 'cancel', id })
      this.#pending.get(id)?.reject(error)
    }
    const onAbort = () => giveUp(cancelled())
    const onDeadline = () =>
      giveUp(new AppError('TIMEOUT', `${command} was not answered within ${deadlineMs / 1000} s.`))
    const timer = deadlineMs > 0 ? setTimeout(onDeadline, deadlineMs) : undefined
    signal?.addEventListener('abort', onAbort)
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject })
        this.#post({ kind: 'call', id, command, input })
      })
    } finally {
      this.#pending.delete(id)
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  settle({ id, result }: Reply): void {
    const pending = this.#pending.get(id)
    if (result.ok) pending?.resolve(result.data)
    else pending?.reject(fromFailure(result.error))
  }

  rejectAll(error: AppError): void {
    for (const { reject } of this.#pending.values()) reject(error)
  }
}
