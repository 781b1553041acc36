/** Regular expressions that people and files give: run in a worker thread, and given up when they take too long. */
import { AppError, toFailure } from '@shared/contract/errors'
import { startWorker, type RunningWorker } from '../rpc/startWorker'
import { regexProtocol, type Match, type RegexChannel, type Search } from './messages'

export type { Match } from './messages'

const SEARCH_LIMIT_MS = 100
const WORKER_MEMORY_MB = 64

export class RegexMatcher {
  readonly #workerPath: string
  readonly #limitMs: number
  /** Started by the first search, and again by the first one after a search that took too long. */
  #worker: Promise<RunningWorker<RegexChannel>> | undefined
  /** One search at a time, so that none waits within the time of another. */
  #queue: Promise<unknown> = Promise.resolve()

  /**
   * @param workerPath the built program of the worker
   * @param limitMs how long one search may take
   */
  constructor(workerPath: string, limitMs = SEARCH_LIMIT_MS) {
    this.#workerPath = workerPath
    this.#limitMs = limitMs
  }

  /**
   * Where the expression matches first.
   * @throws AppError INVALID when it is no regular expression, TIMEOUT when it takes too long
   */
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
    try {
      return await worker.call('search', search, { deadlineMs: this.#limitMs })
    } catch (error) {
      const { code } = toFailure(error)
      if (code === 'INVALID') throw error
      const given = givenUp(search, code === 'TIMEOUT' ? `longer than ${this.#limitMs} ms` : 'too much memory', error)
      await this.#end(given)
      throw given
    }
  }

  async #end(reason: AppError): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined)
    this.#worker = undefined
    await worker?.end(reason)
  }
}

/** Resolves once it takes searches, so that its start counts as none's time. */
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
