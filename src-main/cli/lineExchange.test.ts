import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLineExchange, type LineExchange } from './lineExchange'

let exchange: LineExchange
let changes: string[]
let sockets: Socket[]
beforeEach(async () => {
  changes = []
  sockets = []
  exchange = await openLineExchange({ vice: 0, bridgedeck: 0 }, (end, isConnected) =>
    changes.push(`${end} ${isConnected ? 'on' : 'off'}`),
  )
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await exchange.close()
})

async function connectTo(end: 'vice' | 'bridgedeck'): Promise<Socket> {
  const before = changes.length
  const socket = createConnection(exchange.ports[end], '127.0.0.1')
  sockets.push(socket)
  await expect.poll(() => changes.slice(before)).toContain(`${end} on`)
  return socket
}

describe('the line between VICE and Bridgedeck', () => {
  it('carries bytes both ways', async () => {
    const [vice, bridgedeck] = [await connectTo('vice'), await connectTo('bridgedeck')]
    vice.write(Uint8Array.of(0, 1, 255))
    expect((await once(bridgedeck, 'data')) as unknown).toEqual([Buffer.of(0, 1, 255)])
    bridgedeck.write('back')
    expect((await once(vice, 'data')) as unknown).toEqual([Buffer.from('back')])
  })

  it('stays open when one end leaves, and takes it again', async () => {
    const bridgedeck = await connectTo('bridgedeck')
    const first = await connectTo('vice')
    first.destroy()
    await expect.poll(() => changes).toContain('vice off')
    const second = await connectTo('vice')
    second.write('again')
    expect((await once(bridgedeck, 'data')) as unknown).toEqual([Buffer.from('again')])
  })

  it('says which port is in use', async () => {
    const { vice } = exchange.ports
    await expect(openLineExchange({ vice, bridgedeck: 0 }, () => undefined)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`${vice} is in use`) as string,
    })
  })
})
