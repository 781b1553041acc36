/** A service that misbehaves in each of its ways at random, and is restarted now and then. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Misbehaviour } from '../peers/modelApi/misbehaviour'
import type { ModelApi } from '../peers/modelApi/modelApi'
import { misbehaviours } from './misbehaviours'
import { pick } from './seededRandom'

/** With a time that a night can wait for, and a silence past what programs wait for. */
const ways = Object.entries<Misbehaviour>({
  ...misbehaviours,
  '429, with its time': { status: 429, words: 'Too many requests. Please retry in 5s.', retryAfter: 5 },
  'silent for 60 s': { silence: 60 },
})

/** Between two changes, ms. */
const MIN_PAUSE_MS = 8_000
const MAX_PAUSE_MS = 28_000
const RESTART_SHARE = 0.15
const MAX_AWAY_MS = 3_000
/** Programs try a request twice by themselves: mostly they get over it. */
const ONCE_SHARE = 0.8
const MANY_TIMES = 4

interface Sky {
  readonly api: ModelApi
  readonly random: () => number
  readonly log: (line: string) => void
  /** From then on it behaves. */
  readonly over: AbortSignal
}

/** @returns how often what happened */
export async function badWeather({ api, random, log, over }: Sky): Promise<{
  readonly misbehaviours: Readonly<Record<string, number>>
  readonly restarts: number
}> {
  const misbehaviours: Record<string, number> = {}
  let restarts = 0
  for (;;) {
    const pause = MIN_PAUSE_MS + random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)
    await wait(pause, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) break
    if (random() < RESTART_SHARE) {
      restarts++
      log('the service is restarted')
      await api.restart(random() * MAX_AWAY_MS)
      continue
    }
    const [name, what] = pick(ways, random)
    const times = random() < ONCE_SHARE ? 1 : MANY_TIMES
    misbehaviours[name] = (misbehaviours[name] ?? 0) + 1
    log(`the service: ${name}, ${times} times`)
    api.misbehave(what, times)
  }
  api.behave()
  return { misbehaviours, restarts }
}
