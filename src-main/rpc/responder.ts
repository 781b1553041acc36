import { AppError, toFailure, type Result } from '@shared/contract/errors'

interface ResponderOptions {
  /** Runs one request; what it throws is the answer. */
  readonly run: (command: string, input: unknown, signal: AbortSignal) => unknown
  /** Told of an error that is no AppError: a mistake in this program. */
  readonly onFault: (command: string, error: unknown) => void
}

/**
 * The answering end of a channel, for one caller: answers with data or a failure, never a throw. Ids are the caller's;
 * `cancelAll` is for a caller that goes away.
 */
export class Responder {
  readonly #options: ResponderOptions
  readonly #running = new Map<number, AbortController>()

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  /** The request runs at once, so that requests start in the order in which they come. */
  async call(id: number, command: string, input: unknown): Promise<Result<unknown>> {
    if (this.#running.has(id)) return failure(new AppError('INVALID', `Call ${id} is already running.`))
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      return { ok: true, data: await this.#options.run(command, input, controller.signal) }
    } catch (error) {
      if (!(error instanceof AppError)) this.#options.onFault(command, error)
      return failure(controller.signal.aborted ? new AppError('CANCELLED', `${command} was cancelled.`) : error)
    } finally {
      this.#running.delete(id)
    }
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort()
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }
}

const failure = (error: unknown): Result<unknown> => ({ ok: false, error: toFailure(error) })
