import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import { takesPassword, type SelfTestStep } from '@shared/contract/connections'
import { streamKinds, type StreamKind } from '@shared/contract/machine'
import type { Machine } from '../machine/machine'

export interface SelfTestOptions {
  readonly machine: Machine
  readonly connect: (signal: AbortSignal) => Promise<unknown>
  readonly asksForPassword: (signal: AbortSignal) => Promise<boolean | null>
  readonly report: (steps: SelfTestStep[]) => void
  readonly signal: AbortSignal
  /** ms for the first packet of a stream: the machine may look up this computer's address for a second. */
  readonly streamDeadlineMs?: number
}

type Finding = Pick<SelfTestStep, 'text'> & { readonly outcome: 'ok' | 'failed' | 'skipped' }

const ok = (text: string): Finding => ({ outcome: 'ok', text })
const skipped = (text: string): Finding => ({ outcome: 'skipped', text })

function failed(error: unknown): Finding {
  const { message, hint } = toFailure(error)
  return { outcome: 'failed', text: hint === undefined ? message : `${message} ${hint}` }
}

/** Odd, so that the median is one of the reads. */
const READ_COUNT = 5
const READ_BYTES = 256
const SCREEN_ADDRESS = 0x0400

/** Writes nothing to the machine. Steps after a failure to connect, or after an abort, are skipped. */
export async function selfTest(options: SelfTestOptions): Promise<SelfTestStep[]> {
  const { machine, report, signal } = options
  const steps: SelfTestStep[] = []
  const step = async (title: string, run: () => Promise<Finding>): Promise<Finding> => {
    const index = steps.push({ title, outcome: 'running', text: '' }) - 1
    report([...steps])
    const finding = signal.aborted
      ? skipped('Not tried.')
      : await run().catch((error: unknown) => (signal.aborted ? skipped('Stopped.') : failed(error)))
    steps[index] = { title, ...finding }
    report([...steps])
    return finding
  }

  let refusal: unknown
  const reached = await step('Reach the machine', async () => {
    try {
      return await reach(options)
    } catch (error) {
      if (!takesPassword(machine.name) || toFailure(error).code !== 'FORBIDDEN') throw error
      refusal = error
      return ok('It answers.')
    }
  })
  if (reached.outcome !== 'ok') return steps
  if (takesPassword(machine.name)) {
    const letIn = await step('Password', async () =>
      refusal === undefined ? password(await options.asksForPassword(signal)) : failed(refusal),
    )
    if (letIn.outcome === 'failed') return steps
  }
  await step('Read memory', () => readMemory(machine, signal))
  for (const stream of streamKinds) await step(streamTitles[stream], () => tryStream(machine, stream, options))
  return steps
}

async function reach({ machine, connect, signal }: SelfTestOptions): Promise<Finding> {
  const wasConnected = isConnected(machine)
  const start = performance.now()
  if (!wasConnected) await connect(signal)
  const { title, version } = machine.status
  const who = version === null || title.includes(version) ? title : `${title}, ${version}`
  return ok(wasConnected ? `Connected: ${who}.` : `Connected in ${milliseconds(performance.now() - start)}: ${who}.`)
}

export const isConnected = ({ status: { connection } }: Machine): boolean =>
  connection === 'live' || connection === 'stale'

function password(asked: boolean | null): Finding {
  if (asked === null) return ok('Access granted. Whether a password is set is unknown.')
  if (asked) return ok('The password is correct.')
  return ok('No password is set: anyone on your network can use this machine.')
}

async function readMemory(machine: Machine, signal: AbortSignal): Promise<Finding> {
  const limit = machine.unsupported.readMemory
  if (limit !== undefined) return skipped(limit)
  const times: number[] = []
  while (times.length < READ_COUNT) {
    const start = performance.now()
    const bytes = await machine.readMemory({ space: 'cpu', address: SCREEN_ADDRESS, length: READ_BYTES }, signal)
    if (bytes.length !== READ_BYTES)
      throw new AppError('INTERNAL', `Received ${bytes.length} bytes instead of ${READ_BYTES}.`)
    times.push(performance.now() - start)
  }
  const middle = times.sort((a, b) => a - b)[(READ_COUNT - 1) / 2] ?? 0
  return ok(`${READ_BYTES} bytes in ${milliseconds(middle)} (median of ${READ_COUNT} reads).`)
}

const streamTitles: Readonly<Record<StreamKind, string>> = {
  video: 'Video stream',
  audio: 'Audio stream',
  debug: 'Debug stream',
}
const STREAMS_HINT =
  'Streams need the machine’s wired network port, not Wi-Fi: connect a cable. A firewall on this computer can block them too.'
const POLL_MS = 50

async function tryStream(
  machine: Machine,
  stream: StreamKind,
  { signal, streamDeadlineMs = 3_000 }: SelfTestOptions,
): Promise<Finding> {
  const limit = machine.unsupported[`${stream}Stream`]
  if (limit !== undefined || !machine.streams) return skipped(limit ?? `${machine.status.title} sends no streams.`)
  const running = runningStream(machine, stream)
  if (running) return ok(`Running: ${count(running.packets)} received, ${running.lost.toLocaleString('en')} lost.`)
  const rival = rivals[stream]
  if (rival && runningStream(machine, rival)) {
    return skipped(`Skipped: this would stop the running ${rival} stream.`)
  }
  try {
    await machine.streams.set(stream, true, signal)
    const start = performance.now()
    for (;;) {
      const packets = runningStream(machine, stream)?.packets ?? 0
      if (packets > 0) return ok(`Received within ${milliseconds(performance.now() - start)}.`)
      if (performance.now() - start > streamDeadlineMs) break
      await wait(POLL_MS, undefined, { signal })
    }
    throw new AppError('TIMEOUT', `No packet within ${streamDeadlineMs / 1000} s.`)
  } catch (error) {
    if (signal.aborted) throw error
    return failed(new AppError('LOST', toFailure(error).message, { hint: STREAMS_HINT }))
  } finally {
    // Also after an abort: a stream runs until it is switched off.
    await machine.streams.set(stream, false, AbortSignal.timeout(5_000)).catch(() => undefined)
  }
}

const runningStream = ({ status: { streams = [] } }: Machine, stream: StreamKind) =>
  streams.find((other) => other.stream === stream)

/** Together they exceed the machine's 100 Mbit/s, so starting one ends the other. */
const rivals: Partial<Record<StreamKind, StreamKind>> = { video: 'debug', debug: 'video' }

const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(1) : time.toFixed(0)} ms`
const count = (packets: number): string => `${packets.toLocaleString('en')} packet${packets === 1 ? '' : 's'}`
