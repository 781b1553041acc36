/**
 * What goes wrong for every kind of machine alike: lines that break a thousand times, a minute of silence, hosts that are
 * something else. What is one driver's own is in its own test.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import { requireFacet, type Machine, type Sample } from '../../src-main/machine/machine'
import { MachineManager } from '../../src-main/machine/manager'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startStubPeer } from '../peers/stubProcess'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import { startUltimate } from '../peers/ultimateProcess'
import { startViceMonitorPeer } from '../peers/viceMonitorProcess'
import { CuttingProxy } from '../support/cuttingProxy'
import { eventually } from '../vice/eventually'
import { attachedMachine, collectSamples, memoryNotes, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const allowed = () => ({ budget: 0.5, sideEffects: false })
const tcp = (port: number) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const

const ultimateAt = (port: number): Machine =>
  createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort: 1,
    notes: memoryNotes(),
    allowed,
  })
const teensyRomAt = (port: number): Machine =>
  createTeensyRomMachine({ name: `teensyrom:127.0.0.1:${port}`, link: tcp(port), allowed })
const stubAt = (port: number): Machine =>
  createStubMachine({ name: `stub:127.0.0.1:${port}`, link: tcp(port), allowed })

interface Device {
  readonly port: number
  /** Its device takes everything and answers nothing. */
  setSilent(silent: boolean): Promise<void>
  stop(): Promise<void>
}

interface Kind {
  readonly name: string
  readonly space: Space
  readonly start: () => Promise<Device>
  readonly machineAt: (port: number) => Machine
  /** So many broken lines in a row; how a device is recognised takes its time on some. */
  readonly breaks: number
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'an Ultimate', space: 'cpu', breaks: 400, machineAt: ultimateAt },
    start: async () => {
      const peer = await startUltimate()
      return {
        port: peer.ports.rest,
        setSilent: (silent) => peer.change({ restFault: silent ? 'wedged' : null }),
        stop: () => peer.stop(),
      }
    },
  },
  {
    ...{ name: 'a VICE', space: 'ram', breaks: 400, machineAt: attachedMachine },
    // From 3.9 on it is sampled without being asked for: what nobody asks anything cannot be found to be silent.
    start: async () => {
      const peer = await startViceMonitorPeer({ frameRate: 1_000, version: '3.10' })
      return {
        port: peer.port,
        setSilent: (silent) => peer.change({ silentAfter: silent ? 0 : null }),
        stop: () => peer.stop(),
      }
    },
  },
  {
    ...{ name: 'a stub', space: 'ram', breaks: 160, machineAt: stubAt },
    start: async () => {
      const peer = await startStubPeer()
      return { port: peer.port, setSilent: (silent) => peer.change({ silent }), stop: () => peer.stop() }
    },
  },
  {
    ...{ name: 'a TeensyROM', space: 'cpu', breaks: 40, machineAt: teensyRomAt },
    start: async () => {
      const peer = await startTeensyRomPeer()
      return { port: peer.port, setSilent: (silent) => peer.change({ silent }), stop: () => peer.stop() }
    },
  },
]

