/** The editor: how soon a stroke is in the machine, by the calls that the window makes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { exit, writeMemory } from '../../src-main/machine/vice/commands'
import type { SamplingMode } from '../../src-shared/contract/machine'
import { launchApp, untilLive } from '../support/launchApp'
import { soon, startVice } from '../vice/support'
import { median, percentile, type Row } from './row'

const STROKES = 200
/** A line down a sprite changes a byte in each of its rows. */
const ROWS = 21
const ROW_BYTES = 3
const START = 0x3000
/** Longest pause between two strokes: VICE takes a write at the end of a frame, 20 ms apart. */
const MAX_PAUSE_MS = 40
const VICE_TARGET_MS = 20
/** VICE's number of the bank that is all RAM. */
const RAM_BANK = 1
/** Frames of the built-in C64 from a write to the first that shows it: the next one. */
const FRAME_TARGET = 1

export default async function editor(): Promise<Row[]> {
  const builtin = await withWindow('builtin', async (page) => [
    timeRow('a stroke in the built-in C64', await strokeTimes(page, 'builtin'), null),
    framesRow(await framesUntilShown(page)),
  ])
  const vice = await startVice()
  try {
    const machine = `vice:${vice.port}`
    const rows = await withWindow(machine, async (page) => [
      timeRow('a stroke in VICE', await strokeTimes(page, machine), VICE_TARGET_MS),
      timeRow(
        'a stroke in VICE, sampled 10 times a second',
        await strokeTimes(page, machine, ['free', 10]),
        VICE_TARGET_MS,
      ),
      timeRow('a stroke in VICE, sampled 50 times a second', await strokeTimes(page, machine, ['free', 50]), null),
      timeRow('a stroke in VICE, in lock-step', await strokeTimes(page, machine, ['lockStep', 50]), VICE_TARGET_MS),
      timeRow('a stroke in VICE, one write for each row', await writeTimes(page, machine), null),
    ])
    return [...builtin, ...rows, timeRow('a stroke in VICE, in the raw protocol', await rawTimes(vice.port), null)]
  } finally {
    await vice.stop()
  }
}

async function withWindow(machine: string, measure: (page: Page) => Promise<Row[]>): Promise<Row[]> {
  const { page, close } = await launchApp({ args: ['--size=1280x800', `--machine=${machine}`, '--view=editor'] })
  try {
    await untilLive(page, machine)
    return await measure(page)
  } finally {
    await close()
  }
}

/** ms from the window's call to its answer, each for a line down a sprite. @param sampling as its default where it is left out */
const strokeTimes = (page: Page, machine: string, sampling?: [mode: SamplingMode, rate: number]): Promise<number[]> =>
  page.evaluate(
    async ({ machine, sampling, strokes, rows, rowBytes, start, pause }) => {
      if (sampling) await window.bridgedeck.machine.setSampling({ machine, mode: sampling[0], rate: sampling[1] })
      const times: number[] = []
      for (let stroke = 0; stroke < strokes; stroke++) {
        await new Promise((done) => setTimeout(done, Math.random() * pause))
        const bytes = Uint8Array.of(stroke & 0xff)
        const runs = Array.from({ length: rows }, (_, row) => ({
          space: 'ram' as const,
          address: start + row * rowBytes,
          bytes,
        }))
        const started = performance.now()
        const result = await window.bridgedeck.memory.writeRuns({ machine, runs })
        if (!result.ok) throw new Error(result.error.message)
        times.push(performance.now() - started)
      }
      return times
    },
    { machine, sampling, ...line },
  )

const line = { strokes: STROKES, rows: ROWS, rowBytes: ROW_BYTES, start: START, pause: MAX_PAUSE_MS }

/** The same with a write for each row, as it was once. */
const writeTimes = (page: Page, machine: string): Promise<number[]> =>
  page.evaluate(
    async ({ machine, rows, rowBytes, start, pause }) => {
      const times: number[] = []
      for (let stroke = 0; stroke < 20; stroke++) {
        await new Promise((done) => setTimeout(done, Math.random() * pause))
        const bytes = Uint8Array.of(stroke & 0xff)
        const started = performance.now()
        for (let row = 0; row < rows; row++) {
          const address = start + row * rowBytes
          const result = await window.bridgedeck.memory.write({ machine, space: 'ram', address, bytes })
          if (!result.ok) throw new Error(result.error.message)
        }
        times.push(performance.now() - started)
      }
      return times
    },
    { machine, ...line },
  )

/** Without the app: what VICE itself takes. */
async function rawTimes(port: number): Promise<number[]> {
  const client = await MonitorClient.connect({ host: '127.0.0.1', port }, soon())
  const times: number[] = []
  try {
    for (let stroke = 0; stroke < STROKES; stroke++) {
      await sleep(Math.random() * MAX_PAUSE_MS)
      const started = performance.now()
      await client.trap((send) => {
        const rows = Array.from({ length: ROWS }, (_, row) =>
          send(writeMemory(RAM_BANK, START + row * ROW_BYTES, Uint8Array.of(stroke))),
        )
        void send(exit())
        return Promise.all(rows)
      }, soon())
      times.push(performance.now() - started)
    }
  } finally {
    client.close()
  }
  return times
}

function timeRow(name: string, times: readonly number[], target: number | null): Row {
  const value = median(times)
  return {
    name,
    value,
    unit: 'ms',
    note: `p95 ${percentile(times, 0.95).toFixed(1)} ms of ${times.length}`,
    ...(target === null ? {} : { target: `under ${target} ms`, met: value < target }),
  }
}

/** How many frames that were read after the write was answered came without it. */
const framesUntilShown = (page: Page): Promise<number[]> =>
  page.evaluate(async (strokes) => {
    const nonce = crypto.randomUUID()
    const opened = new Promise<MessagePort>((done) =>
      window.addEventListener('message', ({ data, source, ports: [port] }) => {
        if (data === nonce && source === window && port) done(port)
      }),
    )
    await window.bridgedeck.connectPort('frames', nonce)
    const port = await opened
    let wanted = -1
    let writtenAt = Infinity
    let late = 0
    let shown: (frames: number) => void = () => undefined
    port.onmessage = ({
      data,
    }: MessageEvent<{ frame: { time: number; segments: { address: number; bytes: Uint8Array }[] } }>) => {
      port.postMessage({ kind: 'credit' })
      const { time, segments } = data.frame
      const holds = segments.some(({ address, bytes }) => bytes[0x3000 - address] === wanted)
      if (time > writtenAt) late++
      if (holds) shown(late)
    }
    port.postMessage({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
    const counts: number[] = []
    for (let stroke = 0; stroke < strokes; stroke++) {
      wanted = (stroke * 7 + 1) & 0xff
      const seen = new Promise<number>((done) => {
        shown = done
      })
      late = 0
      writtenAt = Infinity
      const bytes = Uint8Array.of(wanted)
      await window.bridgedeck.memory.write({ machine: 'builtin', space: 'ram', address: 0x3000, bytes })
      writtenAt = Date.now()
      counts.push(await seen)
    }
    return counts
  }, STROKES)

function framesRow(counts: readonly number[]): Row {
  const value = Math.max(...counts)
  return {
    name: 'frames of the built-in C64 until a stroke is seen',
    value,
    unit: 'frames',
    target: 'the next one',
    met: value <= FRAME_TARGET,
    note: `median ${median(counts)}`,
  }
}
