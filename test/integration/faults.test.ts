/**
 * Hosts that are something else than a machine, and an Ultimate that does less than it says. What is one driver's own is in its
 * own test.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { requireFacet, type Sample } from '../../src-main/machine/machine'
import { startUltimate } from '../peers/ultimateProcess'
import { stubAt, teensyRomAt, ultimateAt } from '../support/deviceKinds'
import { eventually } from '../vice/eventually'
import { attachedMachine, collectSamples, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
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
          ((sample?.accesses?.stale?.[at >> 3] ?? 0) & (1 << (at & 7))) === 0 &&
          bytes[at - address] !== memory[at],
      ),
    )
})
