/** The VICE driver against a monitor with other versions' ways and with faults that a real VICE cannot be asked to have. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { unpackPixels } from '@shared/c64/picture'
import { requireFacet, type Machine, type Sample } from '../../src-main/machine/machine'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { exit, ping } from '../../src-main/machine/vice/commands'
import type { ViceMonitorOptions } from '../peers/viceMonitor'
import { startViceMonitorPeer, type ViceMonitorPeer } from '../peers/viceMonitorProcess'
import { eventually } from '../vice/eventually'
import { attachedMachine, collectSamples, everything, read, soon, write } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** This thread does nothing for so long, as on a computer that has no time for it. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

interface Setting {
  readonly peer: ViceMonitorPeer
  readonly machine: Machine
  readonly samples: Sample[]
}

async function setUp(options: Partial<ViceMonitorOptions> = {}): Promise<Setting> {
  const peer = await startViceMonitorPeer(options)
  const machine = attachedMachine(peer.port)
  cleanUps.push(
    () => peer.stop(),
    () => machine.disconnect(),
  )
  return { peer, machine, samples: collectSamples(machine) }
}

/** A client without a machine around it, and what it said of VICE's silence. */
async function watchedClient(options: Partial<ViceMonitorOptions> = {}) {
  const peer = await startViceMonitorPeer(options)
  cleanUps.push(() => peer.stop())
  const client = await MonitorClient.connect({ host: '127.0.0.1', port: peer.port }, soon())
  cleanUps.push(() => client.close())
  const silences: boolean[] = []
  client.onSilence((silent) => silences.push(silent))
  return { peer, client, silences }
}

async function connected(options: Partial<ViceMonitorOptions> = {}): Promise<Setting> {
  const setting = await setUp(options)
  await setting.machine.connect(soon())
  return setting
}

describe('versions of VICE', () => {
  it('3.5 is spoken to in protocol 1, and what it lacks is told', async () => {
    const { peer, machine } = await connected({ version: '3.5' })
    expect(machine.status).toMatchObject({ version: 'VICE 3.5', connection: 'live' })
    expect(machine.samplesOnRequestOnly).toBe(true)
    expect(() => requireFacet(machine, 'joystick')).toThrow('VICE 3.6 or later')
    expect(await requireFacet(machine, 'picture').palette?.(soon())).toBeNull()
    expect(peer.requests().every(({ api }) => api === 1)).toBe(true)
  })

  it('3.5 is never asked for 64 KiB at once, which it cannot count', async () => {
    const { peer, machine } = await connected({ version: '3.5' })
    await write(machine, 0x7fff, 0x11, 0x22)
    const ram = await machine.readMemory({ space: 'ram', address: 0, length: 0x10000 }, soon())
    expect(ram.length).toBe(0x10000)
    expect([...ram.subarray(0x7fff, 0x8001)]).toEqual([0x11, 0x22])
    const reads = peer.requests().filter(({ command, body }) => command === 0x01 && body.startsWith('000000ff7f'))
    expect(reads).toHaveLength(1)
  })

  it.each(['3.5', '3.7', '3.10'] as const)('%s sends a picture that is cropped to what is visible', async (version) => {
    const { machine } = await connected({ version })
    await machine.writeMemory('io', 0xd020, Uint8Array.of(13, 7), soon())
    const { width, height, pixels } = await requireFacet(machine, 'picture').read(soon())
    expect([width, height]).toEqual([384, 272])
    const colours = unpackPixels(pixels)
    expect([colours[0], colours[31 + 100 * 384], colours[200 * 384 + 352]]).toEqual([13, 13, 13])
    expect(colours.filter((colour) => colour !== 13).length).toBeLessThanOrEqual(320 * 200)
  })

  it('3.10 may be sampled without asking', async () => {
    const { machine } = await connected({ version: '3.10' })
    expect(machine.status.version).toBe('VICE 3.10')
    expect(machine.samplesOnRequestOnly).toBe(false)
    expect(machine.status.notices).toEqual([])
  })
})

