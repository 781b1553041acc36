import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LinkAddress } from '@shared/contract/machineName'
import { createServer, type AddressInfo } from 'node:net'
import type { Machine, Sample } from '../../src-main/machine/machine'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import type { TeensyRomOptions } from '../peers/teensyrom'
import { startTeensyRomPeer, type TeensyRomPeer } from '../peers/teensyromProcess'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'

const never = new AbortController().signal
const cpu = (address: number, length: number) => ({ space: 'cpu', address, length }) as const

let peer: TeensyRomPeer
let machine: Machine
let link: LinkAddress

async function start(options: Partial<TeensyRomOptions> = {}): Promise<void> {
  peer = await startTeensyRomPeer(options)
  link = { kind: 'tcp', host: '127.0.0.1', port: peer.port }
  create()
}

function create(sideEffects = false): void {
  machine = createTeensyRomMachine({ name: 'teensyrom:test', link, allowed: () => ({ budget: 0.05, sideEffects }) })
}

afterEach(async () => {
  await machine.disconnect()
  await peer.stop()
  // Whatever was tried, nothing of it may have reached the device as a command that was not meant.
  expect(
    peer
      .log()
      .filter(
        ({ stray, unknown, erased }) =>
          stray !== undefined || erased === true || (unknown !== undefined && unknown !== 0xfd),
      ),
  ).toEqual([])
})

const lines = [
  ['TCP', async () => start(), async () => undefined],
  ...(lacks('socat') ? [] : [['a serial port', startOnSerial, closeSerial] as const]),
] as const

let serial: Awaited<ReturnType<typeof openSerialLine>> | undefined

async function startOnSerial(): Promise<void> {
  serial = await openSerialLine()
  peer = await startTeensyRomPeer({}, serial.there)
  link = { kind: 'serial', device: serial.here, baud: 2_000_000 }
  create()
}

async function closeSerial(): Promise<void> {
  await serial?.close()
  serial = undefined
}

describe.each(lines)('a TeensyROM+ over %s', (_name, begin, end) => {
  beforeEach(async () => {
    await begin()
    await machine.connect(never)
  })
  afterEach(end)

  it('says what it is and what it can', () => {
    expect(machine.status).toMatchObject({
      connection: 'live',
      version: 'TeensyROM+ v0.8.0.13',
      standard: 'pal',
      execution: 'unknown',
      notices: [],
    })
    expect(machine.unsupported.readMemory).toBeUndefined()
    expect(machine.unsupported.step).toMatch(/single instructions/)
  })

  it('reads all memory that has no side effects, in segments that the device takes', async () => {
    expect(await machine.readMemory(cpu(0x0000, 0xd000), never)).toEqual(await peer.peek(0x0000, 0xd000))
    expect(await machine.readMemory(cpu(0xe000, 0x2000), never)).toEqual(await peer.peek(0xe000, 0x2000))
    expect(Math.max(...peer.log().map(({ length = 0 }) => length))).toBe(4096)
  })

  it('writes what it is told to, also over a segment’s end', async () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, n) => (n * 3) & 0xff)
    await machine.writeMemory('cpu', 0x2ff0, bytes, never)
    expect(await peer.peek(0x2ff0, 5_000)).toEqual(bytes)
  })

  it('pauses, goes on and is reset', async () => {
    await machine.execution?.pause(never)
    expect(machine.status.execution).toBe('paused')
    await machine.execution?.resume(never)
    expect(machine.status.execution).toBe('running')
    await machine.execution?.reset('soft', never)
    expect(peer.log().map(({ command }) => command)).toEqual(expect.arrayContaining(['pause', 'resume', 'reset']))
  })

  it('stores a program as a file and starts it, each time anew', async () => {
    // Nothing tells when the device has started it: the line is quiet, which it is too on a busy computer.
    const prg = Uint8Array.of(0x00, 0xc0, 0xa9, 0x07, 0x60)
    await machine.programs?.run({ name: 'Test.PRG', path: '/x/Test.PRG', bytes: prg }, never)
    await expect.poll(() => peer.peek(0xc000, 3)).toEqual(prg.subarray(2))
    // A program runs now: the device takes no files until it is reset.
    prg[3] = 0x08
    await machine.programs?.run({ name: 'Test.PRG', path: '/x/Test.PRG', bytes: prg }, never)
    await expect.poll(() => peer.peek(0xc000, 3)).toEqual(prg.subarray(2))
    expect(peer.log().some(({ command }) => command === 'reset')).toBe(true)
    expect(await peer.files()).toEqual(['sd:/bridgedeck/program.prg'])
  })

  it('is sampled without its registers being disturbed', async () => {
    const samples: Sample[] = []
    machine.onSample((sample) => samples.push(sample))
    await machine.setSampling({ mode: 'free', rate: 20, spaces: ['cpu', 'io'], picture: false })
    await expect.poll(() => samples.length).toBeGreaterThan(5)
    await machine.setSampling({ mode: 'off', rate: 20, spaces: [], picture: false })
    const zeroPage = samples.at(-1)?.segments.find(({ space, address }) => space === 'cpu' && address === 0)?.bytes
    expect(zeroPage?.slice(0, 0x100)).toEqual(await peer.peek(0, 0x100))
    const sideEffect = peer
      .log()
      .find(
        ({ command, address = 0, length = 0 }) =>
          command === 'readMemory' && address <= 0xd01e && address + length > 0xd01e,
      )
    expect(sideEffect).toBeUndefined()
    // How much it may be is tested with a clock of its own: here two samples may come at any distance.
    expect(samples.at(-1)?.cost).toBeGreaterThan(0)
  })
})

