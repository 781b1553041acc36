/** Regular expressions that people and files give: run in a worker thread, and given up when they take too long. */
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'

export interface Match {
  /** Where in the text it starts. */
  readonly index: number
  readonly text: string
}

/** How long one search may take, ms. */
const LIMIT = 100

const answerSchema = z.union([
  z.strictObject({ found: z.strictObject({ index: z.int(), text: z.string() }).nullable() }),
  z.strictObject({ problem: z.string() }),
])
type Answer = z.infer<typeof answerSchema>

export class RegexMatcher {
  readonly #workerPath: string
  readonly #limit: number
  /** Started by the first search, and again by the first one after a search that took too long. */
  #worker: Promise<Worker> | undefined
  /** One search at a time, so that none waits within the time of another. */
  #queue: Promise<unknown> = Promise.resolve()

  /**
   * @param workerPath the built program of the worker
   * @param limit how long one search may take, ms
   */
  constructor(workerPath: string, limit = LIMIT) {
    this.#workerPath = workerPath
    this.#limit = limit
  }

  /**
   * Where the expression matches first.
   * @throws AppError INVALID when it is no regular expression, TIMEOUT when it takes too long
   */
  match(pattern: string, flags: string, text: string): Promise<Match | null> {
    const done = this.#queue.then(() => this.#match(pattern, flags, text))
    this.#queue = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined)
    this.#worker = undefined
    await worker?.terminate()
  }

  async #match(pattern: string, flags: string, text: string): Promise<Match | null> {
    const worker = await (this.#worker ??= start(this.#workerPath))
    try {
      const answer = await search(worker, { pattern, flags, text }, this.#limit)
      if ('found' in answer) return answer.found
      throw new AppError(
        'INVALID',
        `/${pattern}/${flags} is no regular expression that can be searched for: ${answer.problem}.`,
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID') throw error
      this.#worker = undefined
      await worker.terminate()
      throw error
    }
  }
}

/** Resolves once it takes searches, so that its start counts as none's time. */
function start(path: string): Promise<Worker> {
  const worker = new Worker(path, { resourceLimits: { maxOldGenerationSizeMb: 64 } })
  worker.unref()
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => {
      worker.off('error', reject)
      resolve(worker)
    })
  })
}

function search(
  worker: Worker,
  request: { pattern: string; flags: string; text: string },
  limit: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => settle(() => resolve(answerSchema.parse(message)))
    const onError = (error: unknown) => settle(() => reject(tooMuch('more memory than it may have', error)))
    const timer = setTimeout(() => settle(() => reject(tooMuch(`longer than ${limit} ms`))), limit)
    const tooMuch = (what: string, cause?: unknown): AppError =>
      new AppError('TIMEOUT', `The search for /${request.pattern}/${request.flags} took ${what} and was given up.`, {
        hint: 'Repetitions within repetitions, as in (a+)+, can take for ever. Write it without.',
        cause,
      })
    const settle = (how: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('error', onError)
      how()
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.postMessage(request)
  })
}