describe('one tick of sampling', () => {
  it('is one trap: all reads and then the command to go on, nothing between', async () => {
    const { peer, machine, samples } = await connected()
    const before = peer.requests().length
    await machine.setSampling({ ...everything, mode: 'free', rate: 5 })
    await eventually(() => samples.length).toBeGreaterThan(1)
    await machine.setSampling({ mode: 'off', rate: 5, spaces: [], picture: false })
    const commands = peer
      .requests()
      .slice(before)
      .map(({ command }) => command)
    const first = commands.slice(0, commands.indexOf(0xaa) + 1)
    expect(first.filter((command) => command === 0x01).length).toBe(8) // cpu, ram, io, colour RAM, three ROMs, the clock
    expect(first).toContain(0x31)
    expect(first).toContain(0x84)
    const second = commands.slice(first.length, commands.indexOf(0xaa, first.length) + 1)
    expect(second.filter((command) => command === 0x01).length).toBe(5) // ROM is read once
  })

  it('in lock-step goes on first and reads at the end of that frame', async () => {
    const { peer, machine, samples } = await connected()
    await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram'], picture: false })
    await eventually(() => samples.length).toBeGreaterThan(10)
    const clock = samples.slice(-8).map(({ segments }) => segments[0]?.bytes[0xa2] ?? 0)
    expect(clock.slice(1).map((count, index) => (count - (clock[index] ?? 0)) & 0xff)).toEqual(new Array(7).fill(1))
    const commands = peer.requests().map(({ command }) => command)
    const tick = commands.lastIndexOf(0xaa, -12)
    expect(commands.slice(tick, tick + 4)).toEqual([0xaa, 0x01, 0x01, 0x31])
  })
})

describe('a disk image', () => {
  it('is started by its path on VICE’s computer, from its first file', async () => {
    const { peer, machine } = await connected()
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-disk-'))
    cleanUps.push(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'game.d64')
    const bytes = new Uint8Array(174_848)
    writeFileSync(path, bytes)
    await requireFacet(machine, 'runProgram').run({ name: 'game.d64', path, bytes }, soon())
    const body = Buffer.concat([Buffer.from([1, 0, 0, path.length]), Buffer.from(path)]).toString('hex')
    await eventually(() => peer.requests().filter(({ command }) => command === 0xdd)).toMatchObject([{ body }])
    expect(machine.status.execution).toBe('running')
  })
})

describe('bytes that arrive oddly', () => {
  it.each<[string, Partial<ViceMonitorOptions>]>([
    ['in small pieces', { split: true }],
    ['all at once', { coalesce: true }],
    ['late', { delay: 20 }],
    ['with garbage between the messages', { garbageBefore: true }],
    ['in small pieces with garbage between', { split: true, garbageBefore: true }],
  ])('%s make no difference', async (_how, options) => {
    const { machine, samples } = await connected(options)
    await write(machine, 0x2000, 1, 2, 3)
    expect(await read(machine, 0x2000, 3)).toEqual([1, 2, 3])
    await machine.setSampling(everything)
    expect(samples[0]?.picture?.height).toBe(272)
    const checkpoints = requireFacet(machine, 'checkpoints')
    const at = {
      start: 0x3000,
      end: 0x3000,
      operations: ['exec' as const],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
    }
    await checkpoints.set(at, soon())
    expect(await checkpoints.list(soon())).toHaveLength(1)
  })
})

