/** What answers at an address that a person typed, with the stand-ins for the devices at the other end. */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { HostAndPort } from '@shared/contract/machineName'
import { probeAddress } from '../../src-main/machine/addressProbe'
import { drivers } from '../../src-main/machine/drivers'
import { probeUltimate } from '../../src-main/machine/ultimate/probe'
import { startStubPeer } from '../peers/stubProcess'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import { startUltimate } from '../peers/ultimateProcess'
import { startViceMonitorPeer } from '../peers/viceMonitorProcess'
import { soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function started<Peer extends { stop(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  cleanUps.push(() => peer.stop())
  return peer
}

const probe = (address: string, connected: (machine: string) => string | undefined = () => undefined) =>
  probeAddress(address, { drivers, connected, signal: soon() })

describe('an address with a port', () => {
  it('is offered as the Ultimate that answers there', async () => {
    const { ports } = await started(startUltimate({ product: 'Ultimate 64' }))
    expect(await probe(`127.0.0.1:${ports.rest}`)).toEqual([
      expect.objectContaining({
        machine: `ultimate:127.0.0.1:${ports.rest}`,
        about: expect.stringContaining('Ultimate 64') as string,
        asksForPassword: false,
        limit: null,
      }),
    ])
  })

  it('says that an Ultimate asks for its password', async () => {
    const { ports } = await started(startUltimate({ password: 'open-sesame' }))
    expect(await probe(`127.0.0.1:${ports.rest}`)).toMatchObject([{ asksForPassword: true }])
  })

  it('is offered as the VICE that answers there, which runs on', async () => {
    const peer = await started(startViceMonitorPeer({ version: '3.10' }))
    expect(await probe(`localhost:${peer.port}`)).toMatchObject([{ machine: `vice:${peer.port}`, title: 'VICE 3.10' }])
    const exit = 0xaa
    await expect.poll(() => peer.requests().at(-1)?.command).toBe(exit)
  })

  it('is offered as the TeensyROM or the serial stub that answers there', async () => {
    const teensyRom = await started(startTeensyRomPeer())
    const stub = await started(startStubPeer())
    const [first] = await probe(`127.0.0.1:${teensyRom.port}`)
    const [second] = await probe(`127.0.0.1:${stub.port}`)
    expect(first).toMatchObject({ machine: `teensyrom:127.0.0.1:${teensyRom.port}`, limit: null })
    expect(second).toMatchObject({ machine: `stub:127.0.0.1:${stub.port}` })
    expect(teensyRom.log().filter(({ erased, unknown }) => erased ?? unknown)).toEqual([])
  })

  it('does not ask a machine that is connected', async () => {
    const server = createServer(() => expect.unreachable('asked')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanUps.push(() => server.close())
    const { port } = server.address() as { port: number }
    expect(
      await probe(`127.0.0.1:${port}`, (machine) => (machine.startsWith('ultimate:') ? 'Desk' : undefined)),
    ).toMatchObject([{ machine: `ultimate:127.0.0.1:${port}`, title: 'Desk' }])
  })

  it('is nobody’s where nothing or a stranger answers', async () => {
    const server = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2p1\r\n')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await probe(`127.0.0.1:${port}`)).toEqual([])
    server.close()
    await once(server, 'close')
    expect(await probe(`127.0.0.1:${port}`)).toEqual([])
  })
})

describe('an address without a port', () => {
  it('is asked at each kind’s own port', async () => {
    const asked: string[] = []
    const asks = (kind: string, about: string) => ({
      probe: ({ host, port }: HostAndPort) => {
        asked.push(`${kind} ${host}:${port}`)
        return Promise.resolve({ title: null, about })
      },
    })
    const found = await probeAddress('192.168.1.64', {
      drivers: {
        builtin: {},
        easyflash: {},
        stub: asks('stub', 'never'),
        ultimate: asks('ultimate', 'Ultimate 64'),
        vice: asks('vice', 'VICE 3.9'),
        teensyrom: asks('teensyrom', 'TeensyROM+'),
      },
      connected: () => undefined,
      signal: soon(),
    })
    expect(asked.toSorted()).toEqual([
      'teensyrom 192.168.1.64:2112',
      'ultimate 192.168.1.64:80',
      'vice 192.168.1.64:6502',
    ])
    expect(found.map(({ machine }) => machine)).toEqual([
      'vice:192.168.1.64:6502',
      'ultimate:192.168.1.64',
      'teensyrom:192.168.1.64',
    ])
  })

  it('tells an Ultimate whose web service is off by its DMA service', async () => {
    const { ports } = await started(startUltimate())
    const closed = { host: '127.0.0.1', port: 1 }
    expect(await probeUltimate(closed, soon(), ports.dma)).toMatchObject({
      limit: expect.stringContaining('Web Remote Control Service') as string,
    })
  })

  it('is refused where it is no address', async () => {
    await expect(probe('c64 on my desk')).rejects.toMatchObject({ code: 'INVALID' })
  })
})
