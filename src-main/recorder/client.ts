/** One worker thread of the recorder, started when it is first needed and again after it ended. */
import { Worker } from 'node:worker_threads'
import { AppError, fromFailure } from '@shared/contract/errors'
import type { z } from 'zod'
import { eventSchema, requests, type Order, type RecordedFrame, type RequestInput, type RequestName, type RequestOutput, type WorkerEvent } from './messages'

export type Progress = Extract<WorkerEvent, { kind: 'progress' }>

interface Call {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: AppError) => void
}

interface ClientOptions {
  /** The built worker program. */
  readonly workerPath: string
  readonly onProgress?: (progress: Progress) => void
  /** The worker ended though nobody wanted it: what it recorded since the last progress is lost. */
  readonly onLoss?: (reason: AppError) => void
}

export class RecorderClient {
  readonly #options: ClientOptions
  readonly #calls = new Map<number, Call>()
  #worker: Worker | undefined
  #nextId = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** @throws AppError CANCELLED when the signal aborts, LOST when the worker ends, and what the worker refuses with. */
  call<Name extends RequestName>(name: Name, input: RequestInput<Name>, signal?: AbortSignal): Promise<RequestOutput<Name>> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        settled()
        reject(new AppError('CANCELLED', `The recorder was no longer waited for (${name}).`))
      }
      const settled = () => {
        this.#calls.delete(id)
        signal?.removeEventListener('abort', onAbort)
      }
      if (signal?.aborted) {
        onAbort()
        return
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#calls.set(id, {
        resolve: (data) => {
          settled()
          const answer = outputs[name].output.safeParse(data)
          if (answer.success) resolve(answer.data)
          else reject(new AppError('INTERNAL', `The recorder gave an answer to ${name} that makes no sense.`, { cause: answer.error }))
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      this.#post({ kind: 'request', id, name, input })
    })
  }

  sendFrame(handle: number, frame: RecordedFrame): void {
    this.#post({ kind: 'frame', handle, frame })
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#rejectCalls(new AppError('CANCELLED', 'The recorder was ended.'))
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
      const reason = new AppError('LOST', `The recorder stopped unexpectedly${lastWords ? `: ${lastWords}` : '.'}`, { hint: 'Record again.' })
      this.#rejectCalls(reason)
      this.#options.onLoss?.(reason)
    })
    return worker
  }

  #onEvent(event: WorkerEvent): void {
    switch (event.kind) {
      case 'answer':
        this.#calls.get(event.id)?.resolve(event.data)
        break
      case 'refusal':
        this.#calls.get(event.id)?.reject(fromFailure(event.failure))
        break
      case 'progress':
        this.#options.onProgress?.(event)
    }
  }

  #rejectCalls(error: AppError): void {
    for (const call of [...this.#calls.values()]) call.reject(error)
  }
}

/** The same table with each output's type tied to its name. */
const outputs: { readonly [Name in RequestName]: { readonly output: z.ZodType<RequestOutput<Name>> } } = requests