describe('faults', () => {
  it('an answer that breaks off is a lost connection', async () => {
    const { peer, machine } = await connected()
    await peer.change({ closeMidReply: 1 })
    await expect(read(machine, 0x0400, 100)).rejects.toMatchObject({ code: 'LOST' })
    expect(machine.status.connection).toBe('lost')
    await peer.change({ closeMidReply: null })
    await machine.connect(soon())
    expect(await read(machine, 0x0400)).toHaveLength(1)
  })

  it('silence is told with its likely causes, and ends by itself', async () => {
    const { peer, machine } = await connected()
    await peer.change({ silentAfter: 0 })
    const error: unknown = await read(machine, 0x0400).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      hint: expect.stringContaining('paused') as string,
    })
    expect(machine.status).toMatchObject({ connection: 'stale', execution: 'unknown' })
    await peer.change({ silentAfter: null })
    await eventually(() => machine.status.connection).toBe('live')
    expect(await read(machine, 0x0400)).toHaveLength(1)
  })

  it('silence is noticed, too, when only the answer that nobody waits for is missing', async () => {
    const { client, peer } = await watchedClient()
    await peer.change({ silentAfter: 1 })
    const pinged = client.trap((send) => {
      const answer = send(ping())
      void send(exit())
      return answer
    }, soon())
    await expect(pinged).resolves.toBeUndefined()
    await eventually(() => client.silent).toBe(true)
    await peer.change({ silentAfter: null })
    await eventually(() => client.silent).toBe(false)
  })

  it('many questions at once are all answered, however long they take together', async () => {
    const { peer, machine } = await connected()
    await peer.change({ delay: 150 })
    const addresses = Array.from({ length: 8 }, (_, index) => 0x0400 + index)
    const answers = await Promise.all(addresses.map((address) => read(machine, address)))
    expect(answers.map(({ length }) => length)).toEqual(addresses.map(() => 1))
  })

  it('an answer that takes long to come is no silence while its bytes come', async () => {
    const { client, silences } = await watchedClient({ delay: 100 })
    const deadline = 1_500
    const answers = await client.trap(
      (send) => Promise.all([...Array.from({ length: 20 }, () => send(ping())), send(exit())]),
      soon(),
      deadline,
    )
    expect(answers).toHaveLength(21)
    expect(silences).toEqual([])
  })

  it('an answer that comes while this process stands still is not taken for silence', async () => {
    const { client, silences } = await watchedClient()
    const answers = client.trap((send) => Promise.all([send(ping()), send(exit())]), soon(), 200)
    await new Promise(setImmediate)
    standStill(1_000)
    expect(await answers).toHaveLength(2)
    expect(silences).toEqual([])
  })

  it('the end of the connection while this process stands still is not taken for silence', async () => {
    const { client, peer, silences } = await watchedClient()
    await peer.change({ silentAfter: 0 })
    const answers = client.trap((send) => Promise.all([send(ping()), send(exit())]), soon(), 200)
    await new Promise(setImmediate)
    peer.kill('SIGKILL')
    standStill(1_000)
    await expect(answers).rejects.toMatchObject({ code: 'LOST' })
    expect(silences).toEqual([])
  })

  it('silence from the start names the other causes', async () => {
    const { machine } = await setUp({ silentAfter: 0 })
    const error: unknown = await machine.connect(soon()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'TIMEOUT' })
    expect(machine.status.hint).toContain('its only monitor connection')
  })

  it('a pause that comes out late pauses nobody who gave it up', async () => {
    const { peer, machine } = await connected()
    await peer.change({ silentAfter: 0 })
    await expect(requireFacet(machine, 'pause').pause(soon())).rejects.toMatchObject({ code: 'TIMEOUT' })
    await peer.change({ silentAfter: null })
    await eventually(() => machine.status.execution).toBe('running')
    const clock = async () => (await read(machine, 0xa1, 2)).join()
    const before = await clock()
    await eventually(clock).not.toBe(before)
  })

  it.each<[string, Partial<ViceMonitorOptions>]>([
    ['answers to nobody’s question', { wrongIds: true }],
    ['answers that announce gigabytes', { hugeLength: 0x7fff_ffff }],
  ])('%s are passed over', async (_what, options) => {
    const { peer, machine } = await connected()
    await peer.change(options)
    await expect(read(machine, 0x0400)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it.each<[string, Partial<ViceMonitorOptions>]>([
    ['a web server', { httpServer: true }],
    ['VICE’s text monitor', { textMonitor: true }],
  ])('%s is no binary monitor', async (_what, options) => {
    const { peer, machine } = await setUp(options)
    await expect(machine.connect(soon())).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: `127.0.0.1:${peer.port} is not a VICE binary monitor.`,
    })
  })

  it('a jam is told where it is', async () => {
    const { peer, machine, samples } = await connected()
    await machine.setSampling({ ...everything, mode: 'free', rate: 20 })
    await peer.change({ jamAfter: 0 })
    await eventually(() => machine.status.execution).toBe('jammed')
    const before = samples.length
    await requireFacet(machine, 'reset').reset('soft', soon())
    expect(machine.status.execution).toBe('running')
    await eventually(() => samples.length).toBeGreaterThan(before + 2)
  })

  it('a command that VICE refuses again and again ends sampling with the reason, not the connection', async () => {
    const { peer, machine } = await connected()
    await peer.change({ errorFor: { '84': 0x8f } })
    await machine.setSampling({ ...everything, mode: 'free', rate: 20 })
    await eventually(() => machine.status.reason).toMatch(/Sampling stopped.*picture.*failed/)
    expect(machine.status.connection).toBe('live')
    expect(await read(machine, 0x0400)).toHaveLength(1)
    await peer.change({ errorFor: {} })
    await machine.setSampling({ ...everything, mode: 'free', rate: 20 })
    expect(machine.status.reason).toBeNull()
  })

  it('an unwritten command that is cancelled is never sent', async () => {
    const { peer, machine } = await connected({ delay: 100 })
    const cancel = new AbortController()
    const first = read(machine, 0x0400)
    const second = machine.writeMemory('ram', 0x2000, Uint8Array.of(9), cancel.signal)
    cancel.abort()
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' })
    await first
    await read(machine, 0x0400)
    expect(peer.requests().some(({ command }) => command === 0x02)).toBe(false)
  })
})
