/** Recordings of the built-in C64 as the window and the command line make them and ask them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode, decodeApng } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { events, type Payload } from '@shared/contract/contract'
import type { ExportRequest } from '@shared/contract/recorder'
import type { TaskArguments } from '@shared/contract/tasks'
import { isJsonObject, parseJson, type JsonObject } from '@shared/json'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'
import { readTaskFile } from '../../src-main/tasks/entry'
import { deadProcess } from '../support/taskHome'

const exportedSchema = z.object({ event: z.literal('recorder.exported'), payload: events['recorder.exported'] })

let folder: string
let bridge: Bridge
let client: BridgeClient
let onExported: ((payload: Payload<'recorder.exported'>) => void) | undefined
const machine = 'builtin'

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-recordings-'))
  startBridge()
  await client.call('machine.connect', { machine })
})

function startBridge(): void {
  bridge = createBridge({
    dataFolder: join(folder, 'data'),
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    taskFolder: join(folder, 'tasks'),
    log: () => undefined,
  })
  const transport = memoryTransport()
  onExported = undefined
  transport.control.onMessage((raw) => {
    const { data } = exportedSchema.safeParse(raw)
    if (data) onExported?.(data.payload)
  })
  client = new BridgeClient(transport.control)
  serve(bridge, transport.bridge, () => undefined)
}

afterEach(async () => {
  client.close()
  await bridge.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('an export that takes long', () => {
  const animation = { format: 'apng', subject: 'screen', every: 1 } as const

  it('tells how far it is, lets questions through, and leaves nothing when it is cancelled', async () => {
    const recording = await start({ picture: true })
    await untilFrames(recording, 120)
    await stop(recording)
    const path = join(folder, 'long.png')
    const told: number[] = []
    const cancelling = new AbortController()
    onExported = ({ percent }) => {
      told.push(percent)
      if (percent >= 30) cancelling.abort()
    }
    const order: string[] = []
    const exporting = client
      .call('recorder.exportTo', { recording, path, request: animation }, cancelling.signal)
      .finally(() => order.push('cancelled'))
    const asked = framesOf(recording).then(() => order.push('answered'))
    await expect(exporting).rejects.toMatchObject({ code: 'CANCELLED' })
    await asked
    expect(order).toEqual(['answered', 'cancelled'])
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.at(-1)).toBeGreaterThanOrEqual(30)
    expect(told.at(-1)).toBeLessThan(100)
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('long'))).toEqual([])
    await exported(recording, animation)
  })
})

describe('the marks of a machine', () => {
  it('go into each of its recordings that is being made, and are told of', async () => {
    const told: string[] = []
    client.onEvent('recorder.marked', ({ recording }) => void told.push(recording))
    const mark = { machine, text: '@$d020 == 2', value: 1 }
    expect(await client.call('recorder.markMachine', mark)).toEqual({ recordings: [] })
    const recordings = [await start(), await start()]
    for (const recording of recordings) await untilFrames(recording, 1)
    expect(await client.call('recorder.markMachine', { ...mark, machine: 'vice' })).toEqual({ recordings: [] })
    const marked = await client.call('recorder.markMachine', mark)
    expect(marked.recordings.toSorted()).toEqual(recordings.toSorted())
    await expect.poll(() => told.toSorted()).toEqual(recordings.toSorted())
    for (const recording of recordings) {
      expect((await client.call('recorder.marks', { recording })).marks).toMatchObject([
        { text: '@$d020 == 2', value: 1 },
      ])
      await stop(recording)
    }
  })
})

/** Chips by their own space: the CPU may have been stopped while it had banked them out. */
const spaceOf = (address: number) => (address >= 0xd000 && address < 0xe000 ? 'io' : 'ram')

const poke = (address: number, ...bytes: number[]) =>
  client.call('memory.write', {
    machine,
    space: spaceOf(address),
    address,
    bytes: Uint8Array.from(bytes),
  })

const framesOf = async (recording: string): Promise<number> =>
  (await client.call('recorder.info', { recording })).frames

/** Of a C64 that stands still but for the bytes that `changes` puts into it: each of them is one more frame. */
async function record(changes: (put: typeof poke) => Promise<unknown>): Promise<string> {
  await client.call('machine.pause', { machine })
  const recording = await start({ spaces: ['ram', 'io', 'rom'] })
  await untilFrames(recording, 0)
  await changes(async (...write) => {
    const before = await framesOf(recording)
    const written = await poke(...write)
    await untilFrames(recording, before)
    await untilRecorded(recording, write[0], write.length - 1)
    return written
  })
  await stop(recording)
  return recording
}

