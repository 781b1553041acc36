import { AppError, diskError, toFailure, type Result } from '@shared/contract/errors'

interface ResponderOptions {
  /** Further calls are BUSY. */
  readonly maxCalls?: number
  readonly run: (command: string, input: unknown, signal: AbortSignal, agentCall?: number) => unknown
  /** An error that is no AppError is a bug in this program. */
  readonly onFault: (command: string, error: unknown) => void
}

export class Responder {
  readonly #options: ResponderOptions
  readonly #running = new Map<number, AbortController>()

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  /** Starts the request at once, so that requests start in the order of their arrival. */
  async call(id: number, command: string, input: unknown, agentCall?: number): Promise<Result<unknown>> {
    if (this.#running.has(id)) return failure(new AppError('INVALID', `Call ${id} is already running.`))
    const { maxCalls = Infinity } = this.#options
    if (this.#running.size >= maxCalls) {
      return failure(
        new AppError('BUSY', `The call was not started: ${maxCalls} calls are running.`, {
          hint: 'Wait until one of them has finished.',
        }),
      )
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      return { ok: true, data: await this.#options.run(command, input, controller.signal, agentCall) }
    } catch (thrown) {
      const error = diskError(thrown) ?? thrown
      if (!(error instanceof AppError)) this.#options.onFault(command, error)
      return failure(controller.signal.aborted ? new AppError('CANCELLED', 'The call was cancelled.') : error)
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
