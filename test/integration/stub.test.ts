/** The driver for the serial stub against a stand-in for it: over TCP, and over a pair of serial ports. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LinkAddress } from '@shared/contract/machineName'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { startStubPeer, type StubPeer } from '../peers/stubProcess'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'

const soon = (): AbortSignal => AbortSignal.timeout(60_000)

let peer: StubPeer
let machine: Machine

const machineAt = (link: LinkAddress): Machine =>
  createStubMachine({ name: 'stub:test', link, allowed: () => ({ budget: 0.5, sideEffects: false }) })

afterEach(async () => {
  await machine.disconnect()
  await peer.stop()
})

const read = async (address: number, length: number): Promise<number[]> => [
  ...(await machine.readMemory({ space: 'ram', address, length }, soon())),
]
const write = (address: number, ...bytes: number[]): Promise<void> =>
  machine.writeMemory('ram', address, Uint8Array.from(bytes), soon())
/** A content that a read of any other place would not give. */
const pattern = (length: number, seed: number): number[] =>
  Array.from({ length }, (_, index) => (index * seed + (index >> 7)) & 0xff)

async function takesNoWrongByte(): Promise<void> {
  for (const seed of [3, 5, 11]) {
    const wanted = pattern(700, seed)
    await write(0x2000, ...wanted)
    expect(await read(0x2000, wanted.length)).toEqual(wanted)
    expect(await peer.peek(0x2000, wanted.length)).toEqual(wanted)
  }
}

describe('a stub by TCP', () => {
  beforeEach(async () => {
    peer = await startStubPeer()
    machine = machineAt({ kind: 'tcp', host: '127.0.0.1', port: peer.port })
    await machine.connect(soon())
  })

  it('says what it is and what it cannot do', () => {
    expect(machine.status).toMatchObject({ connection: 'live', execution: 'running', standard: 'pal' })
    expect(() => requireFacet(machine, 'picture')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }))
    expect(() => requireFacet(machine, 'step')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }))
  })

  it('reads and writes everything that there is, in pieces that the protocol takes', async () => {
    expect(await read(0, 0x1_0000)).toEqual([0x2f, 0x37, ...(await peer.peek(2, 0xfffe))])
    await write(0x2000, ...pattern(1_000, 7))
    expect(await peer.peek(0x2000, 1_000)).toEqual(pattern(1_000, 7))
  })

  it('carries nothing out twice when an answer is lost', async () => {
    const execution = requireFacet(machine, 'pause')
    await peer.change({ loseReplies: 1 })
    await write(0x3000, 1)
    const writes = peer.log().filter(({ type }) => type === 3)
    expect(writes.map(({ repeated }) => repeated)).toEqual([false, true])
    expect(new Set(writes.map(({ sequence }) => sequence)).size).toBe(1)
    await peer.poke(0x3000, 9)
    await write(0x3001, 2)
    expect(await peer.peek(0x3000, 2)).toEqual([9, 2])
    await execution.pause(soon())
    expect(machine.status.execution).toBe('paused')
    await execution.resume(soon())
  })

  it('says in words what the stub refuses', async () => {
    await expect(write(0xc3ff, 0, 0)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('its own memory') as unknown,
    })
    await expect(read(0xffff, 2)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(machine.writeMemory('rom', 0xe000, Uint8Array.of(0), soon())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    })
  })

  it('says so when the C64 does not come back from a reset', async () => {
    await peer.change({ hangs: true })
    await expect(requireFacet(machine, 'reset').reset('soft', soon())).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('BASIC’s prompt') as string,
    })
    await peer.change({ hangs: false })
    await requireFacet(machine, 'reset').reset('soft', soon())
  })

  it('shows silence, and that it is over', async () => {
    await peer.change({ silent: true })
    await expect(read(0x1000, 1)).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(machine.status).toMatchObject({ connection: 'stale', execution: 'unknown' })
    await peer.change({ silent: false })
    await expect.poll(() => machine.status.connection).toBe('live')
    expect(await read(0x1000, 4)).toEqual(await peer.peek(0x1000, 4))
  })

  it('lets a caller give up, and serves the next', async () => {
    await peer.change({ loseReplies: 1_000 })
    const before = peer.log().length
    const giveUp = new AbortController()
    const reading = machine.readMemory({ space: 'ram', address: 0, length: 10 }, giveUp.signal)
    const refused = expect(reading).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => peer.log().length).toBeGreaterThan(before)
    giveUp.abort()
    await refused
    await peer.change({ loseReplies: 0 })
    expect(await read(0x1000, 4)).toEqual(await peer.peek(0x1000, 4))
  })

  it('lets a caller give up whose request waits behind another', async () => {
    await peer.change({ silent: true })
    const ends: string[] = []
    const first = read(0, 10).catch(() => ends.push('the first'))
    const giveUp = new AbortController()
    const second = machine
      .readMemory({ space: 'ram', address: 0, length: 10 }, giveUp.signal)
      .catch(() => ends.push('the second'))
    giveUp.abort()
    await Promise.all([first, second])
    expect(ends).toEqual(['the second', 'the first'])
  })

  it('reads a page again only when its sum changed', async () => {
    const ram = (): Uint8Array[] => samples.at(-1)?.segments.map(({ bytes }) => bytes) ?? []
    const samples: { segments: readonly { bytes: Uint8Array }[] }[] = []
    machine.onSample((sample) => void samples.push(sample))
    await requireFacet(machine, 'pause').pause(soon())
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['ram'], picture: false })
    await expect.poll(() => ram()[0]?.length, { timeout: 60_000 }).toBe(0x1_0000)
    const count = (type: number): number => peer.log().filter((one) => one.type === type).length
    const [reads, sums] = [count(2), count(7)]
    await expect.poll(() => count(7), { timeout: 60_000 }).toBeGreaterThan(sums + 64)
    // What is read without a sum is page 0, in each round.
    expect(count(2) - reads).toBeLessThan((count(7) - sums) / 2)
    await peer.poke(0x8123, 0xa5)
    await expect.poll(() => ram()[0]?.[0x8123], { timeout: 60_000 }).toBe(0xa5)
    await machine.setSampling({ mode: 'off', rate: 50, spaces: [], picture: false })
  })

  it.each(['lost', 'doubled', 'flipped', 'garbage'] as const)(
    'takes no wrong byte for right on a line with bytes %s',
    async (fault) => {
      await peer.change({ faultEvery: 900, fault, seed: 6502 })
      await takesNoWrongByte()
      await peer.change({ faultEvery: 0 })
      expect(await read(0x2000, 16)).toEqual(pattern(16, 11))
    },
  )
})

