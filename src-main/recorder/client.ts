/** One worker thread of the recorder, started when it is first needed and again after it ended. */
import { Worker } from 'node:worker_threads'
import { AppError } from '@shared/contract/errors'
import type { z } from 'zod'
import { PendingCalls } from '../rpc/pendingCalls'
import {
  eventSchema,
  requests,
  type Order,
  type RecordedFrame,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  type WorkerEvent,
} from './messages'

export type Progress = Extract<WorkerEvent, { kind: 'progress' }>
type Exported = Extract<WorkerEvent, { kind: 'exported' }>

interface ClientOptions {
  /** The built worker program. */
  readonly workerPath: string
  readonly onProgress?: (progress: Progress) => void
  readonly onExported?: (exported: Exported) => void
  /** The worker ended though nobody wanted it: what it recorded since the last progress is lost. */
  readonly onLoss?: (reason: AppError) => void
}

export class RecorderClient {
  readonly #options: ClientOptions
  readonly #calls = new PendingCalls((message) => this.#post(message))
  #worker: Worker | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** @throws AppError CANCELLED when the signal aborts, LOST when the worker ends, and what the worker refuses with. */
  async call<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<Name>> {
    const answer = outputs[name].output.safeParse(await this.#calls.call(name, input, 0, signal))
    if (answer.success) return answer.data
    throw new AppError('INTERNAL', `The recorder gave an answer to ${name} that makes no sense.`, {
      cause: answer.error,
    })
  }

  sendFrame(handle: number, frame: RecordedFrame): void {
    this.#post({ kind: 'frame', handle, frame })
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#calls.rejectAll(new AppError('CANCELLED', 'The recorder was ended.'))
  }

  #post(order: Order): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerPath)
    let lastWords = ''
    worker.on('message', (message: unknown) => {
      if (worker === this.#worker) this.#onEvent(eventSchema.parse(message))
    })
    worker.on('error', (error) => (lastWords = error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => {
      if (worker !== this.#worker) return
      this.#worker = undefined
      const reason = new AppError('LOST', `The recorder stopped unexpectedly${lastWords ? `: ${lastWords}` : '.'}`, {
        hint: 'Record again.',
      })
      this.#calls.rejectAll(reason)
      this.#options.onLoss?.(reason)
    })
    return worker
  }

  #onEvent(event: WorkerEvent): void {
    if (event.kind === 'reply') this.#calls.settle(event)
    else if (event.kind === 'progress') this.#options.onProgress?.(event)
    else this.#options.onExported?.(event)
  }
}

/** The same table with each output's type tied to its name. */
const outputs: { readonly [Name in RequestName]: { readonly output: z.ZodType<RequestOutput<Name>> } } = requests
