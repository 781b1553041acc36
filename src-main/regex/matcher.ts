/** Expressions of people and files run in a worker thread; those that take too long are given up. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import { startWorker, type RunningWorker } from '../rpc/startWorker'
import { regexProtocol, type Match, type RegexChannel, type Search } from './messages'

export type { Match } from './messages'

/** Processor time, so that a busy computer does not make a search fail. */
const SEARCH_LIMIT_MS = 100
/** Limit by the clock, as a multiple of the processor time. */
const MAX_SLOWDOWN = 100
const MIN_LOOK_MS = 5
const WORKER_MEMORY_MB = 64

export class RegexMatcher {
  readonly #workerPath: string
  readonly #limitMs: number
  #worker: Promise<RunningWorker<RegexChannel>> | undefined
  /** One search at a time, so that none uses up the time of another. */
  #queue: Promise<unknown> = Promise.resolve()

  /**
   * @param workerPath the built program of the worker
   * @param limitMs processor time that one search may take
   */
  constructor(workerPath: string, limitMs = SEARCH_LIMIT_MS) {
    this.#workerPath = workerPath
    this.#limitMs = limitMs
  }

  /** @throws AppError INVALID when it is no regular expression, TIMEOUT when it takes too long */
  match(pattern: string, flags: string, text: string): Promise<Match | null> {
    const done = this.#queue.then(() => this.#match({ pattern, flags, text }))
    this.#queue = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    await this.#end(new AppError('CANCELLED', 'The search was stopped.'))
  }

  async #match(search: Search): Promise<Match | null> {
    const worker = await (this.#worker ??= start(this.#workerPath))
    const done = new AbortController()
    const tooLong = new AbortController()
    const begun = await worker.processorTime()
    void this.#untilUsedUp(worker, begun, done.signal).then(() => tooLong.abort())
    try {
      return await worker.call('search', search, {
        signal: tooLong.signal,
        deadlineMs: this.#limitMs * MAX_SLOWDOWN,
      })
    } catch (error) {
      const { code } = toFailure(error)
      if (code === 'INVALID') throw error
      const isTime = code === 'TIMEOUT' || code === 'CANCELLED'
      const given = givenUp(search, isTime ? `longer than ${this.#limitMs} ms` : 'too much memory', error)
      await this.#end(given)
      throw given
    } finally {
      done.abort()
    }
  }

  async #untilUsedUp(worker: RunningWorker<RegexChannel>, begun: number | undefined, done: AbortSignal): Promise<void> {
    let left = this.#limitMs
    while (left > 0 && !done.aborted) {
      await sleep(Math.max(left, MIN_LOOK_MS), undefined, { signal: done }).catch(() => undefined)
      const now = begun === undefined ? undefined : await worker.processorTime()
      left = begun === undefined || now === undefined ? 0 : this.#limitMs - (now - begun)
    }
  }

  async #end(reason: AppError): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined)
    this.#worker = undefined
    await worker?.end(reason)
  }
}

/** Resolves once it takes searches, so that its start counts as no search's time. */
async function start(path: string): Promise<RunningWorker<RegexChannel>> {
  const worker = startWorker(regexProtocol, path, {
    notices: {},
    workerOptions: { resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB } },
    keepsProcessAlive: false,
  })
  await worker.call('search', { pattern: '', flags: '', text: '' })
  return worker
}

const givenUp = ({ pattern, flags }: Search, what: string, cause: unknown): AppError =>
  new AppError('TIMEOUT', `The search for /${pattern}/${flags} took ${what} and was given up.`, {
    hint: 'Repetitions within repetitions, as in (a+)+, can take for ever. Write it without.',
    cause,
  })
