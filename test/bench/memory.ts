/**
 * What the bridge takes after an hour with all that grows: the past of the built-in C64, a recording, frames to a window, a task, and agents
 * that log a lot. In a few minutes as many moments, runs of the task and lines go through as in an hour; with `--minutes`, in real time.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { LongSession, type MemorySample, type SessionProgress } from '../support/longSession'
import { touchAllPages } from '../support/touchAllPages'
import { median, type BenchOptions, type Row } from './row'

const LIMIT_MB = 500
/** Of an hour: a task that runs each second, and agents that write ten lines a second. */
const HOUR_OF_RUNS = 3_600
const HOUR_OF_LINES = 36_000
const SPED_UP = { agentLines: 400, taskIntervalMs: 25 }
const REAL_TIME = { agentLines: 10, taskIntervalMs: 1_000 }
/** Longer than the past can be, so that it has been full for a while. */
const C64_MINUTES = 15
const BYTES_PER_MB = 1_000_000
const LOOK_PERIOD_MS = 1_000
/** On a busy computer it takes as long as it takes, but not for ever. */
const MAX_SPED_UP_MS = 15 * 60_000
const LAST_MINUTE_MS = 60_000

export default async function memory({ minutes }: BenchOptions): Promise<Row[]> {
  const pace = minutes === undefined ? SPED_UP : REAL_TIME
  const session = await LongSession.start({ program: touchAllPages, ...pace })
  try {
    if (minutes === undefined) await session.bridge.call('machine.setWarp', { machine: 'builtin', warp: true })
    const start = performance.now()
    const limit = minutes === undefined ? MAX_SPED_UP_MS : minutes * 60_000
    let done = await session.done()
    while (performance.now() - start < limit && (minutes !== undefined || !isHour(done))) {
      await wait(LOOK_PERIOD_MS)
      if (session.bridge.how !== undefined) throw new Error(`The bridge ${session.bridge.how}.`)
      done = await session.done()
    }
    if (minutes === undefined && !isHour(done))
      throw new Error(`In 15 minutes it got no further than: ${described(done)}.`)
    const took = (performance.now() - start) / 60_000
    return rows(
      session.memory(),
      done,
      minutes === undefined ? 'as much as an hour brings' : `${minutes} minutes`,
      took,
    )
  } finally {
    await session.close()
  }
}

const isHour = ({ c64Minutes, taskRuns, agentLines }: SessionProgress): boolean =>
  c64Minutes >= C64_MINUTES && taskRuns >= HOUR_OF_RUNS && agentLines.every((lines) => lines >= HOUR_OF_LINES)

const described = ({ c64Minutes, recordedFrames, taskRuns, agentLines }: SessionProgress): string =>
  `${c64Minutes.toFixed(0)} minutes of the C64 with a program that changes all pages, ${recordedFrames} frames recorded, ${taskRuns} runs of a task, ${agentLines.join(' and ')} lines of agents`

function rows(samples: readonly MemorySample[], done: SessionProgress, what: string, took: number): Row[] {
  const process = samples.filter(({ rss }) => rss !== undefined)
  const end = process.at(-1)?.time ?? 0
  const last = process.filter(({ time }) => time > end - LAST_MINUTE_MS)
  const most = Math.max(...last.map(rssOf))
  const third = Math.floor(process.length / 3)
  const growth = median(process.slice(-third).map(rssOf)) - median(process.slice(third, 2 * third).map(rssOf))
  return [
    {
      name: 'RSS after 60 minutes',
      value: most,
      unit: 'MB',
      target: `under ${LIMIT_MB} MB`,
      met: most < LIMIT_MB,
      note: `the most of the last minute, after ${what}: ${described(done)}, in ${took.toFixed(1)} minutes; ${median(process.slice(0, 6).map(rssOf)).toFixed(0)} MB at first`,
    },
    { name: 'its growth from the second third to the last', value: growth, unit: 'MB' },
    {
      name: 'the past of the built-in C64 by its own count',
      value: done.keptBytes / BYTES_PER_MB,
      unit: 'MB',
      target: 'at most 96 MB',
      met: done.keptBytes <= 96 * BYTES_PER_MB,
      note: `${done.keptMinutes.toFixed(1)} minutes kept`,
    },
    ...threads(samples),
  ]
}

/** What each thread held at the end, committed heap and buffers. */
function threads(samples: readonly MemorySample[]): Row[] {
  const newest = new Map(samples.map((sample) => [sample.thread, sample]))
  return [...newest.values()].map(({ name, heapTotal, heapUsed, external }) => ({
    name: `heap and buffers of ${name}`,
    value: (heapTotal + external) / BYTES_PER_MB,
    unit: 'MB',
    note: `${(heapUsed / BYTES_PER_MB).toFixed(0)} MB of the heap in use, ${(external / BYTES_PER_MB).toFixed(0)} MB outside of it`,
  }))
}

const rssOf = ({ rss = 0 }: MemorySample): number => rss / BYTES_PER_MB
