/** The recorder: what a frame takes on disk and of a core, and how fast a recording of an hour answers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Frame } from '@shared/contract/frames'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { loadRoms } from '../../src-main/machine/builtin/roms'
import { RecordingReader } from '../../src-main/recorder/reader'
import { Recorder } from '../../src-main/recorder/recorder'
import { RecordingWriter } from '../../src-main/recorder/writer'
import { median, percentile, type Row } from './row'

const output = resolve(import.meta.dirname, '../../out')
const resources = resolve(output, 'resources/c64')

const RATE = 50
const MINUTE = 60 * RATE
const HOUR = 60 * MINUTE
const START = 1_790_000_000_000
const REAL_TIME = 15_000
const LOOKS = 300

export default async function recorder(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-recorder-'))
  try {
    return [...(await sizes(folder)), await share(folder), ...(await hour(folder))]
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Request {
  readonly io: boolean
  readonly picture: boolean
}

/** The demo's frames from its start on, as the built-in C64 samples them. */
async function* demo({ io, picture }: Request, count: number): AsyncGenerator<Frame> {
  const { roms } = await loadRoms(resources, { kernal: null, basic: null, character: null })
  const c64 = new C64(roms, 'pal')
  startProgram(c64, new Uint8Array(readFileSync(join(resources, 'demo.prg'))))
  for (let seq = 0; seq < count; seq++) {
    c64.runFrame()
    yield {
      machine: 'builtin',
      epoch: 1,
      seq,
      time: START + (seq * 1000) / RATE,
      segments: [
        { space: 'ram', address: 0, bytes: c64.space.ram.slice() },
        ...(io ? [{ space: 'io' as const, address: 0xd000, bytes: c64.peekIo() }] : []),
      ],
      ...(picture ? { picture: c64.picture() } : {}),
    }
  }
}

async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const collected: Frame[] = []
  for await (const frame of frames) collected.push(frame)
  return collected
}

/** Bytes on disk for a frame, of a minute of the demo. */
async function sizes(folder: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, request, target } of [
    { name: '64 KiB of RAM', request: { io: false, picture: false }, target: 400 },
    { name: 'RAM and chips', request: { io: true, picture: false }, target: undefined },
    { name: 'RAM, chips and picture', request: { io: true, picture: true }, target: undefined },
  ]) {
    const writer = new RecordingWriter(join(folder, `${name}.sqlite`))
    for await (const frame of demo(request, MINUTE)) writer.append(frame)
    writer.flush()
    const value = writer.size.bytes / MINUTE
    writer.close()
    rows.push({
      name: `a frame of the demo, ${name}`,
      value,
      unit: 'bytes',
      ...(target ? { target: `under ${target}`, met: value < target } : {}),
    })
  }
  return rows
}

/** Percent of a core for 50 frames of 64 KiB a second through the worker, without what sleeps meanwhile. */
async function share(folder: string): Promise<Row> {
  const frames = await collect(demo({ io: false, picture: false }, 10 * RATE))
  const made = new Recorder(resolve(output, 'main/recorderWorker.cjs'))
  const recording = await made.open(join(folder, 'share.sqlite'))
  let blocked = 0
  const measure = async (isRecording: boolean): Promise<number> => {
    const before = process.cpuUsage()
    const start = performance.now()
    for (let seq = 0; performance.now() - start < REAL_TIME; seq++) {
      const frame = frames[seq % frames.length]
      const appended = performance.now()
      if (isRecording && frame) recording.append({ ...frame, seq, time: Date.now() })
      blocked = Math.max(blocked, performance.now() - appended)
      await delay(Math.max(0, start + ((seq + 1) * 1000) / RATE - performance.now()))
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 10 / (performance.now() - start)
  }
  const bare = await measure(false)
  const value = await measure(true)
  await recording.close()
  await made.close()
  return {
    name: 'share of a core at 50 frames of 64 KiB a second',
    value,
    unit: '%',
    bare,
    target: 'under 5 %',
    met: value < 5,
    note: `bare: no recording; the caller waited ${blocked.toFixed(1)} ms at most`,
  }
}

/** An hour of the demo, asked in any order. */
async function hour(folder: string): Promise<Row[]> {
  const path = join(folder, 'hour.sqlite')
  const writer = new RecordingWriter(path)
  const minute = await collect(demo({ io: true, picture: false }, MINUTE))
  const started = performance.now()
  for (let number = 0; number < HOUR; number++) {
    const frame = minute[number % MINUTE]
    if (frame) writer.append({ ...frame, seq: number, time: START + (number * 1000) / RATE })
    if (number % 12 === 0) writer.flush()
  }
  writer.flush()
  const writing = performance.now() - started
  const { bytes } = writer.size
  writer.close()

  const looks: number[] = []
  const reader = new RecordingReader(path)
  for (let look = 0; look < LOOKS; look++) {
    // Spread over the hour, each far from the one before.
    const time = START + ((look * 0.618_034) % 1) * 3_600_000
    const at = performance.now()
    reader.imageAt(time, ['ram'], false)
    looks.push(performance.now() - at)
  }
  reader.close()
  return [
    {
      name: 'a frame of the hour, RAM and chips',
      value: bytes / HOUR,
      unit: 'bytes',
      note: `${(bytes / 2 ** 20).toFixed(0)} MiB; a minute of the demo, sixty times`,
    },
    { name: 'writing a frame, in the worker', value: writing / HOUR, unit: 'ms' },
    {
      name: 'any moment of an hour, 95 % of the time',
      value: percentile(looks, 0.95),
      unit: 'ms',
      target: 'under 10 ms',
      met: percentile(looks, 0.95) < 10,
      note: `median ${median(looks).toFixed(2)}, most ${Math.max(...looks).toFixed(1)}`,
    },
    whenChanged(path, 0xd020, '$D020'),
    // Sprites move in nearly every frame.
    whenChanged(path, 0xd000, '$D000'),
  ]
}

/** Asked of a file that was just opened. */
function whenChanged(path: string, address: number, name: string): Row {
  const took: number[] = []
  let total = 0
  for (let look = 0; look < 20; look++) {
    const reader = new RecordingReader(path)
    const at = performance.now()
    total = reader.changes('io', address, {}, 'first', 10_000).total
    took.push(performance.now() - at)
    reader.close()
  }
  const value = median(took)
  return {
    name: `when ${name} changed in an hour`,
    value,
    unit: 'ms',
    target: 'under 100 ms',
    met: value < 100,
    note: `${total} changes; most ${Math.max(...took).toFixed(1)} ms`,
  }
}