describe('a TeensyROM', () => {
  it('without memory access is told from one that has it by the token alone', async () => {
    await start({ memory: false, version: 'TeensyROM v0.7.2' })
    await machine.connect(never)
    expect(machine.status.connection).toBe('live')
    expect(machine.unsupported.readMemory).toMatch(/v0\.7\.2.*TeensyROM\+/)
    await expect(machine.readMemory(cpu(0x400, 1), never)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    const bytes = Uint8Array.of(0x00, 0xc0, 0x60)
    await machine.programs?.run({ name: 'a.prg', path: '/a.prg', bytes }, never)
    expect(await peer.peek(0xc000, 1)).toEqual(Uint8Array.of(0x60))
  })

  it('with minimal firmware says that a large cartridge runs, and starts programs all the same', async () => {
    await start({ firmware: 'minimal' })
    await machine.connect(never)
    expect(machine.unsupported.readMemory).toMatch(/large cartridge/)
    expect(machine.unsupported.files).toMatch(/large cartridge/)
    await machine.programs?.run({ name: 'a.prg', path: '/a.prg', bytes: Uint8Array.of(0x00, 0xc0, 0x60) }, never)
    expect(await peer.peek(0xc000, 1)).toEqual(Uint8Array.of(0x60))
  })

  it('that is busy says so as its own kind of error', async () => {
    await start({ busy: true })
    await machine.connect(never)
    await expect(machine.files?.list('/sd', never)).rejects.toMatchObject({
      code: 'BUSY',
      hint: expect.stringContaining('Reset') as unknown,
    })
    expect(await machine.readMemory(cpu(0x400, 16), never)).toEqual(await peer.peek(0x400, 16))
  })

  it('lists its storage', async () => {
    await start()
    await peer.putFile('sd:/games/a "b".prg', Uint8Array.of(1, 2, 3))
    await peer.putFile('sd:/x.crt', Uint8Array.of(1))
    await machine.connect(never)
    expect(await machine.files?.list('/', never)).toEqual([
      { name: 'sd', size: null, folder: true },
      { name: 'usb', size: null, folder: true },
    ])
    expect(await machine.files?.list('/sd', never)).toEqual([
      { name: 'games', size: null, folder: true },
      { name: 'x.crt', size: 1, folder: false },
    ])
    expect(await machine.files?.list('/sd/games', never)).toEqual([{ name: 'a "b".prg', size: 3, folder: false }])
    expect(await machine.files?.list('/usb', never)).toEqual([])
    await expect(machine.files?.list('/sd/none', never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(machine.files?.list('/floppy', never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(machine.files?.run('/floppy/a.prg', never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await machine.files?.run('/sd/games/a "b".prg', never)
    await expect
      .poll(() => peer.log().find(({ command }) => command === 'launch'))
      .toMatchObject({ path: '/games/a "b".prg' })
  })

  it('without an SD card starts programs from its USB drive, and without both says why not', async () => {
    await start({ drives: ['usb'] })
    await machine.connect(never)
    const program = { name: 'a.prg', path: '/a.prg', bytes: Uint8Array.of(0x00, 0xc0, 0x60) }
    await machine.programs?.run(program, never)
    expect(await peer.files()).toEqual(['usb:/bridgedeck/program.prg'])
    await peer.change({ drives: [], busy: false })
    await expect(machine.programs?.run(program, never)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('USB init fail') as unknown,
    })
  })

  it('types through the keyboard buffer, and says when nothing takes it', async () => {
    await start()
    await machine.connect(never)
    const typing = machine.typing?.typeText('load"*",8,1\n', never)
    await expect.poll(() => peer.peek(0xc6, 1)).toEqual(Uint8Array.of(10))
    expect(Buffer.from(await peer.peek(0x277, 10)).toString('latin1')).toBe('LOAD"*",8,')
    await peer.poke(0xc6, Uint8Array.of(0))
    await typing
    expect(await peer.peek(0x277, 2)).toEqual(Uint8Array.of(0x31, 0x0d))
    await expect(machine.typing?.typeText('x', never)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('refuses what cannot be reached for certain, and registers whose read would disturb', async () => {
    await start()
    await machine.connect(never)
    const read = (space: 'ram' | 'rom' | 'io' | 'cpu' | 'colorRam', address: number, length: number) =>
      machine.readMemory({ space, address, length }, never)
    await expect(read('ram', 0xa000, 1)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(read('rom', 0xe000, 1)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(read('cpu', 0xd000, 0x100)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('$D01E') as unknown,
    })
    await expect(read('cpu', 0xfff0, 0x20)).rejects.toMatchObject({ code: 'INVALID' })
    expect(await read('ram', 0x0400, 4)).toEqual(await peer.peek(0x0400, 4))
    expect(await read('colorRam', 0xd800, 2)).toEqual(Uint8Array.of(0x0f, 0x0f))
    await machine.writeMemory('ram', 0xe000, Uint8Array.of(9), never)
    expect(await peer.peek(0xe000, 1)).toEqual(Uint8Array.of(9))
    create(true)
    await machine.connect(never)
    expect(await read('cpu', 0xd01e, 2)).toEqual(Uint8Array.of(0xff, 0xff))
  })

  it('passes over tokens that come unasked', async () => {
    await start({ sidTokens: true })
    await machine.connect(never)
    expect(await machine.readMemory(cpu(0x1000, 300), never)).toEqual(await peer.peek(0x1000, 300))
  })

  it('is recognised while it still chatters at its start', async () => {
    await start({ chatter: 1_000 })
    await machine.connect(never)
    expect(machine.status.connection).toBe('live')
    expect(await machine.readMemory(cpu(0x1000, 300), never)).toEqual(await peer.peek(0x1000, 300))
  })

  it('says why it read nothing where its own memory is used up, and goes on afterwards', async () => {
    await start()
    await machine.connect(never)
    await peer.change({ staging: 100 })
    await expect(machine.readMemory(cpu(0x1000, 300), never)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('No memory to stage 300 bytes') as string,
    })
    expect(await machine.readMemory(cpu(0x1000, 99), never)).toEqual(await peer.peek(0x1000, 99))
  })

  it('that takes a while to confirm a reset is reset all the same', async () => {
    await start({ confirmAfter: 500 })
    await machine.connect(never)
    await machine.execution?.reset('soft', never)
    expect(machine.status.connection).toBe('live')
  })

  it('that goes silent is stale, and live again by itself', async () => {
    await start()
    await machine.connect(never)
    await peer.change({ silent: true })
    await expect(machine.readMemory(cpu(0x400, 1), never)).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(machine.status).toMatchObject({
      connection: 'stale',
      execution: 'unknown',
      reason: expect.stringContaining('does not answer') as unknown,
    })
    await peer.change({ silent: false })
    await expect.poll(() => machine.status.connection).toBe('live')
    expect(await machine.readMemory(cpu(0x400, 40), never)).toEqual(await peer.peek(0x400, 40))
  })

  it('that breaks off in an answer is lost, and gives no wrong byte', async () => {
    await start()
    await machine.connect(never)
    await peer.change({ dropAfter: 1_000 })
    await expect(machine.readMemory(cpu(0x400, 4_000), never)).rejects.toMatchObject({ code: 'LOST' })
    expect(machine.status.connection).toBe('lost')
    await peer.change({ dropAfter: -1 })
    await machine.connect(never)
    expect(await machine.readMemory(cpu(0x400, 4_000), never)).toEqual(await peer.peek(0x400, 4_000))
  })

  it('that talks nonsense gives no wrong byte, and is right again afterwards', async () => {
    await start()
    await machine.connect(never)
    await peer.change({ garbage: true })
    await expect(machine.readMemory(cpu(0x400, 40), never)).rejects.toMatchObject({
      code: expect.stringMatching(/CONFLICT|TIMEOUT/) as unknown,
    })
    await peer.change({ garbage: false })
    expect(await machine.readMemory(cpu(0x400, 40), never)).toEqual(await peer.peek(0x400, 40))
  })

  it('takes an order that was given up for no other’s answer', async () => {
    await start()
    await machine.connect(never)
    for (let times = 0; times < 3; times++) {
      const abort = new AbortController()
      const given = machine.readMemory(cpu(0x1000, 0x8000), abort.signal)
      // Each time at another moment of the order.
      await new Promise((later) => setTimeout(later, times * 3))
      abort.abort()
      await given.catch(() => undefined)
      expect(await machine.readMemory(cpu(0x0400, 64), never)).toEqual(await peer.peek(0x0400, 64))
    }
  })

  it('is not taken for one where something else listens, or nothing', async () => {
    await start({ garbage: true })
    await expect(machine.connect(never)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('does not speak TeensyROM') as unknown,
    })
    await peer.change({ garbage: false, silent: true })
    await expect(machine.connect(never)).rejects.toMatchObject({ code: 'TIMEOUT' })
    await peer.setConnected(false)
    await expect(machine.connect(never)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(machine.status.connection).toBe('lost')
    await peer.setConnected(true)
    await peer.change({ silent: false })
    await machine.connect(never)
    expect(machine.status.connection).toBe('live')
  })

  it('survives being left at any moment', async () => {
    await start()
    for (let times = 0; times < 20; times++) {
      const connecting = machine.connect(never).catch(() => undefined)
      // Each time at another moment of connecting.
      await new Promise((later) => setTimeout(later, times * 20))
      await peer.setConnected(false)
      await connecting
      await peer.setConnected(true)
    }
    await expect.poll(() => machine.status.connection).not.toBe('live')
    await machine.connect(never)
    expect(await machine.readMemory(cpu(0x0400, 64), never)).toEqual(await peer.peek(0x0400, 64))
  })
})

describe('what is no TeensyROM', () => {
  it('is left alone after a look', async () => {
    await start()
    const server = createServer(
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    link = { kind: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port }
    create()
    await expect(machine.connect(never)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    server.close()
  })
})
