import { once } from 'node:events'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppError } from '@shared/contract/errors'
import type { ByteStream } from '../../src-main/machine/bytestream/byteStream'
import { open } from '../../src-main/machine/bytestream/open'
import { StreamReader } from '../../src-main/machine/bytestream/reader'
import { refusal } from '../../src-main/machine/bytestream/serial'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'

const never = new AbortController().signal
const wait = { deadline: 10_000 }
const opened: ByteStream[] = []

async function opens(...[link, signal = never]: [Parameters<typeof open>[0], AbortSignal?]): Promise<ByteStream> {
  const stream = await open(link, signal)
  opened.push(stream)
  return stream
}

afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
})

const lossOf = (stream: ByteStream): Promise<AppError> => new Promise((lost) => stream.onClose(lost))

/** What is there, possibly nothing. */
function readNow(file: number, into: Buffer): number {
  try {
    return readSync(file, into)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
    throw error
  }
}

/** Reads once there is something. */
const readSoon = (file: number, into: Buffer): Promise<number> =>
  vi.waitUntil(() => readNow(file, into), { timeout: 60_000, interval: 1 })

/** Says as much as the line takes. */
function talk(file: number): void {
  try {
    writeSync(file, Buffer.alloc(0x200))
  } catch {
    // It takes no more, or is gone.
  }
}

/** All 256 bytes, so that a line that eats or changes any of them shows. */
const allBytes = Uint8Array.from({ length: 256 }, (_, n) => n)

