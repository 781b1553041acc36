/** The stand-in for VICE's binary monitor does what the protocol says, and has the faults it was asked to have. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ViceMonitorOptions } from '../peers/viceMonitor'
import { startViceMonitorPeer, type ViceMonitorPeer } from '../peers/viceMonitorProcess'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startPeer(options: Partial<ViceMonitorOptions> = {}): Promise<ViceMonitorPeer> {
  const peer = await startViceMonitorPeer(options)
  cleanUps.push(() => peer.stop())
  return peer
}

interface Message {
  readonly api: number
  readonly type: number
  readonly error: number
  readonly id: number
  readonly body: Buffer
}

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/[^0-9a-f]/gi, ''), 'hex')

/** A request in hex: its command, then its body. */
function request(command: string, { id = 1, api = 2 } = {}): Buffer {
  const [number = 0, ...body] = bytes(command)
  const header = Buffer.alloc(11)
  header.set([2, api])
  header.writeUInt32LE(body.length, 2)
  header.writeUInt32LE(id, 6)
  header.writeUInt8(number, 10)
  return Buffer.concat([header, Buffer.from(body)])
}

/** A bare client that keeps all it gets. */
class Client {
  readonly socket: Socket
  received = Buffer.alloc(0)
  writes = 0
  closed = false
  #taken = 0
  #wake: () => void = () => undefined

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setNoDelay(true)
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.closed = true
      this.#wake()
    })
    this.socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data])
      this.writes += 1
      this.#wake()
    })
    cleanUps.push(() => this.socket.destroy())
  }

  send(...parts: Buffer[]): void {
    this.socket.write(Buffer.concat(parts))
  }

  /** The next `count` messages, waiting for them. */
  async next(count: number): Promise<Message[]> {
    const messages: Message[] = []
    while (messages.length < count) {
      const rest = this.received.subarray(this.#taken)
      const length = rest.length < 12 ? Infinity : 12 + rest.readUInt32LE(2)
      if (rest.length < length) {
        if (this.closed) throw new Error(`The connection was closed after ${messages.length} of ${count} messages.`)
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      const [, api = 0] = rest
      messages.push({
        api,
        type: rest.readUInt8(6),
        error: rest.readUInt8(7),
        id: rest.readUInt32LE(8),
        body: rest.subarray(12, length),
      })
      this.#taken += length
    }
    return messages
  }

  async ask(command: string, options: { id?: number; api?: number } = {}): Promise<Message> {
    this.send(request(command, options))
    const [message] = await this.next(1)
    if (!message) throw new Error('No message.')
    return message
  }
}

/** A client whose machine is stopped already: the events of the stop and the answer to the ping that caused it are taken. */
async function stoppedClient(peer: ViceMonitorPeer): Promise<Client> {
  const client = new Client(peer.port)
  client.send(request('81', { api: 1 }))
  await client.next(3)
  return client
}

const types = (messages: Message[]): number[] => messages.map(({ type }) => type)
const jiffies = (message: Message | undefined): number => message?.body.readUIntBE(2, 3) ?? -1
const READ_JIFFIES = '01 00 a000 a200 00 0100'
const EVENT_ID = 0xffffffff

describe('the bytes', () => {
  it('announces the stop with the registers and the address, then answers a read', async () => {
    const client = new Client((await startPeer()).port)
    client.send(bytes('02 02 08000000 07000000 01 | 00 0004 0104 00 0000'))
    const [registers, stopped] = await client.next(3)
    expect(registers).toMatchObject({ api: 2, type: 0x31, error: 0, id: EVENT_ID })
    expect(registers?.body.length).toBe(42)
    expect(registers?.body.subarray(0, 4).toString('hex')).toBe('0a000303')
    expect(stopped).toMatchObject({ type: 0x62, id: EVENT_ID })
    expect(stopped?.body).toEqual(registers?.body.subarray(4, 6))
    expect(client.received.subarray(54, 68)).toEqual(
      Buffer.concat([bytes('02 02 02000000 62 00 FFFFFFFF'), stopped?.body ?? Buffer.alloc(0)]),
    )
    expect(client.received.subarray(68)).toEqual(bytes('02 02 04000000 01 00 07000000 | 0200 2020'))
  })

  it('answers an exit and says that it runs', async () => {
    const client = await stoppedClient(await startPeer())
    const before = client.received.length
    client.send(bytes('02 02 00000000 08000000 AA'))
    const [, resumed] = await client.next(2)
    const pc = resumed?.body ?? Buffer.alloc(0)
    expect(client.received.subarray(before)).toEqual(
      Buffer.concat([bytes('02 02 00000000 AA 00 08000000'), bytes('02 02 02000000 63 00 FFFFFFFF'), pc]),
    )
    expect(pc.length).toBe(2)
  })

  it('refuses bank 9', async () => {
    const client = await stoppedClient(await startPeer())
    const before = client.received.length
    client.send(request('01 00 0004 0104 00 0900', { id: 9 }))
    await client.next(1)
    expect(client.received.subarray(before)).toEqual(bytes('02 02 00000000 00 81 09000000'))
  })

  it.each([
    ['a read without a bank', '01 00 0004 0104 00', 0x80],
    ['a read that ends before it starts', '01 00 0104 0004 00 0000', 0x81],
    ['a read from a drive that does not exist', '01 00 0004 0104 05 0000', 0x02],
    ['a write with too few bytes', '02 00 0004 0104 00 0000 aa', 0x80],
    ['a checkpoint that does not exist', '11 63000000', 0x01],
    ['a register that does not exist', '32 00 0100 03 77 0000', 0x01],
    ['a resource that does not exist', '51 03 616263', 0x01],
    ['a name longer than its request', '51 09 616263', 0x80],
    ['a picture in another format', '84 00 01', 0x81],
    ['a control port that does not exist', 'a2 0700 ff00', 0x01],
    ['a control port with a real joystick in it', 'a2 0000 ff00', 0x8f],
    ['a file that does not exist', 'dd 01 0000 04 2f6e6f70', 0x8f],
    ['an unknown command', '99', 0x83],
  ])('refuses %s', async (_, command, error) => {
    const client = await stoppedClient(await startPeer())
    expect(await client.ask(command)).toEqual({ api: 2, type: 0, error, id: 1, body: Buffer.alloc(0) })
  })

  it('skips what does not start with 0x02 and what has an unknown version', async () => {
    const client = new Client((await startPeer()).port)
    client.send(bytes('00 ff 47 45 54'), request('81', { id: 5, api: 7 }), request('81', { id: 6 }))
    const messages = await client.next(3)
    expect(messages[2]).toMatchObject({ type: 0x81, id: 6 })
  })

  it('takes a request that comes byte by byte', async () => {
    const client = new Client((await startPeer()).port)
    for (const byte of request('81', { id: 77 })) {
      client.send(Buffer.from([byte]))
      // So that the system sends each by itself.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect((await client.next(3))[2]).toMatchObject({ type: 0x81, id: 77 })
  })

  it('says 0 bytes where 65536 follow', async () => {
    const client = await stoppedClient(await startPeer())
    const { body } = await client.ask('01 00 0000 ffff 00 0100')
    expect(body.length).toBe(2 + 65536)
    expect(body.readUInt16LE(0)).toBe(0)
  })
})

describe('stopping and resuming', () => {
  it('says that it stopped once and stays stopped', async () => {
    const client = await stoppedClient(await startPeer())
    const first = await client.ask(READ_JIFFIES)
    const second = await client.ask(READ_JIFFIES)
    expect([first.type, second.type]).toEqual([0x01, 0x01])
    expect(jiffies(second)).toBe(jiffies(first))
  })

  it('lets what was queued behind an exit wait for the end of the next frame', async () => {
    const client = new Client((await startPeer()).port)
    const sample = Buffer.concat([request(READ_JIFFIES), request('aa')])
    client.send(sample, sample)
    const messages = await client.next(10)
    expect(types(messages)).toEqual([0x31, 0x62, 0x01, 0xaa, 0x63, 0x31, 0x62, 0x01, 0xaa, 0x63])
    expect(jiffies(messages[7])).toBe(jiffies(messages[2]) + 1)
  })

  it('runs on when the client leaves, and only then serves the next one', async () => {
    const peer = await startPeer()
    const first = await stoppedClient(peer)
    const second = new Client(peer.port)
    second.send(request('81', { id: 2 }))
    expect(await first.ask('81')).toMatchObject({ type: 0x81 })
    expect(second.received.length).toBe(0)
    first.socket.destroy()
    expect(types(await second.next(3))).toEqual([0x31, 0x62, 0x81])
  })

  it('survives a client that only knocks', async () => {
    const peer = await startPeer()
    const knocking = new Client(peer.port)
    await once(knocking.socket, 'connect')
    knocking.socket.end()
    const client = await stoppedClient(peer)
    expect(await client.ask('81')).toMatchObject({ type: 0x81 })
  })

  it.each([
    ['a step', '71 00 0100', [0x71, 0x63, 0x31, 0x62]],
    ['a soft reset', 'cc 00', [0xcc, 0x63]],
    ['a power cycle', 'cc 01', [0xcc, 0x63]],
    ['the reset of a drive', 'cc 08', [0xcc]],
  ])('answers %s in order', async (_, command, expected) => {
    const client = await stoppedClient(await startPeer())
    client.send(request(command))
    const messages = await client.next(expected.length)
    expect(types(messages)).toEqual(expected)
  })

  it('steps to the next address', async () => {
    const client = await stoppedClient(await startPeer())
    await client.ask('32 00 0100 03 03 00c0')
    client.send(request('71 00 0200'))
    const [, , , stopped] = await client.next(4)
    expect(stopped?.body.readUInt16LE(0)).toBe(0xc002)
  })

  it('ends when it is told to quit', async () => {
    const peer = await startPeer()
    const client = await stoppedClient(peer)
    expect(await client.ask('bb')).toMatchObject({ type: 0xbb })
    expect(await peer.ended).toBe(0)
  })
})

describe('the machine', () => {
  it('keeps RAM under ROM and I/O apart from what the CPU sees', async () => {
    const client = await stoppedClient(await startPeer())
    await client.ask('02 00 00e0 00e0 00 0100 5a')
    await client.ask('02 00 20d0 20d0 00 0000 07')
    const one = async (address: string, bank: string): Promise<number | undefined> =>
      (await client.ask(`01 00 ${address} ${address} 00 ${bank}`)).body[2]
    expect(await one('00e0', '0100')).toBe(0x5a)
    expect(await one('00e0', '0000')).toBe(await one('00e0', '0200'))
    expect(await one('00e0', '0000')).not.toBe(0x5a)
    expect(await one('20d0', '0000')).toBe(7)
    expect(await one('20d0', '0300')).toBe(7)
    expect(await one('20d0', '0100')).not.toBe(7)
    await client.ask('32 00 0100 03 38 3400')
    expect(await one('00e0', '0000')).toBe(0x5a)
  })

  it('has nibbles in its colour RAM', async () => {
    const client = await stoppedClient(await startPeer())
    await client.ask('02 00 00d8 00d8 00 0000 ab')
    expect((await client.ask('01 00 00d8 00d8 00 0000')).body[2]).toBe(0xfb)
  })

  it('lists banks and registers by name', async () => {
    const client = await stoppedClient(await startPeer())
    const banks = await client.ask('82')
    expect(banks.body.subarray(0, 13).toString('latin1')).toBe('\x06\0\x0a\0\0\x07default')
    const registers = await client.ask('83 00')
    expect(registers.body.subarray(0, 8).toString('latin1')).toBe('\x0a\0\x05\x03\x10\x02PC')
  })

  it('prints the keys it is fed', async () => {
    const client = await stoppedClient(await startPeer())
    expect(await client.ask('72 03 414243')).toMatchObject({ type: 0x72 })
    // One frame puts them in the KERNAL's queue, the next prints them.
    const frame = Buffer.concat([request('aa'), request('01 00 c600 c600 00 0100')])
    client.send(frame, frame, request('01 00 0004 0204 00 0100'))
    const messages = await client.next(11)
    expect(types(messages)).toEqual([0xaa, 0x63, 0x31, 0x62, 0x01, 0xaa, 0x63, 0x31, 0x62, 0x01, 0x01])
    expect(messages[4]?.body[2]).toBe(3)
    expect(messages[9]?.body[2]).toBe(0)
    expect(messages[10]?.body.subarray(2)).toEqual(bytes('010203'))
  })

  it('keeps resources, numbers and texts', async () => {
    const client = await stoppedClient(await startPeer({ standard: 'ntsc' }))
    const name = (text: string): string =>
      Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]).toString('hex')
    expect((await client.ask(`51 ${name('MachineVideoStandard')}`)).body).toEqual(bytes('01 04 02000000'))
    expect(await client.ask(`52 01 ${name('Speed')} 02 e803`)).toMatchObject({ type: 0x52 })
    expect((await client.ask(`51 ${name('Speed')}`)).body).toEqual(bytes('01 04 e8030000'))
    expect(await client.ask(`52 00 ${name('Speed')} ${name('200')}`)).toMatchObject({ type: 0x52 })
    expect((await client.ask(`51 ${name('Speed')}`)).body).toEqual(bytes('01 04 c8000000'))
    expect(await client.ask(`52 00 ${name('Speed')} ${name('fast')}`)).toMatchObject({ error: 0x8f })
    expect((await client.ask(`51 ${name('KernalName')}`)).body.toString('latin1')).toBe('\0\x06kernal')
    await client.ask(`52 01 ${name('JoyPort2Device')} 01 25`)
    expect(await client.ask('a2 0100 ef00')).toMatchObject({ type: 0xa2 })
    expect((await client.ask('01 00 00dc 00dc 00 0300')).body[2]).toBe(0xef)
  })

  it('sends its picture without the last four pixels, and its palette', async () => {
    const client = await stoppedClient(await startPeer())
    const { body } = await client.ask('84 00 00')
    expect(body.subarray(0, 21)).toEqual(bytes('0d000000 f801 3801 8800 3300 4001 c800 08 40660200'))
    expect(body.length).toBe(17 + 504 * 312)
    const palette = await client.ask('91 00')
    expect(palette.body.length).toBe(66)
    expect(palette.body.subarray(0, 6)).toEqual(bytes('1000 03 000000'))
  })
})

