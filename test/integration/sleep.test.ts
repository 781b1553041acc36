/** This computer sleeps and wakes up, and the machines meanwhile went on, left or changed: over the bridge's own line, and by driver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Frame } from '@shared/contract/frames'
import type { MachineState } from '@shared/contract/machine'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { fromBridgeSchema } from '../../src-main/bridge/messages'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'
import type { Machine } from '../../src-main/machine/machine'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { createViceMachine } from '../../src-main/machine/vice/driver'
import { startStubPeer } from '../peers/stubProcess'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import { startUltimate } from '../peers/ultimateProcess'
import { startViceMonitorPeer } from '../peers/viceMonitorProcess'
import { eventually } from '../vice/eventually'
import { collectSamples, memoryNotes, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A bridge with an Ultimate that is connected, and what it tells of it. */
async function bridgeWithUltimate() {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-sleep-'))
  const peer = await startUltimate()
  const name = `ultimate:127.0.0.1:${peer.ports.rest}`
  const bridge: Bridge = createBridge({
    dataFolder: folder,
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    log: () => undefined,
    environment: { C64BRIDGE_CONFIG: join(folder, 'none.json') },
  })
  const { control, bridge: side } = memoryTransport('supervisor')
  const client = new BridgeClient(control)
  const states: MachineState[] = []
  control.onMessage((raw) => {
    const message = fromBridgeSchema.parse(raw)
    if (message.kind !== 'event' || message.event !== 'machine.states') return
    const { machines } = message.payload as { machines: MachineState[] }
    states.push(...machines.filter(({ machine }) => machine === name))
  })
  serve(bridge, side, () => undefined)
  const frames: Frame[] = []
  bridge.frames.subscribe(name, { spaces: ['cpu'], picture: false }, (frame) => frames.push(frame))
  cleanUps.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => peer.stop(),
    () => bridge.close(),
    () => client.close(),
  )
  await client.call('machine.connect', { machine: name })
  return { peer, name, client, control, states, frames, latest: () => states.at(-1) }
}

const byteIn = (sample: Pick<Frame, 'segments'> | undefined, address: number): number | undefined =>
  sample?.segments.flatMap(({ address: start, bytes }) =>
    address >= start && address < start + bytes.length ? [bytes[address - start]] : [],
  )[0]

describe('an Ultimate, over the bridge', () => {
  it('is stale while the computer sleeps, and live again with what it holds now', async () => {
    const { peer, control, states, frames, latest } = await bridgeWithUltimate()
    await peer.poke(0x0400, Uint8Array.of(0x11))
    await eventually(() => byteIn(frames.at(-1), 0x0400)).toBe(0x11)
    control.post({ kind: 'suspend' })
    await eventually(() => latest()?.connection).toBe('stale')
    expect(latest()?.reason).toContain('sleep')
    await peer.poke(0x0400, Uint8Array.of(0x22))
    const { epoch = 0 } = frames.at(-1) ?? {}
    control.post({ kind: 'resume' })
    await eventually(() => latest()?.connection).toBe('live')
    await eventually(() => byteIn(frames.at(-1), 0x0400)).toBe(0x22)
    // What came before is of another epoch, which the page forgets.
    const since = frames.filter((frame) => frame.epoch > epoch)
    expect(since.length).toBeGreaterThan(0)
    expect(since.filter((frame) => byteIn(frame, 0x0400) === 0x11)).toEqual([])
    expect(states.some(({ connection }) => connection === 'lost')).toBe(false)
  })

  it('sends its streams anew', async () => {
    const { peer, name, client, control, latest } = await bridgeWithUltimate()
    await client.call('machine.setStream', { machine: name, stream: 'audio', on: true })
    const starts = () =>
      peer.logOf('stream').filter(({ event, stream }) => event === 'start' && stream === 'audio').length
    expect(starts()).toBe(1)
    control.post({ kind: 'suspend' })
    control.post({ kind: 'resume' })
    await eventually(starts).toBe(2)
    await eventually(() => latest()?.connection === 'live' && latest()?.streams[0]?.packets).toBeGreaterThan(100)
  })

  it('that left meanwhile is lost with the reason, and live when it is back', async () => {
    const { peer, control, latest } = await bridgeWithUltimate()
    control.post({ kind: 'suspend' })
    await peer.away(1.5)
    control.post({ kind: 'resume' })
    await eventually(() => latest()?.connection).toBe('lost')
    expect(latest()?.reason).toContain('reached')
    await eventually(() => latest()?.connection).toBe('live')
  })
})

