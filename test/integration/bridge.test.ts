import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFrameDelivery, type FrameDelivery } from '@shared/contract/frames'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'

let folder: string
let bridge: Bridge
let client: BridgeClient
let transport: ReturnType<typeof memoryTransport>

function start(): void {
  bridge = createBridge({
    dataFolder: join(folder, 'data'),
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    log: () => undefined,
  })
  transport = memoryTransport()
  client = new BridgeClient(transport.control)
  serve(bridge, transport.bridge, () => undefined)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-bridge-'))
  start()
})
afterEach(async () => {
  client.close()
  await bridge.close()
  rmSync(folder, { recursive: true, force: true })
})

const machine = 'builtin'
const peek = async (address: number): Promise<number> =>
  (await client.call('memory.read', { machine, space: 'ram', address, length: 1 })).bytes[0] ?? -1

/** 10 SYS2061, then: LDA #value, STA $C000, JMP to itself. */
const program = (value: number): Uint8Array =>
  Uint8Array.from([
    0x01,
    0x08,
    0x0b,
    0x08,
    0x0a,
    0x00,
    0x9e,
    0x32,
    0x30,
    0x36,
    0x31,
    0x00,
    0x00,
    0x00,
    0xa9,
    value,
    0x8d,
    0x00,
    0xc0,
    0x4c,
    0x12,
    0x08,
  ])

describe('a bridge with the built-in C64', () => {
  it('delivers complete first frames and then what changed, with the picture', async () => {
    await client.call('machine.connect', { machine })
    const port = transport.openPort('frames')
    const frames: FrameDelivery[] = []
    port.onMessage((message) => {
      if (!isFrameDelivery(message)) throw new Error('no delivery')
      frames.push(message)
      port.post({ kind: 'credit' })
    })
    port.post({ kind: 'subscribe', machine, spaces: ['ram', 'io'], picture: true })
    await expect.poll(() => frames.length).toBeGreaterThan(5)
    const sizes = frames.map(({ frame }) => frame.segments.reduce((sum, { bytes }) => sum + bytes.length, 0))
    expect(sizes[0]).toBe(0x10000 + 0x1000)
    expect(sizes[5]).toBeLessThan(0x8000)
    expect(frames[0]?.frame.picture).toMatchObject({ width: 384, height: 272 })
    expect(frames.every(({ frame }, index) => index === 0 || frame.seq > (frames[index - 1]?.frame.seq ?? -1))).toBe(
      true,
    )
  })

  it('stands still while paused, steps by one instruction, and goes on', async () => {
    await client.call('machine.connect', { machine })
    const pc = async () =>
      (await client.call('memory.registers', { machine })).registers.find(({ name }) => name === 'PC')?.value
    await client.call('machine.pause', { machine })
    const before = await pc()
    expect(await pc()).toBe(before)
    await client.call('machine.step', { machine, count: 1, over: false })
    expect(await pc()).not.toBe(before)
    await client.call('machine.resume', { machine })
    await expect.poll(async () => (await client.call('machine.list', {})).machines[0]?.execution).toBe('running')
  })

  it('runs a program again when it is rebuilt in place or replaced, until the watching stops', async () => {
    await client.call('machine.connect', { machine })
    const path = join(folder, 'game.prg')
    writeFileSync(path, program(1))
    expect(await client.call('machine.runProgram', { machine, path, watch: true })).toEqual({
      name: 'game.prg',
      started: true,
    })
    await expect.poll(() => peek(0xc000)).toBe(1)
    writeFileSync(path, program(2))
    await expect.poll(() => peek(0xc000)).toBe(2)
    writeFileSync(join(folder, 'new.prg'), program(3))
    renameSync(join(folder, 'new.prg'), path)
    await expect.poll(() => peek(0xc000)).toBe(3)
    const { machines } = await client.call('machine.list', {})
    expect(machines[0]?.program).toMatchObject({ name: 'game.prg', watched: true, problem: null })
    expect(machines[0]?.program?.reruns).toBeGreaterThanOrEqual(2)
    await client.call('machine.stopWatching', { machine })
    expect((await client.call('machine.list', {})).machines[0]?.program).toMatchObject({
      name: 'game.prg',
      watched: false,
    })
  })

  it('saves its state to a file and takes it back', async () => {
    await client.call('machine.connect', { machine })
    const path = join(folder, 'saved.state')
    await client.call('machine.pause', { machine })
    await client.call('memory.write', { machine, space: 'ram', address: 0xc100, bytes: Uint8Array.of(42) })
    await client.call('machine.saveState', { past: 0, machine, path })
    await client.call('memory.write', { machine, space: 'ram', address: 0xc100, bytes: Uint8Array.of(7) })
    await client.call('machine.loadState', { machine, path })
    expect(await peek(0xc100)).toBe(42)
    writeFileSync(path, 'no state at all')
    await expect(client.call('machine.loadState', { machine, path })).rejects.toMatchObject({ code: 'INVALID' })
    expect(await peek(0xc100)).toBe(42)
  })

  it('resumes where it was after a restart, and says so', async () => {
    await client.call('machine.connect', { machine })
    await client.call('memory.write', { machine, space: 'ram', address: 0xcfff, bytes: Uint8Array.of(99) })
    client.close()
    await bridge.close()
    start()
    const { notices } = await client.call('machine.connect', { machine })
    expect(notices.join(' ')).toMatch(/resumed/i)
    expect(await peek(0xcfff)).toBe(99)
  })

  it('refuses what needs a connection, naming the machine', async () => {
    await expect(client.call('memory.read', { machine, space: 'ram', address: 0, length: 1 })).rejects.toMatchObject({
      code: 'LOST',
      message: 'Built-in C64 is not connected.',
    })
  })

  it('says why something is not on this machine', async () => {
    await client.call('machine.connect', { machine })
    const { capabilities } = (await client.call('machine.list', {})).machines[0] ?? { capabilities: undefined }
    await expect(client.call('machine.getResource', { machine, name: 'Speed' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: capabilities?.resources,
    })
  })

  it('uses changed settings at the next connection', async () => {
    await client.call('settings.set', { standard: 'ntsc' })
    const { standard } = await client.call('machine.connect', { machine })
    expect(standard).toBe('ntsc')
    expect((await client.call('memory.picture', { machine })).height).toBe(247)
  })
})