describe('checkpoints', () => {
  const STORE_JIFFY = 'a200 a200'

  it('are listed, switched, given a condition and deleted', async () => {
    const client = await stoppedClient(await startPeer())
    const set = await client.ask('12 00c0 ffc0 01 01 04 00')
    expect(set).toMatchObject({ type: 0x11, body: bytes('01000000 00 00c0 ffc0 01 01 04 00 00000000 00000000 00 00') })
    await client.ask(`12 ${STORE_JIFFY} 01 00 02 01 00`)
    client.send(request('14', { id: 4 }))
    const list = await client.next(3)
    expect(list.map(({ type, id }) => [type, id])).toEqual([
      [0x11, 4],
      [0x11, 4],
      [0x14, 4],
    ])
    expect(list[2]?.body).toEqual(bytes('02000000'))
    const condition = Buffer.from('A == $00').toString('hex')
    expect(await client.ask(`22 01000000 08 ${condition}`)).toMatchObject({ type: 0x22 })
    expect(await client.ask(`22 01000000 01 ${Buffer.from('(').toString('hex')}`)).toMatchObject({ error: 0x8f })
    expect(await client.ask('15 01000000 00')).toMatchObject({ type: 0x15 })
    const changed = await client.ask('11 01000000')
    expect([changed.body[10], changed.body[21]]).toEqual([0, 1])
    expect(await client.ask('13 01000000')).toMatchObject({ type: 0x13 })
    expect(await client.ask('13 01000000')).toMatchObject({ error: 0x01 })
  })

  it('stop the machine when the program meets them, the hit told first; a temporary one is gone then', async () => {
    const client = await stoppedClient(await startPeer())
    await client.ask(`12 ${STORE_JIFFY} 01 01 02 01 00`)
    client.send(request('aa'))
    const messages = await client.next(5)
    expect(types(messages)).toEqual([0xaa, 0x63, 0x11, 0x31, 0x62])
    expect(messages[2]).toMatchObject({ id: EVENT_ID })
    expect([messages[2]?.body[4], messages[2]?.body.readUInt32LE(13)]).toEqual([1, 1])
    expect((await client.ask('14')).body).toEqual(bytes('00000000'))
  })

  it('that do not stop are told at each hit', async () => {
    const client = await stoppedClient(await startPeer())
    await client.ask(`12 ${STORE_JIFFY} 00 01 02 00 00`)
    client.send(request('aa'))
    expect(types(await client.next(4))).toEqual([0xaa, 0x63, 0x11, 0x11])
  })
})

