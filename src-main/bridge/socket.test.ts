import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defaultSettings } from '@shared/contract/settings'
import { BridgeClient } from './client'
import type { Handlers } from '../rpc/commands'
import type { Bridge } from './serve'
import { connect, listen, socketPath } from './socket'
import { unsteeredLine } from '../../test/support/unsteeredLine'

const notHere = () => {
  throw new AppError('UNSUPPORTED', 'Not in this test.')
}

/** A bridge of which a few commands do something. */
function testBridge() {
  const aborted: string[] = []
  const logged: string[] = []
  const power: string[] = []
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
    logged,
    power,
    handlers: all as Handlers,
    frames: { subscribe: () => () => undefined },
    audio: { subscribeAudio: () => () => undefined },
    log: (message: string) => void logged.push(message),
    openSteeredLine: () => unsteeredLine,
    onEvent: () => () => undefined,
    fallAsleep: () => void power.push('asleep'),
    wakeUp: () => void power.push('awake'),
    close: () => Promise.resolve(),
  } satisfies Bridge & Record<string, unknown>
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

interface Said {
  readonly kind: string
  readonly id?: number
  readonly result?: { readonly ok: boolean; readonly error?: { readonly code: string } }
  readonly error?: { readonly code: string; readonly message: string }
}

/** A client that writes what it likes. */
function rawClient(): { socket: Socket; said: Said[]; closed: Promise<void> } {
  const socket = createConnection(socketPath(folder))
  const said: Said[] = []
  let rest = ''
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    said.push(...lines.map((line) => JSON.parse(line) as Said))
  })
  socket.on('error', () => undefined)
  return { socket, said, closed: new Promise((resolve) => socket.on('close', () => resolve())) }
}

const callLine = (id: number, command: string, input: unknown): string =>
  `${JSON.stringify({ kind: 'call', id, command, input })}\n`
const settingsLine = (id: number): string => callLine(id, 'settings.get', {})

describe('a hostile client of the socket', () => {
  it.each([
    ['a mebibyte of numbers', `{"kind":"call","id":0,"command":"settings.get","input":[${'0,'.repeat(500_000)}0]}`],
    ['a line of 2 MiB', 'x'.repeat(2 * 1024 * 1024)],
    ['half a million brackets', '['.repeat(500_000)],
    ['no JSON', 'GET / HTTP/1.1'],
    ['JSON that is no message', '0'],
    ['a message for the supervisor’s bridge alone', '{"kind":"suspend"}'],
    ['a message for the window', '{"kind":"ready","protocol":1}'],
  ])('is told why and dropped after %s, and what follows is not handled', async (_what, line) => {
    const { socket, said, closed } = rawClient()
    socket.write(`${line}\n${callLine(1, 'machine.connect', { machine: 'vice' })}${settingsLine(2)}`)
    await closed
    expect(said.map(({ kind }) => kind)).toEqual(['ready', 'failed'])
    expect(said.at(-1)?.error?.code).toBe('INVALID')
    expect(bridge.aborted).toEqual([])
    expect(bridge.logged.join()).toContain('dropped')
    const next = await open()
    expect(await next.call('settings.get', {})).toEqual(defaultSettings)
    next.close()
  })

  it.each(['suspend', 'resume', 'shutdown'])('cannot send %s, as only the supervisor may', async (kind) => {
    const { socket, said, closed } = rawClient()
    socket.write(`${JSON.stringify({ kind })}\n`)
    await closed
    expect(said.at(-1)?.kind).toBe('failed')
    expect(bridge.power).toEqual([])
  })

  it('may send empty lines, which cost nothing', async () => {
    const { socket, said, closed } = rawClient()
    socket.write(`${'\n'.repeat(100_000)}${settingsLine(7)}`)
    await expect
      .poll(() => said.map(({ kind, id }) => [kind, id]))
      .toEqual([
        ['ready', undefined],
        ['reply', 7],
      ])
    expect(bridge.logged).toEqual([])
    socket.end()
    await closed
  })

  it('has a limited number of calls in flight, and other clients do not wait for them', async () => {
    const { socket, said, closed } = rawClient()
    for (let id = 0; id < 300; id++) socket.write(callLine(id, 'machine.connect', { machine: 'vice' }))
    const refused = () => said.filter(({ result }) => result?.error?.code === 'BUSY').map(({ id }) => id)
    await expect.poll(() => refused().at(-1)).toBe(299)
    const other = await open()
    expect(await other.call('settings.get', {})).toEqual(defaultSettings)
    other.close()
    const inFlight = 300 - refused().length
    expect(inFlight).toBeGreaterThan(8)
    expect(inFlight).toBeLessThanOrEqual(64)
    socket.destroy()
    await closed
    await expect.poll(() => bridge.aborted).toHaveLength(inFlight)
  })

  it('is dropped with the reason in the log when it does not read its replies', async () => {
    const { socket, closed } = rawClient()
    socket.pause()
    let id = 0
    const send = () => {
      // 128 KiB of reply each.
      while (
        socket.write(callLine(id++, 'memory.read', { machine: 'builtin', space: 'ram', address: 0, length: 0x10000 }))
      );
    }
    socket.on('drain', send)
    send()
    await expect.poll(() => bridge.logged.join()).toContain('did not read')
    socket.resume()
    await closed
  })

  it('is dropped earlier where many do not read, and one that does read is not', async () => {
    const reader = await open()
    const read = { machine: 'builtin', space: 'ram', address: 0, length: 0x10000 } as const
    // 8 MiB of replies each, half of what one alone may leave.
    const lines = Array.from({ length: 64 }, (_, id) => callLine(id, 'memory.read', read)).join('')
    const clients = Array.from({ length: 12 }, () => rawClient())
    for (const { socket } of clients) {
      socket.pause()
      socket.write(lines)
    }
    await expect.poll(() => bridge.logged.join()).toContain('did not read')
    expect((await reader.call('memory.read', read)).bytes.byteLength).toBe(0x10000)
    reader.close()
    for (const { socket } of clients) socket.destroy()
    await Promise.all(clients.map(({ closed }) => closed))
  })

  it('gets its replies however its lines are cut into pieces', async () => {
    const { socket, said, closed } = rawClient()
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, id) => settingsLine(id)).join(''))
    for (let at = 0; at < bytes.length; at += 17) {
      if (!socket.write(bytes.subarray(at, at + 17))) await new Promise((resolve) => socket.once('drain', resolve))
    }
    await expect
      .poll(() => said.filter(({ result }) => result).map(({ id }) => id))
      .toEqual(Array.from({ length: 300 }, (_, id) => id))
    socket.end()
    await closed
  })
})

