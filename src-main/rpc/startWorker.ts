import { setTimeout as wait } from 'node:timers/promises'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { AppError } from '@shared/contract/errors'
import { Caller, type CallOptions } from './caller'
import type { Call, Cancel, End, Notice, Reply } from './messages'
import type { Channel, NoticeHandlers, Post, Protocol, RequestInput, RequestName, RequestOutput } from './protocol'

/** Of each worker, MB: three semi-spaces. Node's default, up to 192, is filled before it is collected, and seldom given back. */
export const YOUNG_GENERATION_MB = 24

/** Then a worker that has not ended by itself is terminated. */
const OWN_END_MS = 2_000

export interface RunningWorker<C extends Channel> {
  /** Rejects with the worker's AppError, LOST when it ends, TIMEOUT after the deadline or CANCELLED. */
  call<Name extends RequestName<C>>(
    name: Name,
    input: RequestInput<C, Name>,
    options?: CallOptions,
  ): Promise<RequestOutput<C, Name>>
  readonly post: Post<C>
  /** ms, also while the thread computes; undefined where it is not known. */
  processorTime(): Promise<number | undefined>
  /** Ends the worker, then rejects pending calls with the reason. Drops its notices, and does not call `onLost`. */
  end(reason: AppError): Promise<void>
}

export interface WorkerEvents<C extends Channel> {
  readonly notices: NoticeHandlers<C>
  readonly onMessage?: () => void
  readonly onLost?: (error: AppError) => void
  readonly lossHint?: string
  /** A message that could not be handled is dropped: one notice never ends the bridge. */
  readonly onFault?: (what: string, error: unknown) => void
}

const printFault = (what: string, error: unknown): void => console.error(what, error)

interface StartOptions<C extends Channel> extends WorkerEvents<C> {
  readonly workerOptions?: WorkerOptions
  readonly keepsProcessAlive?: boolean
  /** For a worker with a native addon: terminating it takes the process with it (better-sqlite3 in Node 24). */
  readonly endsItself?: boolean
}

export interface Thread {
  postMessage(message: Call | Cancel | Notice, transfer?: readonly ArrayBuffer[]): void
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown
  terminate(): Promise<unknown>
  /** µs. Node 24.6 and later. */
  cpuUsage?(): Promise<{ readonly user: number; readonly system: number }>
}

export function startWorker<C extends Channel>(
  protocol: Protocol<C>,
  path: string,
  { workerOptions, keepsProcessAlive = true, endsItself = false, ...events }: StartOptions<C>,
): RunningWorker<C> {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, ...workerOptions?.resourceLimits }
  const worker = new Worker(path, { ...workerOptions, resourceLimits })
  if (!keepsProcessAlive) worker.unref()
  return connectWorker(protocol, endsItself ? endingItself(worker) : worker, events)
}

function endingItself(worker: Worker): Thread {
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  return {
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    on: (event, listener) => worker.on(event, listener),
    cpuUsage: async () => worker.cpuUsage(),
    async terminate() {
      worker.postMessage({ kind: 'end' } satisfies End)
      await Promise.race([exited, wait(OWN_END_MS, undefined, { ref: false })])
      return worker.terminate()
    },
  }
}

export function connectWorker<C extends Channel>(
  protocol: Protocol<C>,
  thread: Thread,
  { notices, onMessage, onLost, lossHint, onFault = printFault }: WorkerEvents<C>,
): RunningWorker<C> {
  const caller = new Caller((message: Call | Cancel) => thread.postMessage(message))
  let ended: AppError | undefined
  let isEnding = false
  let cause: unknown
  const end = (error: AppError) => {
    ended = error
    caller.rejectAll(error)
  }
  const receive = (message: Reply | Notice) => {
    if (!isEnding) onMessage?.()
    if (message.kind === 'reply') caller.settle(message)
    else if (!isEnding) (notices as Record<string, (payload: unknown) => void>)[message.name]?.(message.payload)
  }
  thread.on('message', (message) => {
    if (ended) return
    try {
      // From a thread of this program, compiled together with this one, so it is not checked.
      receive(message as Reply | Notice)
    } catch (error) {
      onFault(`A notice of ${protocol.name.toLowerCase()} could not be handled.`, error)
    }
  })
  thread.on('error', (error) => (cause = error))
  thread.on('exit', () => {
    if (ended || isEnding) return
    const reason = cause instanceof Error ? `: ${cause.message}` : '.'
    const hint = lossHint === undefined ? {} : { hint: lossHint }
    const error = new AppError('LOST', `${protocol.name} stopped unexpectedly${reason}`, { cause, ...hint })
    end(error)
    onLost?.(error)
  })
  return {
    async call<Name extends RequestName<C>>(name: Name, input: RequestInput<C, Name>, options?: CallOptions) {
      if (ended) throw ended
      return (await caller.call(name, input, options)) as RequestOutput<C, Name>
    },
    post: (name, payload, transfer) => {
      if (!ended) thread.postMessage({ kind: 'notice', name, payload } satisfies Notice, transfer)
    },
    async processorTime() {
      const usage = await thread.cpuUsage?.().catch(() => undefined)
      return usage && (usage.user + usage.system) / 1000
    },
    async end(reason) {
      isEnding = true
      await thread.terminate()
      if (!ended) end(reason)
    },
  }
}