it('refuses a stub of another version, and says so', async () => {
  peer = await startStubPeer()
  await peer.change({ version: 9 })
  machine = machineAt({ kind: 'tcp', host: '127.0.0.1', port: peer.port })
  await expect(machine.connect(soon())).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  expect(machine.status).toMatchObject({ connection: 'lost', reason: expect.stringContaining('version 9') as unknown })
})

describe.skipIf(lacks('socat'))('a stub on a serial port', () => {
  let line: Awaited<ReturnType<typeof openSerialLine>>

  beforeEach(async () => {
    line = await openSerialLine()
    peer = await startStubPeer(line.there)
    machine = machineAt({ kind: 'serial', device: line.here, baud: 38_400 })
    await machine.connect(soon())
  })
  afterEach(() => line.close())

  it('reads and writes', async () => {
    expect(await read(0x1000, 2_000)).toEqual(await peer.peek(0x1000, 2_000))
    await write(0x2000, ...pattern(500, 7))
    expect(await peer.peek(0x2000, 500)).toEqual(pattern(500, 7))
  })

  it('takes no wrong byte for right on a bad line', async () => {
    await peer.change({ faultEvery: 900, fault: 'garbage', seed: 64 })
    await takesNoWrongByte()
  })

  it('is lost when it is unplugged while it is read, and there again when it is plugged in', async () => {
    const lost = expect(read(0, 0x1_0000)).rejects.toMatchObject({ code: 'LOST' })
    await line.unplug()
    await lost
    expect(machine.status).toMatchObject({
      connection: 'lost',
      reason: expect.stringContaining('unplugged') as unknown,
    })
    await line.plugIn()
    await peer.stop()
    peer = await startStubPeer(line.there)
    await machine.connect(soon())
    expect(machine.status.connection).toBe('live')
    expect(await read(0x1000, 4)).toEqual(await peer.peek(0x1000, 4))
  })
})
