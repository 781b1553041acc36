/** The editor: how soon a stroke is in the machine, by the calls that the window makes. */
import type { Page } from 'playwright'
import { launchApp, untilLive } from '../support/launchApp'
import { startVice } from '../vice/support'
import { median, percentile, type Row } from './row'

const STROKES = 200
const VICE_TARGET_MS = 20
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
    ])
    return [...builtin, ...rows]
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

/** ms from the window's call to its answer, each for a byte of a sprite. */
const strokeTimes = (page: Page, machine: string): Promise<number[]> =>
  page.evaluate(
    async ([machine, strokes]) => {
      const times: number[] = []
      for (let stroke = 0; stroke < strokes; stroke++) {
        const bytes = Uint8Array.of(stroke & 0xff)
        const started = performance.now()
        const result = await window.bridgedeck.memory.write({ machine, space: 'ram', address: 0x3000, bytes })
        if (!result.ok) throw new Error(result.error.message)
        times.push(performance.now() - started)
      }
      return times
    },
    [machine, STROKES] as const,
  )

function timeRow(name: string, times: readonly number[], target: number | null): Row {
  const value = median(times)
  return {
    ...{ name, value, unit: 'ms', note: `p95 ${percentile(times, 0.95).toFixed(1)} ms of ${times.length}` },
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
    ...{ name: 'frames of the built-in C64 until a stroke is seen', value, unit: 'frames' },
    ...{ target: 'the next one', met: value <= FRAME_TARGET, note: `median ${median(counts)}` },
  }
}
