/** Property tests that run as many cases as the run wants, and what their inputs are made of. */
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  tuple,
  uint8Array,
  type Arbitrary,
} from 'fast-check'
import { it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { seed } from '../support/fixedSeed'

/** `npm run fuzz` asks for more; this many are part of `npm test`. */
const CASES = Number(process.env.BRIDGEDECK_FUZZ_CASES ?? 300)

declare module 'vitest' {
  interface TaskMeta {
    /** What `npm run fuzz` prints: how many cases ran, and, where each is timed, how long the slowest of them took, ms. */
    fuzz?: { readonly cases: number; readonly slowest?: number }
  }
}

/** A test whose claim holds for every value; a value that takes it without end ends the run and is told. */
export function fuzz<Value>(
  claim: string,
  values: Arbitrary<Value>,
  check: (value: Value) => void | Promise<void>,
  /** For a case that is as much work as this many others. */
  weight = 1,
): void {
  const cases = Math.ceil(CASES / weight)
  it(claim, { timeout: 0 }, async ({ task }) => {
    let slowest = 0
    let count = 0
    const watch = watchdog(`Case %d of “${claim}” with seed ${seed} never ends.`)
    try {
      await assert(
        asyncProperty(values, async (value) => {
          const begun = performance.now()
          watch.begin(++count)
          // Timers have their turn, too: what they hold would pile up.
          if (count % 50 === 0) await turn()
          await check(value)
          slowest = Math.max(slowest, performance.now() - begun)
        }),
        { numRuns: cases },
      )
    } finally {
      watch.end()
    }
    task.meta.fuzz = { cases, slowest }
  })
}

/** How long one case may take, ms; the slowest ones take a few hundred. */
const HANG = 60_000

/**
 * Ends this process at a case that does not: it is looked after from a thread of its own, as a loop without end lets
 * nothing else run in this one.
 */
function watchdog(message: string): { begin: (count: number) => void; end: () => void } {
  const counts = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(
    `const { workerData: { counts, message, time } } = require('node:worker_threads')
    const { writeSync } = require('node:fs')
    let seen = 0
    setInterval(() => {
      const count = Atomics.load(counts, 0)
      if (count === 0 || count !== seen) return void (seen = count)
      writeSync(2, message.replace('%d', String(count)) + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }, time)`,
    { eval: true, workerData: { counts, message, time: HANG } },
  )
  thread.unref()
  return { begin: (count) => void Atomics.store(counts, 0, count), end: () => void thread.terminate() }
}

/** What it answers; undefined where it refuses with an AppError. Whatever else is thrown is thrown on. */
export function answerOf<Answer>(work: () => Answer): Answer | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** As {@link answerOf}, for what answers later. */
export async function laterAnswerOf<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

// Inputs

/** Numbers below 2^32 without end, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** Bytes that all follow from the seed: made far faster than one by one, which long inputs need. */
export function noise(seed: number, length: number): Uint8Array {
  const next = randomNumbers(seed)
  return Uint8Array.from({ length }, next)
}

/** Any bytes: mostly few, that shrink well. */
export const anyBytes = (longest = 4_096): Arbitrary<Uint8Array> =>
  oneof(
    { weight: 3, arbitrary: uint8Array({ maxLength: Math.min(longest, 64) }) },
    { weight: 1, arbitrary: tuple(integer(), nat(longest)).map(([seed, length]) => noise(seed, length)) },
  )

const mutation = record({
  kind: constantFrom('set', 'flip', 'delete', 'insert', 'double', 'cut'),
  place: nat(0xffff),
  value: oneof(constantFrom(0x00, 0x01, 0x02, 0x7f, 0x80, 0xff), nat(0xff)),
  length: nat(8),
})

/** Good bytes with one to four things wrong: bytes changed, left out, put in or doubled, or an end that is missing. */
export const mutated = (good: Arbitrary<Uint8Array>): Arbitrary<Uint8Array> =>
  tuple(good, array(mutation, { minLength: 1, maxLength: 4 })).map(([bytes, mutations]) => {
    let changed: number[] = [...bytes]
    for (const { kind, place, value, length } of mutations) {
      const at = place % (changed.length + 1)
      if (kind === 'set') changed[at] = value
      else if (kind === 'flip') changed[at] = (changed[at] ?? 0) ^ (1 << (value & 7))
      else if (kind === 'delete') changed.splice(at, length)
      else if (kind === 'insert') changed.splice(at, 0, ...Array<number>(length).fill(value))
      else if (kind === 'double') changed.splice(at, 0, ...changed.slice(at, at + length))
      else changed = changed.slice(0, at)
    }
    return Uint8Array.from(changed)
  })

/** Where a stream is cut into the pieces in which it arrives. */
export const anyCuts = array(nat(0xffff), { maxLength: 8 })

export function inPieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return places.map((end, index) => bytes.slice(places[index - 1] ?? 0, end))
}

export const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
