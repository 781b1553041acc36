/** Recordings of the built-in C64 as the window and the command line make them and ask them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode, decodeApng } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recorderEvents, type ExportWish, type RecordingState } from '@shared/contract/recorder'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/bridge/transport'

let folder: string
let bridge: Bridge
let client: BridgeClient
let told: RecordingState[][]
const machine = 'builtin'

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-recordings-'))
  bridge = createBridge({
    dataFolder: join(folder, 'data'),
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    log: () => undefined,
  })
  told = []
  bridge.onEvent((event, payload) => {
    if (event === 'recorder.states') told.push(recorderEvents['recorder.states'].parse(payload).recordings)
  })
  const transport = memoryTransport()
  client = new BridgeClient(transport.control)
  serve(bridge, transport.bridge, () => undefined)
  await client.call('machine.connect', { machine })
})
afterEach(async () => {
  client.close()
  await bridge.close()
  rmSync(folder, { recursive: true, force: true })
})

const poke = (address: number, ...bytes: number[]) =>
  client.call('memory.write', { machine, space: 'cpu', address, bytes: Uint8Array.from(bytes) })

const framesOf = async (recording: string): Promise<number> => (await client.call('recorder.info', { recording })).frames

/** Of a C64 that stands still but for what `changes` does to it: each change is one more frame. */
async function record(changes: () => Promise<unknown>): Promise<string> {
  await client.call('machine.pause', { machine })
  const { recording } = await client.call('recorder.start', { machine, spaces: ['ram', 'io', 'rom'], picture: true })
  await expect.poll(() => framesOf(recording)).toBeGreaterThan(0)
  await changes()
  await client.call('recorder.stop', { recording })
  return recording
}

async function exported(recording: string, wish: ExportWish): Promise<Buffer> {
  const path = join(folder, `export.${wish.format}`)
  const { bytes, damages } = await client.call('recorder.exportTo', { recording, path, wish })
  const file = readFileSync(path)
  expect({ bytes, damages }).toEqual({ bytes: file.length, damages: [] })
  return file
}