describe('versions', () => {
  it('3.5 drops requests of protocol 2 and answers those of protocol 1 with 1', async () => {
    const peer = await startPeer({ version: '3.5' })
    const client = new Client(peer.port)
    client.send(request('81', { id: 3, api: 2 }), request('81', { id: 4, api: 1 }))
    const messages = await client.next(3)
    expect(messages[2]).toMatchObject({ api: 1, type: 0x81, id: 4 })
    await peer.stop()
    expect(peer.requests().map(({ id }) => id)).toEqual([4])
  })

  it('3.5 has none of the commands of 3.6, its own picture layout and no memory space in checkpoints', async () => {
    const client = await stoppedClient(await startPeer({ version: '3.5' }))
    for (const command of ['85', '91 00', 'a2 0000 ff00'])
      expect(await client.ask(command, { api: 1 })).toMatchObject({ error: 0x83 })
    const { body } = await client.ask('84 00 00', { api: 1 })
    expect(body.subarray(0, 12)).toEqual(bytes('2b000000 11000000 40660200'))
    expect(body.length).toBe(43 + 504 * 312)
    expect((await client.ask('12 00c0 ffc0 01 01 04 00', { api: 1 })).body.length).toBe(22)
    expect(await client.ask(`72 04 ${Buffer.from('\\x41').toString('hex')}`, { api: 1 })).toMatchObject({ type: 0x72 })
    client.send(request('aa', { api: 1 }), request('01 00 7702 7702 00 0100', { api: 1 }))
    expect((await client.next(5))[4]?.body).toEqual(bytes('0100 41'))
  })

  it('3.7 answers protocol 1 with 2 and refuses it for keys and the picture', async () => {
    const client = await stoppedClient(await startPeer())
    expect(await client.ask('81', { api: 1 })).toMatchObject({ api: 2, type: 0x81 })
    expect(await client.ask('72 01 41', { api: 1 })).toMatchObject({ error: 0x82 })
    expect(await client.ask('84 00 00', { api: 1 })).toMatchObject({ error: 0x82 })
  })

  it.each([
    ['3.7', '04 03 07 01 00 04 00000000'],
    ['3.9', '04 03 09 00 00 04 00000000'],
    ['3.10', '04 03 0a 00 00 04 00000000'],
  ] as const)('%s says what it is', async (version, expected) => {
    const client = await stoppedClient(await startPeer({ version }))
    expect((await client.ask('85')).body).toEqual(bytes(expected))
  })
})

