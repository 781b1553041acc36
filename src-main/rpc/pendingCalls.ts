import { AppError, fromFailure } from '@shared/contract/errors'
import type { Call, Cancel, Reply } from '../bridge/messages'

interface Pending {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: AppError) => void
}

/** The caller's half of the calls on one line: an id and a deadline for each, cancellation, and a line that ends. */
export class PendingCalls {
  readonly #post: (message: Call | Cancel) => void
  readonly #pending = new Map<number, Pending>()
  #nextId = 0

  constructor(post: (message: Call | Cancel) => void) {
    this.#post = post
  }

  /**
   * Resolves with the answer's data as it came. Rejects with the other side's own AppError, TIMEOUT after `deadline` ms (0:
   * none), CANCELLED when the signal aborts, or what `rejectAll` was given.
   */
  async call(command: string, input: unknown, deadline: number, signal?: AbortSignal): Promise<unknown> {
    const cancelled = () => new AppError('CANCELLED', `${command} was cancelled.`)
    if (signal?.aborted) throw cancelled()
    const id = this.#nextId++
    const giveUp = (error: AppError) => {
      this.#post({ kind: 'cancel', id })
      this.#pending.get(id)?.reject(error)
    }
    const onAbort = () => giveUp(cancelled())
    const late = () => giveUp(new AppError('TIMEOUT', `${command} was not answered within ${deadline / 1000} s.`))
    const timer = deadline > 0 ? setTimeout(late, deadline) : undefined
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

  /** An answer that comes too late, or to nothing, is dropped. */
  settle({ id, result }: Reply): void {
    const pending = this.#pending.get(id)
    if (result.ok) pending?.resolve(result.data)
    else pending?.reject(fromFailure(result.error))
  }

  rejectAll(error: AppError): void {
    for (const { reject } of this.#pending.values()) reject(error)
  }
}