async function exported(recording: string, request: ExportRequest): Promise<Buffer> {
  const path = join(folder, `export.${request.format}`)
  const { bytes, damages } = await client.call('recorder.exportTo', { recording, path, request })
  const file = readFileSync(path)
  expect({ bytes, damages }).toEqual({ bytes: file.length, damages: [] })
  return file
}

/** What the record button starts. */
const start = async (args: TaskArguments = {}): Promise<string> =>
  (await client.call('tasks.start', { operation: 'record', machine, type: 'background', args, name: 'recording' })).id

const stop = (id: string) => client.call('tasks.stop', { id })

/** Until its newest frame has the bytes that the machine has: a frame of the pause may have come late. */
async function untilRecorded(recording: string, address: number, length: number): Promise<void> {
  const space = spaceOf(address)
  const { bytes } = await client.call('memory.read', { machine, space, address, length })
  await expect
    .poll(async () => {
      const { segments } = await client.call('recorder.imageAt', {
        recording,
        time: Date.now() + 1000,
        spaces: [space],
        picture: false,
      })
      const [segment] = segments
      return segment?.bytes.slice(address - segment.address, address - segment.address + length)
    })
    .toEqual(bytes)
}

/** Until the task has made its file and something is in it. */
const untilFrames = (recording: string, frames: number) =>
  expect.poll(() => framesOf(recording).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(frames)

describe('a recording of the live views', () => {
  it('holds the machine byte for byte, while it is made and afterwards', async () => {
    const recording = await start({ spaces: ['ram'] })
    await untilFrames(recording, 20)
    await client.call('machine.pause', { machine })
    await poke(0xc000, 1, 2, 3)
    const { bytes } = await client.call('memory.read', { machine, space: 'ram', address: 0, length: 0x10000 })
    const now = { recording, time: Date.now() + 1000, spaces: ['ram' as const], picture: true }
    await expect
      .poll(async () => (await client.call('recorder.imageAt', now)).segments)
      .toEqual([{ space: 'ram', address: 0, bytes }])
    const { picture, registers } = await client.call('recorder.imageAt', now)
    expect(picture).toEqual(await client.call('memory.picture', { machine }))
    expect(registers).toEqual((await client.call('memory.registers', { machine })).registers)
    expect((await client.call('recorder.list', {})).recordings).toMatchObject([{ recording, open: true }])
    await stop(recording)
    const { recordings } = await client.call('recorder.list', {})
    expect(recordings).toMatchObject([
      { recording, name: 'recording', machine, open: false, pinned: false, problem: null },
    ])
    expect(await client.call('recorder.info', { recording })).toMatchObject({
      spaces: ['ram'],
      picture: true,
      missing: 0,
    })
    expect((await client.call('recorder.imageAt', now)).segments).toEqual([{ space: 'ram', address: 0, bytes }])
  })

  it('is a task: in tasks.json, with its log and its result, and recording.sqlite in its folder', async () => {
    const id = await start()
    expect(id).toBe('0001_recording')
    await untilFrames(id, 10)
    await expect
      .poll(async () => (await client.call('tasks.show', { id })).task.iterations, { timeout: 60_000 })
      .toBeGreaterThan(1)
    expect(await stop(id)).toMatchObject({ id, status: 'stopped', lastError: null })
    expect(await client.call('tasks.show', { id })).toMatchObject({
      hasRecording: true,
      result: { id, status: 'stopped', summary: { lost: 0, spaces: ['cpu', 'ram', 'io'], picture: true } },
    })
    const home = join(folder, 'tasks')
    await expect.poll(() => readFileSync(join(home, 'tasks.json'), 'utf8')).toContain('"status": "stopped"')
    expect(readFileSync(join(home, 'tasks.json'), 'utf8')).toContain(id)
    expect(readdirSync(join(home, 'tasks/background', id))).toEqual(
      expect.arrayContaining(['log.txt', 'recording.sqlite', 'result.json', 'task.json']),
    )
    expect(readFileSync(join(home, 'tasks/background', id, 'log.txt'), 'utf8')).toMatch(/stopped iterations=\d+/)
    expect(readdirSync(join(folder, 'data'))).not.toContain('recordings')
  })

  it('leaves no sample out between two runs of its task, but for what a full queue loses and counts', async () => {
    const recording = await start()
    const iterations = async () => (await client.call('tasks.show', { id: recording })).task.iterations ?? 0
    await expect.poll(iterations, { timeout: 60_000 }).toBeGreaterThan(2)
    await untilFrames(recording, 50)
    await client.call('machine.pause', { machine })
    await stop(recording)
    const { missing } = await client.call('recorder.info', { recording })
    const { result } = await client.call('tasks.show', { id: recording })
    const { lost } = z.object({ summary: z.object({ lost: z.number() }) }).parse(result).summary
    expect(missing).toBeLessThanOrEqual(lost)
  })

  it('has the same number of frames and the same length in every place, also those after its last run', async () => {
    const recording = await start()
    await untilFrames(recording, 20)
    const { recorded } = await stop(recording)
    const { frames, from, to } = await client.call('recorder.info', { recording })
    const { result } = await client.call('tasks.show', { id: recording })
    expect(recorded).toMatchObject({ frames })
    expect(result).toMatchObject({ summary: { ...recorded } })
    const taskFile = readFileSync(join(folder, 'tasks/tasks/background', recording, 'task.json'), 'utf8')
    expect(readTaskFile(parseJson(taskFile, 'task.json'))?.own?.recorded).toEqual(recorded)
    const { durationMs } = z.object({ summary: z.object({ durationMs: z.int() }) }).parse(result).summary
    expect(Math.abs(durationMs - ((to ?? 0) - (from ?? 0)))).toBeLessThan(1)
    expect((await client.call('recorder.list', {})).recordings).toMatchObject([{ frames }])
  })

  it('has them after a kill too, though its result was written before the last frames', async () => {
    const recording = await start()
    await untilFrames(recording, 20)
    await stop(recording)
    client.close()
    await bridge.close()
    // As a killed process leaves it.
    const files = join(folder, 'tasks/tasks/background', recording)
    const change = (name: string, changes: (json: JsonObject) => JsonObject) => {
      const json = parseJson(readFileSync(join(files, name), 'utf8'), name)
      if (!isJsonObject(json)) throw new Error(name)
      writeFileSync(join(files, name), JSON.stringify({ ...json, ...changes(json) }))
    }
    const owner = { pid: deadProcess.pid, startTime: new Date(deadProcess.startedAt).toISOString() }
    change('task.json', ({ revision }) => ({
      status: 'running',
      owner,
      revision: Number(revision) + 1,
      recorded: null,
    }))
    change('result.json', () => ({ status: 'running', summary: { frames: 1, runs: 1 } }))

    startBridge()
    const shown = () => client.call('tasks.show', { id: recording })
    await expect.poll(async () => (await shown()).task.status).toBe('stopped')
    const { frames } = await client.call('recorder.info', { recording })
    expect(frames).toBeGreaterThan(20)
    expect(await shown()).toMatchObject({ task: { recorded: { frames } }, result: { summary: { frames } } })
  })

  it('counts no run in which nothing came, and says why', async () => {
    await client.call('machine.pause', { machine })
    const recording = await start()
    const task = async () => (await client.call('tasks.show', { id: recording })).task
    await expect.poll(async () => (await task()).waiting, { timeout: 60_000 }).toContain('paused')
    const { iterations } = await task()
    expect(iterations).toBeLessThanOrEqual(1)
    await client.call('machine.resume', { machine })
    await expect.poll(async () => (await task()).iterations, { timeout: 60_000 }).toBeGreaterThan(iterations ?? 0)
    expect((await task()).waiting).toBeNull()
  })

  it('is made though sampling was off, which it is again afterwards', async () => {
    const sampling = async () =>
      (await client.call('machine.list', {})).machines.find((one) => one.machine === machine)?.sampling.mode
    await client.call('machine.setSampling', { machine, mode: 'off', rate: 50 })
    const recording = await start()
    await untilFrames(recording, 5)
    expect(await sampling()).toBe('free')
    await stop(recording)
    await expect.poll(sampling).toBe('off')
  })

  it('is deleted with its task, once that is done', async () => {
    const id = await start()
    await untilFrames(id, 0)
    await expect(client.call('tasks.delete', { id })).rejects.toMatchObject({ code: 'BUSY' })
    await stop(id)
    await client.call('recorder.info', { recording: id })
    await client.call('tasks.delete', { id })
    expect(readdirSync(join(folder, 'tasks/tasks/background'))).toEqual([])
    await expect(client.call('recorder.info', { recording: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.call('recorder.info', { recording: '../../data' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('makes room for the next one as the setting says, but for what is pinned; the task stays and its log tells', async () => {
    const make = async () => {
      const recording = await start({ picture: false })
      await untilFrames(recording, 2)
      await stop(recording)
      return recording
    }
    const pinned = await make()
    await client.call('recorder.pin', { recording: pinned, pinned: true })
    const old = await make()
    await client.call('settings.set', { recordings: { maxBytes: 1, maxDays: null } })
    const fresh = await make()
    const { recordings } = await client.call('recorder.list', {})
    expect(recordings.map(({ recording }) => recording).sort()).toEqual([pinned, fresh].sort())
    const { task, hasRecording, log } = await client.call('tasks.show', { id: old })
    expect({ status: task.status, hasRecording }).toEqual({ status: 'stopped', hasRecording: false })
    expect(log.text).toContain('the recording was deleted')
  })

  it('is not begun for a space that there is none of', async () => {
    await expect(start({ spaces: ['attic'] })).rejects.toMatchObject({ code: 'INVALID' })
    expect((await client.call('recorder.list', {})).recordings).toEqual([])
  })
})

describe('what a recording is exported as', () => {
  /** The demo changes $D018 on the way down: where the sprites' pointers are depends on the line where it is stopped. */
  async function stopWithPlainScreen(): Promise<void> {
    await client.call('machine.pause', { machine })
    await poke(0xdd00, 0x03)
    await poke(0xd018, 0x15)
    await poke(0xd01c, 0)
  }

  it('CSV: each change of each address', async () => {
    const recording = await record(async (put) => {
      await put(0xc000, 1)
      await put(0xc000, 2, 7)
      await put(0xc000, 0x2a)
    })
    const request = { format: 'csv', space: 'ram', address: 0xc000, length: 2 } as const
    const [head, ...rows] = (await exported(recording, request)).toString().trimEnd().split('\n')
    expect(head).toBe('time,milliseconds,frame,space,address,value')
    expect(rows.map((row) => row.split(',').slice(4).join(' ')).slice(-4)).toEqual([
      '0xC000 0x01',
      '0xC000 0x02',
      '0xC001 0x07',
      '0xC000 0x2A',
    ])
    expect(rows.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+\.\d{3},\d+,ram,0xC000,0x2A$/)
  })

  it('raw: the bytes of a moment, and none that were not recorded', async () => {
    const recording = await record(() => poke(0xc000, 1, 2, 3))
    const { to } = await client.call('recorder.info', { recording })
    const time = to ?? 0
    expect([...(await exported(recording, { format: 'raw', space: 'ram', address: 0xc000, length: 3, time }))]).toEqual(
      [1, 2, 3],
    )
    const path = join(folder, 'none.bin')
    const request: ExportRequest = { format: 'raw', space: 'colorRam', address: 0xd800, length: 10, time }
    await expect(client.call('recorder.exportTo', { recording, path, request })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/10 bytes from \$D800.*not recorded/) as string,
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
  })

  it('PNG: the screen of a moment, and a sprite as the registers then say', async () => {
    await stopWithPlainScreen()
    const recording = await record(async (put) => {
      await put(0x0340, ...new Array<number>(63).fill(0xff))
      await put(0x07f8, 0x0d)
      await put(0xd027, 7)
    })
    const { to } = await client.call('recorder.info', { recording })
    const time = to ?? 0
    const screen = decode(await exported(recording, { format: 'png', subject: 'screen', time }))
    expect(screen).toMatchObject({ width: 384, height: 272, channels: 1 })
    const { pixels } = await client.call('memory.picture', { machine })
    expect(screen.data[1000]).toBe((pixels[500] ?? 0) & 0x0f)
    const sprite = decode(await exported(recording, { format: 'png', subject: { sprite: 0 }, time }))
    expect(sprite).toMatchObject({ width: 24, height: 21 })
    expect([...sprite.data]).toEqual(new Array(24 * 21).fill(7))
  })

  it('animated PNG: pictures that differ, each shown as long as it stood', async () => {
    await stopWithPlainScreen()
    const recording = await record(async (put) => {
      await put(0x0340, ...new Array<number>(63).fill(0xff))
      await put(0x07f8, 0x0d)
      await put(0xd027, 7)
      await put(0xc000, 1)
      await put(0xd027, 2)
    })
    const { from, to } = await client.call('recorder.info', { recording })
    const { numberOfFrames, frames: pictures } = decodeApng(
      await exported(recording, { format: 'apng', subject: { sprite: 0 }, every: 1 }),
      { checkCrc: true },
    )
    expect(numberOfFrames).toBe(pictures.length)
    const seconds = pictures.reduce((sum, { delayNumber, delayDenominator }) => sum + delayNumber / delayDenominator, 0)
    // The last one is shown for as long as the one before it.
    expect(seconds * 1000).toBeGreaterThan((to ?? 0) - (from ?? 0) - 1)
    expect(pictures.slice(-2).map(({ data }) => data[100])).toEqual([7, 2])
  })
})
