import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defaultSettings } from '@shared/contract/settings'
import { BridgeClient } from './client'
import type { Handlers } from '../rpc/commands'
import type { Bridge } from './serve'
import { connect, listen, socketPath } from './socket'

const notHere = () => {
  throw new AppError('UNSUPPORTED', 'Not in this test.')
}

/** A bridge of which three commands do something. */
function testBridge(): Bridge & { aborted: string[] } {
  const aborted: string[] = []
  const handlers: Partial<Handlers> = {
    'settings.get': () => defaultSettings,
    'memory.read': ({ length }) => ({ bytes: new Uint8Array(length).fill(0xa9), time: 1 }),
    'machine.connect': (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push('machine.connect')
          reject(new Error('aborted'))
        })
      }),
  }
  const all = new Proxy(handlers, { get: (target, name): unknown => Reflect.get(target, name) ?? notHere })
  return {
    aborted,
    handlers: all as Handlers,
    frames: { subscribe: () => () => undefined },
    audio: { subscribeAudio: () => () => undefined },
    log: () => undefined,
    onEvent: () => () => undefined,
    fallAsleep: () => undefined,
    wakeUp: () => undefined,
    close: () => Promise.resolve(),
  }
}

let folder: string
let bridge: ReturnType<typeof testBridge>
let server: { close(): Promise<void> }
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-socket-'))
  bridge = testBridge()
  server = await listen(bridge, socketPath(folder))
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<BridgeClient> {
  const line = await connect(socketPath(folder))
  if (!line) throw new Error('nobody listens')
  return new BridgeClient(line)
}

describe('the bridge’s socket', () => {
  it('answers a command line, bytes included', async () => {
    const client = await open()
    const { bytes } = await client.call('memory.read', {
      machine: 'builtin',
      space: 'ram',
      address: 0,
      length: 0x10000,
    })
    expect(bytes.byteLength).toBe(0x10000)
    expect(bytes[0]).toBe(0xa9)
    client.close()
  })

  it('keeps several callers apart', async () => {
    const [one, other] = [await open(), await open()]
    const reads = [1, 2, 3].flatMap((length) =>
      [one, other].map((client) =>
        client.call('memory.read', { machine: 'builtin', space: 'ram', address: 0, length }),
      ),
    )
    expect((await Promise.all(reads)).map(({ bytes }) => bytes.length)).toEqual([1, 1, 2, 2, 3, 3])
    one.close()
    other.close()
  })

  it('refuses what a command does not take, and names the field', async () => {
    const client = await open()
    const call = client.call('memory.read', { machine: 'builtin', space: 'ram', address: 0x10000, length: 1 })
    await expect(call).rejects.toThrow(/address/)
    await expect(call).rejects.toMatchObject({ code: 'INVALID' })
    client.close()
  })

  it('cancels a call when its caller gives up, and all of them when the caller goes away', async () => {
    const client = await open()
    const controller = new AbortController()
    const call = client.call('machine.connect', { machine: 'vice' }, controller.signal)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
    const left = client.call('machine.connect', { machine: 'vice' })
    client.close()
    await expect(left).rejects.toMatchObject({ code: 'BRIDGE_DOWN' })
    await expect.poll(() => bridge.aborted).toEqual(['machine.connect', 'machine.connect'])
  })

  it.runIf(process.platform !== 'win32')('is open to its owner alone', () => {
    expect(statSync(socketPath(folder)).mode & 0o777).toBe(0o600)
  })

  it('drops a caller that does not speak the protocol and goes on', async () => {
    const stranger = createConnection(socketPath(folder))
    const closed = new Promise((resolve) => stranger.on('close', resolve))
    stranger.resume()
    stranger.write('GET / HTTP/1.1\r\n\r\n')
    await closed
    const client = await open()
    expect(await client.call('settings.get', {})).toEqual(defaultSettings)
    client.close()
  })

  it('is not taken from a bridge that answers there', async () => {
    await expect(listen(testBridge(), socketPath(folder))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await connect(socketPath(folder))).toBeDefined()
  })

  it('stays short enough for the system when the data folder’s path is long', () => {
    expect(Buffer.byteLength(socketPath(`/${'long/'.repeat(40)}`, 'linux'))).toBeLessThanOrEqual(107)
  })

  it('tells that nobody listens', async () => {
    expect(await connect(join(folder, 'nobody.sock'))).toBeUndefined()
  })
})
