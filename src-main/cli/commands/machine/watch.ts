import { setTimeout as wait } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { formatValue, valueFormats, type ValueFormat } from '@shared/c64/expressions/formatValue'
import type { Input } from '@shared/contract/contract'
import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import { MAX_EVALUATED } from '@shared/contract/labels'
import { defineCommand, type CommandContext } from '../../command'
import { hexByte, hexString } from '../../hexDump'
import { memoryRange, rangeOptions } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import { choice, expression, flag, machine, number, requireValue, texts, withDefault } from '../../parameters'
import { place, resolvePlace, type WrittenPlace } from '../../place'
import type { Session } from '../../session'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineWatch = defineCommand({
  group,
  name: 'watch',
  summary: 'Read memory or expressions repeatedly, one line each time, until Ctrl+C.',
  details:
    'With --show, a machine that can be paused is paused while they are read, so that all are of one moment. Changes between two reads are not seen; a checkpoint with a condition misses nothing.',
  options: {
    ...rangeOptions,
    address: place('The first byte. Needed without --show.'),
    show: texts('EXPRESSION', 'Show this in place of bytes; repeat it for several.'),
    format: withDefault(choice('FORMAT', 'How values are written.', valueFormats), 'hex'),
    until: expression('End once this is true.'),
    mark: flag('When an expression becomes true, mark the running recordings of the machine.'),
    rate: withDefault(number('HZ', 'Reads per second.', { min: 0.1, max: 60, isWhole: false }), 2),
    count: number('N', 'Stop after this many reads.', { min: 1, max: 1_000_000_000 }),
    machine: machine('The machine to read from.'),
  },
  data: {
    time: 'ISO time',
    'address?': 'such as $0400; without --show',
    'bytes?': 'hexadecimal; without --show',
    'values?': '[{ expression, value, text }]; with --show',
    'marked?': 'the IDs of the recordings that were marked; with --mark',
    'missed?': 'why nothing could be marked, each reason once; with --mark',
  },
  examples: [
    "watch --machine vice:6502 --address '$d012' --length 1 --bank io --rate 10 --json",
    "watch --show '@$d020 & 15' --show X --until '@$d020 == 2' --count 3",
    "watch --show '@$d020 == 2' --mark --rate 10 --count 3",
  ],
  run: async (context, { rate, count = Infinity, machine, mark, ...values }) => {
    const { output, signal, openSession } = context
    if (mark && !isOfExpressions(values)) throw new UsageError('--mark needs --show or --until.')
    const look = isOfExpressions(values)
      ? lookAtExpressions(machine, values)
      : await lookAtBytes(context, machine, { ...values, address: requireValue(values.address, '--address') })
    const session = await openSession()
    await session.connect(machine, signal)
    const marks = mark ? await BecomingTrue.of(session, machine, signal) : undefined
    const start = performance.now()
    for (let n = 0; n < count; n++) {
      const { data, text, isLast, values: seen = [] } = await look(session, signal)
      const marked = await marks?.mark(seen, data.time, signal)
      const missed = marks?.takeMissed() ?? []
      const told = marked === undefined || marked.length === 0 ? '' : `  marked in ${marked.join(', ')}`
      const problems = missed.map((problem) => `  not marked: ${problem}`).join('')
      output.result(
        { ...data, ...(marked ? { marked } : {}), ...(missed.length > 0 ? { missed } : {}) },
        text + told + problems,
      )
      if (isLast) break
      const next = start + ((n + 1) * 1000) / rate
      if (n + 1 < count) await wait(Math.max(0, next - performance.now()), undefined, { signal })
    }
    return EXIT_OK
  },
})

interface Line {
  readonly data: Readonly<Record<string, unknown>> & { readonly time: string }
  readonly values?: readonly Shown[]
  readonly text: string
  readonly isLast: boolean
}
interface Shown {
  readonly expression: string
  readonly value: number
}

class BecomingTrue {
  readonly #session: Session
  readonly #machine: string
  readonly #before = new Map<string, number>()
  readonly #known = new Set<string>()
  readonly #missed: string[] = []

  private constructor(session: Session, machine: string) {
    this.#session = session
    this.#machine = machine
  }

  /** @throws AppError CONFLICT where nothing records the machine */
  static async of(session: Session, machine: string, signal: AbortSignal): Promise<BecomingTrue> {
    const { recordings } = await session.client.call('recorder.list', {}, signal)
    if (!recordings.some((recording) => recording.open && recording.machine === machine))
      throw new AppError('CONFLICT', `No recording of ${machine} is running.`, {
        hint: `Start it first: task start record --machine ${machine} --detach`,
      })
    return new BecomingTrue(session, machine)
  }

  async mark(seen: readonly Shown[], at: string, signal: AbortSignal): Promise<string[]> {
    const marked = new Set<string>()
    for (const { expression, value } of seen) {
      const before = this.#before.get(expression)
      this.#before.set(expression, value)
      if (before !== 0 || value === 0) continue
      const mark = { machine: this.#machine, time: Date.parse(at), text: expression, value }
      for (const recording of await this.#markOrMiss(mark, signal)) marked.add(recording)
    }
    return [...marked]
  }

  takeMissed(): string[] {
    return this.#missed.splice(0)
  }

  async #markOrMiss(mark: Input<'recorder.markMachine'>, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return (await this.#session.client.call('recorder.markMachine', mark, signal)).recordings
    } catch (error) {
      const failure = toFailure(error)
      if (failure.code !== 'CONFLICT' && failure.code !== 'NOT_FOUND') throw error
      const problem = describeFailure(failure)
      if (!this.#known.has(problem)) this.#missed.push(problem)
      this.#known.add(problem)
      return []
    }
  }
}

type Look = (session: Session, signal: AbortSignal) => Promise<Line>

interface OfExpressions {
  readonly show: readonly string[]
  readonly until: string | undefined
  readonly format: ValueFormat
}

const isOfExpressions = ({ show, until }: OfExpressions): boolean => show.length > 0 || until !== undefined

function lookAtExpressions(machine: string, { show, until, format }: OfExpressions): Look {
  const expressions = until === undefined ? [...show] : [...show, until]
  if (expressions.length > MAX_EVALUATED)
    throw new UsageError(`${MAX_EVALUATED} expressions can be read at once, not ${expressions.length}.`)
  return async ({ client }, signal) => {
    const { time, values } = await client.call('labels.evaluate', { machine, expressions }, signal)
    const at = new Date(time).toISOString()
    const shown = expressions.map((expression, index) => {
      const value = values[index] ?? 0
      return { expression, value, text: formatValue(value, format) }
    })
    return {
      data: { time: at, values: shown },
      values: shown,
      text: `${at}  ${shown.map(({ expression, text }) => `${expression} = ${text}`).join('  ')}`,
      isLast: until !== undefined && values.at(-1) !== 0,
    }
  }
}

async function lookAtBytes(
  { openSession, signal }: CommandContext,
  machine: string,
  { address, ...values }: Omit<Parameters<typeof memoryRange>[0], 'address'> & { readonly address: WrittenPlace },
): Promise<Look> {
  const { start } = await resolvePlace(openSession, machine, address, signal)
  const range = memoryRange({ ...values, address: start })
  return async ({ client }, signal) => {
    const { bytes, time } = await client.call('memory.read', { machine, ...range }, signal)
    const at = new Date(time).toISOString()
    return {
      data: { time: at, address: formatAddress(range.address), bytes: hexString(bytes) },
      text: `${at}  ${[...bytes].map(hexByte).join(' ')}`,
      isLast: false,
    }
  }
}