describe('a recording of the live views', () => {
  it('holds the machine byte for byte, while it is made and afterwards', async () => {
    const { recording } = await client.call('recorder.start', { machine, spaces: ['ram'], picture: true })
    await expect.poll(() => framesOf(recording)).toBeGreaterThan(20)
    await client.call('machine.pause', { machine })
    await poke(0xc000, 1, 2, 3)
    const { bytes } = await client.call('memory.read', { machine, space: 'ram', address: 0, length: 0x10000 })
    const now = { recording, time: Date.now() + 1000, spaces: ['ram' as const], picture: true }
    await expect.poll(async () => (await client.call('recorder.imageAt', now)).segments).toEqual([{ space: 'ram', address: 0, bytes }])
    const { picture, registers } = await client.call('recorder.imageAt', now)
    expect(picture).toEqual(await client.call('memory.picture', { machine }))
    expect(registers).toEqual((await client.call('memory.registers', { machine })).registers)
    expect(await client.call('recorder.stop', { recording })).toMatchObject({ recording, machine, lost: 0, failure: null })
    const { recordings } = await client.call('recorder.list', {})
    expect(recordings).toMatchObject([{ recording, kind: 'live', machine, open: false, pinned: false, problem: null }])
    expect(await client.call('recorder.info', { recording })).toMatchObject({ spaces: ['ram'], picture: true, missing: 0 })
    expect((await client.call('recorder.imageAt', now)).segments).toEqual([{ space: 'ram', address: 0, bytes }])
  })

  it('is told of while it is made', async () => {
    const { recording } = await client.call('recorder.start', { machine, spaces: ['ram'], picture: false })
    await expect.poll(() => told.at(-1)?.[0]?.frames ?? 0).toBeGreaterThan(10)
    expect((await client.call('recorder.states', {})).recordings).toMatchObject([{ recording, machine, failure: null }])
    await client.call('recorder.stop', { recording })
    expect(told.at(-1)).toEqual([])
    expect((await client.call('recorder.states', {})).recordings).toEqual([])
  })

  it('has a name of its own, also when two begin in the same second', async () => {
    const started = await Promise.all([1, 2, 3].map(() => client.call('recorder.start', { machine, spaces: ['ram'], picture: false })))
    expect(new Set(started.map(({ recording }) => recording)).size).toBe(3)
    for (const { recording } of started) await client.call('recorder.stop', { recording })
    expect((await client.call('recorder.list', {})).recordings).toHaveLength(3)
  })

  it('can be deleted once it is done, and nothing stays behind', async () => {
    const { recording } = await client.call('recorder.start', { machine, spaces: ['ram'], picture: false })
    await expect(client.call('recorder.delete', { recording })).rejects.toMatchObject({ code: 'BUSY' })
    await client.call('recorder.stop', { recording })
    await client.call('recorder.info', { recording })
    await client.call('recorder.delete', { recording })
    expect(readdirSync(join(folder, 'data/recordings'))).toEqual([])
    await expect(client.call('recorder.info', { recording })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.call('recorder.delete', { recording: '../../data' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('makes room for the next one as the setting says, but for what is pinned', async () => {
    const make = async () => {
      const { recording } = await client.call('recorder.start', { machine, spaces: ['ram'], picture: false })
      await expect.poll(() => framesOf(recording)).toBeGreaterThan(2)
      await client.call('recorder.stop', { recording })
      return recording
    }
    const pinned = await make()
    await client.call('recorder.pin', { recording: pinned, pinned: true })
    await make()
    await client.call('settings.set', { recordings: { maxBytes: 1, maxDays: null } })
    const fresh = await make()
    const { recordings } = await client.call('recorder.list', {})
    expect(recordings.map(({ recording }) => recording).sort()).toEqual([pinned, fresh].sort())
  })

  it('is not begun of a machine that is not connected', async () => {
    await client.call('machine.disconnect', { machine })
    await expect(client.call('recorder.start', { machine, spaces: ['ram'], picture: false })).rejects.toMatchObject({ code: 'LOST' })
    expect((await client.call('recorder.list', {})).recordings).toEqual([])
  })
})

describe('what a recording is exported as', () => {
  it('CSV: each change of each address', async () => {
    const recording = await record(async () => {
      await poke(0xc000, 1)
      await poke(0xc000, 2, 7)
      await poke(0xc000, 0x2a)
    })
    const wish = { format: 'csv', space: 'ram', address: 0xc000, length: 2 } as const
    const [head, ...rows] = (await exported(recording, wish)).toString().trimEnd().split('\n')
    expect(head).toBe('time,milliseconds,frame,space,address,value')
    expect(rows.map((row) => row.split(',').slice(4).join(' ')).slice(-4)).toEqual(['0xC000 0x01', '0xC000 0x02', '0xC001 0x07', '0xC000 0x2A'])
    expect(rows.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+\.\d{3},\d+,ram,0xC000,0x2A$/)
  })

  it('raw: the bytes of a moment, and none that were not recorded', async () => {
    const recording = await record(() => poke(0xc000, 1, 2, 3))
    const { to } = await client.call('recorder.info', { recording })
    const time = to ?? 0
    expect([...(await exported(recording, { format: 'raw', space: 'ram', address: 0xc000, length: 3, time }))]).toEqual([1, 2, 3])
    const path = join(folder, 'none.bin')
    const wish: ExportWish = { format: 'raw', space: 'colorRam', address: 0xd800, length: 10, time }
    await expect(client.call('recorder.exportTo', { recording, path, wish })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Of the 10 bytes from $D800 10 were not recorded.',
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
  })

  it('PNG: the screen of a moment, and a sprite as the registers then say', async () => {
    const recording = await record(async () => {
      await poke(0x0340, ...new Array<number>(63).fill(0xff))
      await poke(0x07f8, 0x0d)
      await poke(0xd027, 7)
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
    const recording = await record(async () => {
      await poke(0x0340, ...new Array<number>(63).fill(0xff))
      await poke(0x07f8, 0x0d)
      await poke(0xd027, 7)
      await poke(0xc000, 1)
      await poke(0xd027, 2)
    })
    const { frames } = await client.call('recorder.info', { recording })
    const { numberOfFrames, frames: pictures } = decodeApng(
      await exported(recording, { format: 'apng', subject: { sprite: 0 }, every: 1, rate: 50 }),
      { checkCrc: true },
    )
    expect(numberOfFrames).toBe(pictures.length)
    expect(pictures.reduce((sum, { delayNumber }) => sum + delayNumber, 0)).toBe(frames)
    expect(pictures.every(({ delayDenominator }) => delayDenominator === 50)).toBe(true)
    expect(pictures.slice(-2).map(({ data, delayNumber }) => [data[100], delayNumber])).toEqual([
      [7, 2],
      [2, 1],
    ])
  })
})