describe('a line by TCP', () => {
  let server: Server
  let port: number
  let sockets: Socket[]

  beforeEach(async () => {
    sockets = []
    server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => socket.write(bytes))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })

  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  const link = () => ({ kind: 'tcp', host: '127.0.0.1', port }) as const

  it('carries every byte both ways', async () => {
    const stream = await opens(link())
    const reader = new StreamReader(stream)
    await stream.write(allBytes)
    expect(await reader.readExactly(256, wait)).toEqual(allBytes)
  })

  it('says when the other side ends it, also to those who ask later', async () => {
    const stream = await opens(link())
    const lost = lossOf(stream)
    await expect.poll(() => sockets.length).toBe(1)
    sockets[0]?.destroy()
    expect(await lost).toMatchObject({
      code: 'LOST',
      message: expect.stringMatching(/^The connection to 127\.0\.0\.1:\d+ ended/) as unknown,
    })
    expect(await lossOf(stream)).toBe(await lost)
    await expect(stream.write(allBytes)).rejects.toBe(await lost)
  })

  it('tells nobody of an end that was asked for, and refuses to write afterwards', async () => {
    const stream = await opens(link())
    let told = false
    stream.onClose(() => (told = true))
    await stream.close()
    await stream.close()
    expect(told).toBe(false)
    await expect(stream.write(allBytes)).rejects.toMatchObject({
      code: 'LOST',
      message: expect.stringContaining('is closed') as unknown,
    })
  })

  it('says why it cannot be opened, and gives up when told to', async () => {
    server.close()
    await expect(open(link(), never)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(new RegExp(`^127.0.0.1:${port} cannot be reached.*refused`)) as string,
    })
    await expect(open({ kind: 'tcp', host: 'no-such-host.invalid', port }, never)).rejects.toMatchObject({
      code: 'UNREACHABLE',
    })
    await expect(open(link(), AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  describe('read by the byte', () => {
    it('gives exactly what is asked for, however it arrives', async () => {
      const stream = await opens(link())
      const reader = new StreamReader(stream)
      for (const byte of allBytes) await stream.write(Uint8Array.of(byte))
      const read = [
        await reader.readExactly(3, wait),
        await reader.readExactly(0, wait),
        await reader.readExactly(253, wait),
      ]
      expect(read.map(({ length }) => length)).toEqual([3, 0, 253])
      expect(Buffer.concat(read)).toEqual(Buffer.from(allBytes))
    })

    it('says how much came in time, and keeps it', async () => {
      const stream = await opens(link())
      const reader = new StreamReader(stream)
      await stream.write(Uint8Array.of(1, 2))
      await expect.poll(() => reader.available).toBe(2)
      await expect(reader.readExactly(3, { deadline: 10 })).rejects.toMatchObject({
        code: 'TIMEOUT',
        details: { arrived: 2 },
      })
      expect(reader.take()).toEqual(Uint8Array.of(1, 2))
    })

    it('drains what still comes until it is quiet', async () => {
      const stream = await opens(link())
      const reader = new StreamReader(stream)
      await stream.write(allBytes)
      expect(await reader.readUntilQuiet(300, 20_000)).toEqual(allBytes)
      expect(await reader.readUntilQuiet(1, 20_000)).toHaveLength(0)
    })

    it('tells who waits when it is stopped', async () => {
      const reader = new StreamReader(await opens(link()))
      const reading = expect(reader.readExactly(1, wait)).rejects.toMatchObject({
        code: 'LOST',
        message: 'The connection is closed.',
      })
      reader.stop()
      await reading
    })

    it('ends with the reason when the line is lost or the reader is told to', async () => {
      const stream = await opens(link())
      const reader = new StreamReader(stream)
      const abort = new AbortController()
      const cancelled = reader.readExactly(1, { ...wait, signal: abort.signal })
      abort.abort()
      await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
      const reading = reader.readExactly(1, wait)
      await expect.poll(() => sockets.length).toBe(1)
      sockets[0]?.destroy()
      await expect(reading).rejects.toMatchObject({ code: 'LOST' })
      await expect(reader.readExactly(1, wait)).rejects.toMatchObject({ code: 'LOST' })
    })
  })
})

describe.skipIf(lacks('socat'))('a line by a serial port', () => {
  let line: Awaited<ReturnType<typeof openSerialLine>>
  beforeEach(async () => {
    line = await openSerialLine()
  })
  afterEach(() => line.close())

  const link = (device: string) => ({ kind: 'serial', device, baud: 38_400 }) as const

  it('carries every byte both ways', async () => {
    const [here, there] = [await opens(link(line.here)), await opens(link(line.there))]
    const readers = [new StreamReader(here), new StreamReader(there)] as const
    await here.write(allBytes)
    await there.write(allBytes.toReversed())
    expect(await readers[1].readExactly(256, wait)).toEqual(allBytes)
    expect(await readers[0].readExactly(256, wait)).toEqual(allBytes.toReversed())
  })

  it('says in one sentence that it was unplugged, to the reader too', async () => {
    const stream = await opens(link(line.here))
    const reading = new StreamReader(stream).readExactly(1, wait)
    const lost = lossOf(stream)
    reading.catch(() => undefined)
    await line.unplug()
    expect(await lost).toMatchObject({ code: 'LOST', message: `${line.here} was unplugged or switched off.` })
    await expect(reading).rejects.toBe(await lost)
  })

  it('can be opened again once it is closed, and once it is plugged in again', async () => {
    await (await opens(link(line.here))).close()
    const stream = await opens(link(line.here))
    const lost = lossOf(stream)
    await line.unplug()
    await lost
    await line.plugIn()
    const [here, there] = [await opens(link(line.here)), await opens(link(line.there))]
    const reader = new StreamReader(there)
    await here.write(allBytes)
    expect(await reader.readExactly(256, wait)).toEqual(allBytes)
  })

  it('goes on with a long write that had to wait, also after something was read meanwhile', async () => {
    const stream = await opens(link(line.here))
    const reader = new StreamReader(stream)
    const long = Uint8Array.from({ length: 0x4_0000 }, (_, n) => n & 0xff)
    const written = stream.write(long)
    // A far end that takes its time, and says something now and then.
    const far = openSync(line.there, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      let taken = 0
      let said = 0
      let pieces = 0
      while (taken < long.length) {
        const bytes = Buffer.alloc(0x1000)
        const count = await readSoon(far, bytes)
        expect(bytes.subarray(0, count)).toEqual(Buffer.from(long.subarray(taken, taken + count)))
        taken += count
        if (pieces++ % 16 === 0) {
          said += writeSync(far, 'x')
          // Until it is read while our write waits: socat passes nothing on for as long as the far end takes nothing.
          await sleep(20)
        }
      }
      await written
      expect(await reader.readExactly(said, wait)).toHaveLength(said)
    } finally {
      closeSync(far)
    }
  })

  it('lets go of a write that nobody takes, and can be closed then', async () => {
    const stream = await opens(link(line.here))
    const abort = new AbortController()
    const written = stream.write(new Uint8Array(0x10_0000), abort.signal)
    const later = stream.write(allBytes)
    const refused = expect(later).rejects.toMatchObject({ code: 'LOST', message: `${line.here} is closed.` })
    const givenUp = expect(written).rejects.toMatchObject({ code: 'CANCELLED' })
    const far = openSync(line.there, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      // Some of it is taken, and nothing after that.
      await readSoon(far, Buffer.alloc(0x10))
      abort.abort()
      await givenUp
      await expect(stream.write(allBytes, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
      await stream.close()
      await refused
    } finally {
      closeSync(far)
    }
  })

  it('is lost with one sentence also when it goes away just as it is read', async () => {
    for (let times = 0; times < 10; times++) {
      const stream = await opens(link(line.here))
      const reader = new StreamReader(stream)
      const lost = lossOf(stream)
      const far = openSync(line.there, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY)
      const talking = setInterval(() => talk(far), 0)
      await reader.readExactly(1_000, wait)
      await line.unplug()
      expect(await lost).toMatchObject({ code: 'LOST' })
      clearInterval(talking)
      closeSync(far)
      await line.plugIn()
    }
  })

  it('is refused while somebody else has it', async () => {
    await opens(link(line.here))
    await expect(open(link(line.here), never)).rejects.toMatchObject({
      code: 'BUSY',
      message: `${line.here} is in use by another program.`,
    })
  })

  it('says so where there is no such port, or where it is none', async () => {
    await expect(open(link(`${line.here}-none`), never)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no ${line.here}-none.`,
    })
    await expect(open(link('/dev/null'), never)).rejects.toMatchObject({
      code: 'INVALID',
      message: '/dev/null is not a serial port.',
    })
    await expect(open(link(line.here), AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('why a serial port does not open', () => {
  it('is said with the command that helps where the user may not use it', () => {
    expect(refusal('/dev/ttyACM0', 'Error: Permission denied, cannot open /dev/ttyACM0', 'linux')).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('permission to use /dev/ttyACM0') as string,
      hint: expect.stringContaining('sudo usermod -a -G dialout $USER') as unknown,
    })
    expect(refusal('/dev/tty.usb', 'Error: Permission denied, cannot open /dev/tty.usb', 'darwin').hint).not.toContain(
      'usermod',
    )
  })

  it('is told apart by the words of each system', () => {
    const code = (said: string) => refusal('X', said).code
    expect(code('Opening COM3: Access denied')).toBe('BUSY')
    expect(code('Error: Device or resource busy, cannot open X')).toBe('BUSY')
    expect(code('Opening COM9: File not found')).toBe('NOT_FOUND')
    expect(code('Error: No such device, cannot open X')).toBe('NOT_FOUND')
    expect(code('Error: Input/output error, cannot open X')).toBe('UNREACHABLE')
  })
})