describe('faults', () => {
  it('answers in pieces', async () => {
    const client = await stoppedClient(await startPeer({ split: true }))
    // Asked again where the reader was late and got many pieces at once; an answer that is whole comes in one or two.
    const piecesOfAnswer = async (): Promise<number> => {
      const before = client.writes
      const { body } = await client.ask('01 00 0000 ff0f 00 0100')
      expect(body.length).toBe(2 + 4096)
      return client.writes - before
    }
    await expect.poll(piecesOfAnswer).toBeGreaterThan(16)
  })

  it('answers in one piece', async () => {
    const client = new Client((await startPeer({ coalesce: true })).port)
    client.send(request('81'), request('81', { id: 2 }), request('aa', { id: 3 }))
    await client.next(6)
    expect(client.writes).toBe(1)
  })

  it('puts garbage without 0x02 before its messages', async () => {
    const client = new Client((await startPeer({ garbageBefore: true })).port)
    client.send(request('81', { id: 9 }))
    const answer = bytes('02 02 00000000 81 00 09000000')
    await expect.poll(() => client.received.includes(answer)).toBe(true)
    const garbage = client.received.subarray(0, client.received.indexOf(2))
    expect(garbage.length).toBeGreaterThan(0)
  })

  it('falls silent, and goes on when it is let', async () => {
    const peer = await startPeer({ silentAfter: 1 })
    const client = await stoppedClient(peer)
    const before = client.received.length
    client.send(request('81', { id: 2 }))
    await expect.poll(() => peer.requests().map(({ id }) => id)).toEqual([1, 2])
    expect(client.received.length).toBe(before)
    await peer.change({ silentAfter: null })
    expect((await client.next(1))[0]).toMatchObject({ type: 0x81, id: 2 })
  })

  it('closes the connection in the middle of an answer', async () => {
    const client = await stoppedClient(await startPeer({ closeMidReply: 2 }))
    const before = client.received.length
    client.send(request('01 00 0004 0104 00 0000'))
    await once(client.socket, 'close')
    expect(client.received.length - before).toBe(8)
  })

  it('answers with another id than it was asked with', async () => {
    const client = await stoppedClient(await startPeer({ wrongIds: true }))
    expect((await client.ask('81', { id: 5 })).id).not.toBe(5)
  })

  it('announces more than it sends', async () => {
    const peer = await startPeer()
    const client = await stoppedClient(peer)
    await peer.change({ hugeLength: 0x7fffffff })
    const before = client.received.length
    client.send(request('81', { id: 6 }))
    await expect.poll(() => client.received.length - before).toBe(12)
    expect(client.received.subarray(before)).toEqual(bytes('02 02 ffffff7f 81 00 06000000'))
  })

  it('refuses the commands it is told to', async () => {
    const client = await stoppedClient(await startPeer({ errorFor: { '01': 0x8f } }))
    expect(await client.ask(READ_JIFFIES)).toMatchObject({ type: 0, error: 0x8f })
    expect(await client.ask('81')).toMatchObject({ type: 0x81 })
  })

  it('jams, says so without a body, and its clock stands still until the reset', async () => {
    const client = await stoppedClient(await startPeer({ jamAfter: 2 }))
    client.send(request('aa'))
    const messages = await client.next(5)
    expect(types(messages)).toEqual([0xaa, 0x63, 0x61, 0x31, 0x62])
    expect(messages[2]).toMatchObject({ id: EVENT_ID, body: Buffer.alloc(0) })
    const jammed = jiffies(await client.ask(READ_JIFFIES))
    client.send(request('aa'), request(READ_JIFFIES))
    expect(jiffies((await client.next(5))[4])).toBe(jammed)
    client.send(request('cc 00'), request(READ_JIFFIES))
    expect(jiffies((await client.next(5))[4])).toBe(1)
  })

  it('can send its picture whole', async () => {
    const client = await stoppedClient(await startPeer({ truncatedDisplay: false }))
    expect((await client.ask('84 00 00')).body.length).toBe(21 + 504 * 312)
  })

  it.each([
    ['the text monitor', { textMonitor: true }, /^\r\n\(C:\$[0-9a-f]{4}\) $/],
    ['a web server', { httpServer: true }, /^HTTP\/1\.1 400 /],
  ])('speaks as %s', async (_, options, expected) => {
    const client = new Client((await startPeer(options)).port)
    client.send(request('81'))
    await expect.poll(() => client.received.toString('latin1')).toMatch(expected)
  })

  it('can be killed', async () => {
    const peer = await startPeer()
    const client = await stoppedClient(peer)
    peer.kill('SIGKILL')
    if (!client.closed) await once(client.socket, 'close')
    expect(await peer.ended).toBeNull()
  })
})

describe('the program', () => {
  it('refuses an option that does not exist', async () => {
    const child = spawn(process.execPath, ['test/peers/viceMonitor.ts', '--options', '{"silent":true}'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(stderr).toContain('The stand-in monitor has no option silent.')
  })

  it('says where it listens and ends with its standard input', async () => {
    const child = spawn(process.execPath, ['test/peers/viceMonitor.ts'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
    await expect.poll(() => stdout).toMatch(/^\{"port":\d+\}\n$/)
    child.stdin.end()
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
  })
})