/** The same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe.each(kinds)('$name whose line breaks again and again', ({ start, machineAt, space, breaks }) => {
  it(
    `${breaks} times, is lost with a reason, gives no wrong byte, and is there again each time`,
    { timeout: 300_000 },
    async () => {
      const device = await start()
      const proxy = await CuttingProxy.open(device.port)
      const machine = machineAt(proxy.port)
      cleanUps.push(
        () => device.stop(),
        () => proxy.close(),
        () => machine.disconnect(),
      )
      const random = randomNumbers(20_261_121)
      await machine.connect(soon())
      const range = { space, address: 0x0400, length: 600 }
      const right = await machine.readMemory(range, soon())
      let broken = 0
      const expectReason = (error: unknown): undefined => {
        broken++
        expect(error).toBeInstanceOf(AppError)
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(LOST|UNREACHABLE|TIMEOUT|CONFLICT)$/) as string,
          message: expect.stringMatching(/\.$/) as string,
        })
      }
      for (let count = 0; count < breaks; count++) {
        proxy.cut({ after: random(random(4) === 0 ? 2_000 : 80), reset: random(2) === 0 })
        // Some are lost in a read, some while they are connected again, some while nobody asks.
        for (let reads = 0; reads < 6 && machine.status.connection !== 'lost'; reads++) {
          const bytes = await machine.readMemory(range, soon()).catch(expectReason)
          if (bytes) expect(bytes).toEqual(right)
        }
        if (random(3) === 0) await machine.connect(soon()).catch(expectReason)
        proxy.cut(null)
        if (machine.status.connection === 'lost') await machine.connect(soon())
        // An Ultimate's line is another for each request, so that it may not have been missed.
        expect(await machine.readMemory(range, soon())).toEqual(right)
        expect(machine.status).toMatchObject({ connection: 'live', reason: null })
        expect(broken).toBeGreaterThan(count)
      }
    },
  )
})

describe('devices that do not answer for a minute', () => {
  it(
    'are told to be silent or gone, whatever their kind, and are live again by themselves',
    { timeout: 300_000 },
    async () => {
      const devices = await Promise.all(kinds.map(async (kind) => ({ ...kind, device: await kind.start() })))
      const machines = devices.map(({ machineAt, device }) => machineAt(device.port))
      const names = machines.map(({ name }) => name)
      let states: readonly MachineState[] = []
      const seen = new Map<string, Set<string>>(names.map((name) => [name, new Set()]))
      const manager = new MachineManager({
        // It also has a built-in one and a VICE to start, which nobody connects here.
        create: (name) => machines.find((machine) => machine.name === name) ?? attachedMachine(1),
        defaultSampling: () => ({ mode: 'free', rate: 5 }),
        onStates: (all) => {
          states = all
          for (const { machine, connection } of all) seen.get(machine)?.add(connection)
        },
        log: () => undefined,
      })
      cleanUps.push(
        ...devices.map(
          ({ device }) =>
            () =>
              device.stop(),
        ),
        () => manager.close(),
      )
      for (const name of names) {
        manager.subscribe(name, { spaces: ['ram', 'cpu'], picture: false }, () => undefined)
        await manager.connect(name, soon())
      }
      const of = (name: string) => states.find(({ machine }) => machine === name)
      for (const name of names) await eventually(() => of(name)?.connection).toBe('live')

      await Promise.all(devices.map(({ device }) => device.setSilent(true)))
      const begun = performance.now()
      for (const name of names)
        await expect.poll(() => of(name)?.connection, { timeout: 60_000, message: name }).not.toBe('live')
      for (const name of names) seen.get(name)?.clear()
      while (performance.now() - begun < 60_000) {
        await new Promise((later) => setTimeout(later, 500))
        for (const name of names) expect(of(name)?.reason, `${name} is ${of(name)?.connection}`).toMatch(/\.$/)
      }
      // Nobody took one of them for live in between.
      for (const name of names)
        expect([...(seen.get(name) ?? [])].filter((connection) => connection === 'live')).toEqual([])

      await Promise.all(devices.map(({ device }) => device.setSilent(false)))
      for (const name of names)
        await expect.poll(() => of(name)?.connection, { timeout: 60_000, message: name }).toBe('live')
    },
  )
})

describe('a host that is something else', () => {
  const others = [
    ['an SSH server', 'SSH-2.0-OpenSSH_9.6\r\n', true],
    ['an FTP server', '220 Welcome\r\n', true],
    ['a web server', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 4\r\nConnection: close\r\n\r\nWhat', false],
    ['a port that says nothing and hangs up', '', true],
  ] as const
  const drivers = [
    ['an Ultimate', ultimateAt],
    ['a TeensyROM', teensyRomAt],
    ['a stub', stubAt],
    ['a VICE', attachedMachine],
  ] as const
  const pairs = others.flatMap(([other, says, unasked]) =>
    drivers.map(([driver, machineAt]) => ({ other, says, unasked, driver, machineAt })),
  )

  it.each(pairs)('$other is not taken for $driver', async ({ says, unasked, machineAt }) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      if (unasked) socket.write(says)
      if (says === '') socket.end()
      socket.on('data', () => {
        if (!unasked) socket.end(says)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const machine = machineAt((server.address() as AddressInfo).port)
    cleanUps.push(
      () => server.close(),
      () => machine.disconnect(),
    )
    const error: unknown = await machine.connect(AbortSignal.timeout(60_000)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ hint: expect.stringMatching(/\S/) as string })
    expect(machine.status.connection).toBe('lost')
    expect(machine.status.reason).toMatch(/\.$/)
  })
})

describe('an Ultimate', () => {
  async function connected(options: Parameters<typeof startUltimate>[0]) {
    const peer = await startUltimate(options)
    const machine = ultimateAt(peer.ports.rest)
    cleanUps.push(
      () => peer.stop(),
      () => machine.disconnect(),
    )
    await machine.connect(soon())
    return { peer, machine }
  }

  it('of firmware that lacks calls, or says so only when they are made, refuses those and stays live', async () => {
    const { peer, machine } = await connected({ firmware: '3.15' })
    // As after a downgrade that nobody noticed.
    await peer.change({ firmware: '3.11', product: 'Ultimate II+' })
    const { power, input, streams } = {
      power: requireFacet(machine, 'powerOff'),
      input: requireFacet(machine, 'keyMatrix'),
      streams: requireFacet(machine, 'audioStream'),
    }
    const calls = [
      () => power.pressMenuButton(soon()),
      () => power.powerOff(soon()),
      () => input.setKeys(['a'], soon()),
      () => streams.set('audio', true, soon()),
    ]
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(/\.$/) as string,
      })
    expect(machine.unsupported).toMatchObject({
      menuButton: expect.any(String) as string,
      powerOff: expect.any(String) as string,
      keyMatrix: expect.any(String) as string,
    })
    expect(machine.status.connection).toBe('live')
    expect((await machine.readMemory({ space: 'cpu', address: 0x0400, length: 4 }, soon())).length).toBe(4)
  })

  it('whose stream loses, doubles, mixes up and lengthens packets tells no wrong byte as known', async () => {
    const { peer, machine } = await connected({
      streamLoss: 3,
      streamDuplicates: 3,
      streamReorder: 5,
      streamOversized: 3,
    })
    const samples = collectSamples(machine)
    await machine.setSampling({ mode: 'free', rate: 20, spaces: ['cpu'], picture: false })
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    for (let round = 0; round < 5; round++) {
      const { length } = samples
      await eventually(() => samples.length).toBeGreaterThan(length + 20)
      await requireFacet(machine, 'pause').pause(soon())
      // What is on its way when the machine stands still is told a moment later.
      const memory = await peer.peek(0, 0x10000)
      await eventually(() =>
        wrongBytes(
          samples.findLast(({ accesses }) => accesses),
          memory,
        ),
      ).toEqual([])
      await requireFacet(machine, 'pause').resume(soon())
    }
  })

  /** Known bytes of RAM that the machine does not hold. */
  const wrongBytes = (sample: Sample | undefined, memory: Uint8Array): number[] =>
    (sample?.segments ?? []).flatMap(({ address, bytes }) =>
      Array.from(bytes.keys(), (index) => address + index).filter(
        (at) =>
          at > 1 &&
          at < 0xa000 &&
          ((sample?.accesses?.stale[at >> 3] ?? 0) & (1 << (at & 7))) === 0 &&
          bytes[at - address] !== memory[at],
      ),
    )
})