const allowed = () => ({ budget: 0.5, sideEffects: false })

/** By kind: a machine, how its device is made to leave the line without a word, and where its memory is changed. */
const kinds = [
  [
    'TeensyROM',
    async () => {
      const peer = await startTeensyRomPeer()
      const machine = createTeensyRomMachine({
        name: 'teensyrom:test',
        link: { kind: 'tcp', host: '127.0.0.1', port: peer.port },
        allowed,
      })
      return {
        machine,
        stop: () => peer.stop(),
        setSilent: (silent: boolean) => peer.change({ silent }),
        poke: (byte: number) => peer.poke(0x0400, Uint8Array.of(byte)),
      }
    },
  ],
  [
    'stub',
    async () => {
      const peer = await startStubPeer()
      const machine = createStubMachine({
        name: 'stub:test',
        link: { kind: 'tcp', host: '127.0.0.1', port: peer.port },
        allowed,
      })
      return {
        machine,
        stop: () => peer.stop(),
        setSilent: (silent: boolean) => peer.change({ silent }),
        poke: (byte: number) => peer.poke(0x0400, byte),
      }
    },
  ],
] as const

describe.each(kinds)('a %s', (_kind, start) => {
  it('that answers is live, and is read anew', async () => {
    const { machine, stop, poke } = await start()
    cleanUps.push(stop, () => machine.disconnect())
    await machine.connect(soon())
    await poke(0x11)
    const samples = collectSamples(machine)
    await machine.setSampling({ mode: 'free', rate: 20, spaces: ['cpu'], picture: false })
    await eventually(() => samples.length).toBeGreaterThan(2)
    await poke(0x22)
    await machine.wake?.(soon())
    samples.length = 0
    // Where it is not read yet it is not known.
    await eventually(() => byteIn(samples.at(-1), 0x0400)).toBe(0x22)
    expect(samples.filter((sample) => byteIn(sample, 0x0400) === 0x11)).toEqual([])
    expect(machine.status.connection).toBe('live')
  })

  it('that does not answer is lost, and can be connected again', async () => {
    const { machine, stop, setSilent } = await start()
    cleanUps.push(stop, () => machine.disconnect())
    await machine.connect(soon())
    await setSilent(true)
    await expect(machine.wake?.(AbortSignal.timeout(2_000))).rejects.toThrow()
    expect(machine.status).toMatchObject({ connection: 'lost', reason: expect.stringContaining('slept') as string })
    await setSilent(false)
    await machine.connect(soon())
    expect(machine.status.connection).toBe('live')
  })
})

describe('a VICE', () => {
  const attached = (host: string, port: number): Machine =>
    createViceMachine({
      name: 'vice:test',
      attach: { host, port },
      process: () => expect.fail('It attaches.'),
      adopt: null,
      notes: memoryNotes(),
    })

  it('on another computer that does not answer is lost', async () => {
    const peer = await startViceMonitorPeer()
    const machine = attached('::ffff:127.0.0.1', peer.port)
    cleanUps.push(
      () => peer.stop(),
      () => machine.disconnect(),
    )
    await machine.connect(soon())
    await machine.wake?.(soon())
    expect(machine.status.connection).toBe('live')
    await peer.change({ silentAfter: 0 })
    await expect(machine.wake?.(AbortSignal.timeout(2_000))).rejects.toThrow()
    expect(machine.status.connection).toBe('lost')
  })

  it('on this computer slept with it, and is not asked', async () => {
    const peer = await startViceMonitorPeer()
    const machine = attached('127.0.0.1', peer.port)
    cleanUps.push(
      () => peer.stop(),
      () => machine.disconnect(),
    )
    await machine.connect(soon())
    await peer.change({ silentAfter: 0 })
    await machine.wake?.(soon())
    expect(machine.status.connection).toBe('live')
  })
})