describe.runIf(process.platform !== 'win32')('where the socket lies', () => {
  const long = (): string => join(folder, 'long/'.repeat(30))

  it('is the user’s runtime folder where the data folder’s path is too long', () => {
    const runtime = join(folder, 'run')
    mkdirSync(runtime, { mode: 0o700 })
    expect(socketPath(long(), 'linux', { XDG_RUNTIME_DIR: runtime })).toMatch(new RegExp(`^${runtime}/bridgedeck-`))
  })

  it('is no runtime folder that others may open', () => {
    const runtime = join(folder, 'run')
    mkdirSync(runtime)
    chmodSync(runtime, 0o755)
    expect(socketPath(long(), 'linux', { XDG_RUNTIME_DIR: runtime })).not.toContain(runtime)
  })

  it('is made private where it was open to others', async () => {
    const loose = join(folder, 'loose')
    mkdirSync(loose)
    chmodSync(loose, 0o777)
    const own = await listen(bridge, join(loose, 'bridge.sock'))
    expect(statSync(loose).mode & 0o777).toBe(0o700)
    await own.close()
  })

  /** Somebody else's listener. */
  async function squat(path: string): Promise<{ heard: () => string; close: () => void }> {
    let heard = ''
    const squatter = createServer((socket) => socket.on('data', (chunk) => (heard += chunk.toString())))
    await new Promise<void>((resolve) => squatter.listen(path, resolve))
    return { heard: () => heard, close: () => void squatter.close() }
  }

  it('is refused by a client where others may write, or the socket is open to them', async () => {
    const shared = join(folder, 'shared')
    const path = join(shared, 'bridge.sock')
    mkdirSync(shared)
    const squatter = await squat(path)
    chmodSync(path, 0o777)
    chmodSync(shared, 0o755)
    await expect(connect(path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    chmodSync(path, 0o600)
    chmodSync(shared, 0o777)
    await expect(connect(path)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      // It is a folder of this user's data: nobody is told to remove it.
      hint: expect.stringContaining(`chmod 700 ${shared}`) as string,
    })
    expect(squatter.heard()).toBe('')
    squatter.close()
  })

  it.runIf(process.getuid?.() === 0)(
    'is refused by both ends where folder or socket belong to another user',
    async () => {
      const theirs = join(folder, 'theirs')
      const path = join(theirs, 'bridge.sock')
      mkdirSync(theirs, { mode: 0o700 })
      const squatter = await squat(path)
      chmodSync(path, 0o600)
      chownSync(path, 12_345, 12_345)
      await expect(connect(path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      chownSync(path, 0, 0)
      chownSync(theirs, 12_345, 12_345)
      await expect(connect(path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      await expect(listen(bridge, path)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(squatter.heard()).toBe('')
      squatter.close()
    },
  )

  it.runIf(process.getuid?.() === 0)('is refused behind another user’s link, wherever that leads', async () => {
    const link = join(folder, 'link')
    symlinkSync(folder, link)
    expect(await connect(join(link, 'bridge.sock'))).toBeDefined()
    lchownSync(link, 12_345, 12_345)
    await expect(connect(join(link, 'bridge.sock'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
