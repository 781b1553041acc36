/** The command line's calls within this worker that have not ended: see callHere.ts. */
import { setTimeout as wait } from 'node:timers/promises'

interface Call {
  readonly words: readonly string[]
  readonly interrupt: () => void
  readonly isInterrupted: () => boolean
}

/** Each with a function that ends it for those who wait for it, whatever of it goes on. */
const running = new Map<Call, (reason: Error) => void>()

/** That a call has to end once it is interrupted, ms. */
const TIME_TO_END = 60_000

export async function recordRunning<Result>(call: Call, ended: Promise<Result>): Promise<Result> {
  const givenUp = new Promise<never>((_, reject) => running.set(call, reject))
  try {
    return await Promise.race([ended, givenUp])
  } finally {
    running.delete(call)
  }
}

/**
 * Ends what a file has left running, since a call holds up each later one of the worker that has another environment.
 * @throws Error with the words of calls that nobody interrupted, or that do not end
 */
export async function endRunningCalls(): Promise<void> {
  const forgotten = [...running.keys()].filter((call) => !call.isInterrupted())
  for (const call of forgotten) call.interrupt()
  const deadline = Date.now() + TIME_TO_END
  while (running.size > 0 && Date.now() < deadline) await wait(20)
  if (running.size > 0) {
    const error = failure('goes on though it was interrupted', [...running.keys()])
    for (const giveUp of running.values()) giveUp(error)
    throw error
  }
  if (forgotten.length > 0) throw failure('was still running at the end of its file', forgotten)
}

const failure = (what: string, calls: readonly Call[]): Error =>
  new Error(`A call ${what}: ${calls.map(({ words }) => words.join(' ')).join('; ')}`)
