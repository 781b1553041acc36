/** The stand-in Ultimate does what is known of the firmware, to the byte, and has the faults it was asked to have. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaults, type UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { datagramRates, picturePixel, toneSample } from '../peers/ultimateStreams'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startPeer(options: Partial<UltimateOptions> = {}): Promise<UltimatePeer> {
  const peer = await startUltimate(options)
  cleanUps.push(() => peer.stop())
  return peer
}

/** Waits for what does not come with a reply. */
const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 })

/** Far more than an answer takes that the device gives: it looks at all its connections between two of them. */
const ROUND_TRIPS = 20

/** What has come to an end once the device has done all else that it was asked, or `none`. */
async function firstOf(peer: UltimatePeer, ...pending: readonly Promise<unknown>[]): Promise<unknown> {
  for (let n = 0; n < ROUND_TRIPS; n++) await peer.state()
  return Promise.race([...pending, turn('none')])
}

/** For tests that leave no trace in the device: one process for all of them. */
let shared: UltimatePeer
beforeAll(async () => (shared = await startUltimate()))
afterAll(() => shared.stop())

async function sharedPeer(options: Partial<UltimateOptions> = {}): Promise<UltimatePeer> {
  await shared.change({ ...defaults, ...options })
  return shared
}

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/[^0-9a-f]/gi, ''), 'hex')

// --- Raw clients -----------------------------------------------------------------------------------------------------

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  cleanUps.push(() => socket.destroy())
  return socket
}

/** All that comes until the connection ends; how it ends is of no interest. */
async function toTheEnd(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  if (!socket.closed) await new Promise((closed) => socket.once('close', closed))
  return Buffer.concat(parts)
}

interface Reply {
  readonly status: number
  readonly statusLine: string
  readonly head: string
  readonly body: Buffer
  readonly errors: readonly string[]
}

function parse(received: Buffer): Reply {
  const end = received.indexOf('\r\n\r\n')
  const head = received.toString('latin1', 0, end)
  const body = received.subarray(end + 4)
  const [statusLine = ''] = head.split('\r\n')
  const json: unknown = head.includes('application/json') ? JSON.parse(body.toString()) : {}
  const errors =
    typeof json === 'object' && json !== null && 'errors' in json && Array.isArray(json.errors)
      ? json.errors.map(String)
      : []
  return { status: Number(statusLine.split(' ')[1]), statusLine, head, body, errors }
}

async function exchange(peer: UltimatePeer, request: string | Buffer): Promise<Buffer> {
  const socket = open(peer.ports.rest)
  socket.write(request)
  return toTheEnd(socket)
}

async function ask(
  peer: UltimatePeer,
  line: string,
  headers: readonly string[] = [],
  body?: string | Buffer,
): Promise<Reply> {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const head = [`${line} HTTP/1.1`, 'Host: c64', ...headers, ...length].join('\r\n')
  return parse(await exchange(peer, Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body ?? '')])))
}

const json = ({ body }: Reply): unknown => JSON.parse(body.toString())

async function send(peer: UltimatePeer, hex: string): Promise<Socket> {
  const socket = open(peer.ports.dma)
  await once(socket, 'connect')
  socket.write(bytes(hex))
  return socket
}

/** A UDP port that keeps what it gets. */
async function receiver() {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
  cleanUps.push(() => void socket.close())
  const datagrams: Buffer[] = []
  socket.on('message', (datagram) => datagrams.push(datagram))
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  return {
    socket,
    port: socket.address().port,
    datagrams,
    stream: () => datagrams.filter(({ length }) => length !== 2),
  }
}

// --- REST ------------------------------------------------------------------------------------------------------------

describe('REST', () => {
  it('answers in one connection per request, with errors last', async () => {
    const peer = await startPeer()
    const reply = await ask(peer, 'GET /v1/version')
    expect(reply.statusLine).toBe('HTTP/1.1 200 OK')
    expect(reply.head).toContain('Connection: close')
    expect(reply.head).toContain('Content-Type: application/json')
    expect(reply.body.toString()).toBe('{ "version" : "0.1", "errors" : [ ] }')
    const info = await ask(peer, 'GET /v1/info')
    expect(json(info)).toEqual({
      product: 'Ultimate 64 Elite',
      firmware_version: '3.15',
      fpga_version: '11F',
      core_version: '143',
      hostname: 'Ultimate-64-Elite-8d927f',
      unique_id: '8D927F',
      errors: [],
    })
  })

  it.each([
    ['GET /v1/machine:readmem', 400, 'Function readmem requires parameter address'],
    ['GET /v1/machine:readmem?address=c000&size=1', 400, 'Function readmem does not have parameter size'],
    ['PUT /v1/configs/Clock%20Settings/Year', 400, 'Function none requires parameter value'],
    ['GET /v1/machine:readmem?address=10000', 400, 'Invalid address'],
    ['GET /v1/machine:readmem?address=-1', 400, 'Invalid address'],
    ['GET /v1/machine:readmem?address=c000&length=65537', 400, 'Invalid length'],
    ['GET /v1/machine:readmem?address=c000&length=-1', 400, 'Invalid length'],
    ['GET /v1/machine:readmem?address=ffff&length=2', 400, 'Memory read exceeds location $FFFF'],
    ['PUT /v1/machine:writemem?address=ffff&data=0102', 400, 'Memory write exceeds location $FFFF'],
    ['PUT /v1/machine:writemem?address=c000&data=', 400, 'Use this API call to write at least one byte!'],
    ['PUT /v1/machine:writemem?address=c000&data=G0', 400, "Invalid char 'G' at position 0."],
    [
      `PUT /v1/machine:writemem?address=c000&data=${'00'.repeat(129)}`,
      400,
      'Maximum length of 128 bytes exceeded. Consider using POST method with attachment.',
    ],
    ['POST /v1/machine:writemem?address=c000', 412, 'Expected Body, but got none.'],
    ['GET /v1/machine:menu_screen', 404, 'Menu screen unavailable.'],
    ['PUT /v1/runners:run_prg?file=/Usb0/none.prg', 404, 'Cannot open file'],
    ['PUT /v1/drives/c:reset', 400, "Invalid Drive 'c'"],
    ['PUT /v1/drives/a:mount?image=/Usb0/disk.d64&type=d99', 400, "Invalid Type 'd99'"],
    ['PUT /v1/drives/a:set_mode?mode=1540', 400, "Invalid Drive Type '1540'"],
    ['PUT /v1/streams/smell:start?ip=127.0.0.1', 404, "Unrecognized stream name 'smell'"],
    ['PUT /v1/streams/video:start?ip=127.0.0.1&palette=1', 400, 'Function start does not have parameter palette'],
    ['GET /v1/files/Usb0/none.d64:info', 404, "FILE DOESN'T EXIST"],
    ['GET /v1/files/Usb9/none.d64:info', 404, "PATH DOESN'T EXIST"],
    ['PUT /v1/configs/Nothing/Year?value=1', 404, "There is no config category that matches 'Nothing'"],
    [
      'PUT /v1/configs/Clock%20Settings/Yeer?value=1',
      404,
      "Item 'Yeer' not found in this configuration category [Clock Settings].",
    ],
    ['PUT /v1/configs/Clock%20Settings/Day?value=32', 400, 'Value 32 is outside of the allowable range (1-31)'],
    [
      'PUT /v1/configs/Drive%20A%20Settings/Drive?value=Maybe',
      400,
      "Value 'Maybe' is not a valid choice for item Drive",
    ],
    ['PUT /v1/configs/a/b:save_to_flash', 400, 'Path depth exceeds 1.'],
  ])('refuses %s with %i', async (line, status, error) => {
    const reply = await ask(await sharedPeer(), line)
    expect(reply.status).toBe(status)
    expect(reply.errors).toEqual([error])
  })

  it('has words for four statuses only', async () => {
    const peer = await startPeer()
    expect((await ask(peer, 'POST /v1/machine:writemem?address=c000')).statusLine).toBe('HTTP/1.1 412 Unknown')
    expect((await ask(peer, 'GET /v1/machine:readmem')).statusLine).toBe('HTTP/1.1 400 Bad Request')
  })

  it.each(['GET /v1/nothing', 'GET /v2/version', 'PUT /v1/machine:readmem?address=0', 'GET /favicon.ico'])(
    'has no body for %s',
    async (line) => {
      const reply = await ask(await sharedPeer({ password: 'secret' }), line)
      expect(reply.statusLine).toBe('HTTP/1.1 404 Not Found')
      expect(reply.body).toHaveLength(0)
      expect(reply.head).not.toContain('Content-Type')
    },
  )

  it('takes a method that it does not know for GET', async () => {
    expect((await ask(await sharedPeer(), 'PATCH /v1/version')).status).toBe(200)
  })

  it('asks for its password once it has one, whatever the case of the header', async () => {
    const peer = await startPeer({ password: 'secret' })
    expect(await ask(peer, 'GET /v1/version')).toMatchObject({ status: 403, errors: ['Forbidden.'] })
    expect((await ask(peer, 'GET /v1/version', ['X-Password: Secret'])).status).toBe(403)
    expect((await ask(peer, 'GET /v1/version', ['x-pASSWORD: secret'])).status).toBe(200)
    await peer.state()
    expect(peer.logOf('rest').map(({ password }) => password)).toEqual(['none', 'wrong', 'right'])
  })

  it('keeps the first twenty header lines, and none past 2,048 bytes', async () => {
    const peer = await startPeer({ password: 'secret' })
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: 1`)
    // Host is the first line.
    expect((await ask(peer, 'GET /v1/version', [...lines(18), 'X-Password: secret'])).status).toBe(200)
    expect((await ask(peer, 'GET /v1/version', [...lines(19), 'X-Password: secret'])).status).toBe(403)
    expect(await exchange(peer, `GET /v1/version HTTP/1.1\r\nX-Long: ${'x'.repeat(2048)}\r\n\r\n`)).toHaveLength(0)
  })

  it('does not take the body of a PUT', async () => {
    const peer = await startPeer()
    expect((await ask(peer, 'PUT /v1/machine:pause', [], 'unwanted')).status).toBe(200)
    await peer.state()
    expect(peer.logOf('rest')[0]).toMatchObject({ strayBytes: 8, body: 0 })
  })

  it('splits at the first colon before it decodes', async () => {
    const peer = await startPeer()
    const category = 'C64%20and%20Cartridge+Settings'
    const reached = await ask(peer, `GET /v1/configs/${category}/UltiDOS%3A%20Allow*`)
    expect(json(reached)).toMatchObject({
      'C64 and Cartridge Settings': { 'UltiDOS: Allow SetDate': { current: 'Disabled' } },
    })
    expect((await ask(peer, `GET /v1/configs/${category}/UltiDOS:%20Allow*`)).status).toBe(404)
    await peer.change({ bugs: { colonNeverReachable: true } })
    expect((await ask(peer, `GET /v1/configs/${category}/UltiDOS%3A%20Allow*`)).status).toBe(404)
  })
})

describe('memory through REST', () => {
  it('reads 256 bytes without a length, and an octet stream of the length asked for', async () => {
    const peer = await startPeer()
    await peer.poke(0xc100, bytes('01 02 03 04'))
    const reply = await ask(peer, 'GET /v1/machine:readmem?address=C100', ['Accept: application/json'])
    expect(reply.head).toContain('Content-Type: application/octet-stream')
    expect(reply.head).toContain('Content-Length: 256')
    expect(reply.body).toHaveLength(256)
    expect(reply.body.subarray(0, 4)).toEqual(bytes('01 02 03 04'))
    expect((await ask(peer, 'GET /v1/machine:readmem?address=0&length=65536')).body).toHaveLength(65536)
    expect((await ask(peer, 'GET /v1/machine:readmem?address=c100&length=0')).body).toHaveLength(0)
  })

  it.each([
    ['address=C100&length=2', 0xc100, 2],
    ['address=0xC100&length=0x3', 0xc100, 3],
    ['address=c100&length=010', 0xc100, 8],
    ['address=%24D020&length=3', 0, 3],
    ['address=ZZZZ&length=3', 0, 3],
    ['address=c1g0&length=3x', 0xc1, 3],
  ])('takes %s as strtol does', async (query, address, length) => {
    const peer = await startPeer()
    for (const at of [0xc1, 0xc100]) await peer.poke(at, bytes('de ad be ef 01 02 03 04'))
    const { body } = await ask(peer, `GET /v1/machine:readmem?${query}`)
    expect(body).toEqual(Buffer.from(await peer.peek(address, length)))
  })

  it('refuses such numbers after 3.15, and a read of nothing', async () => {
    const peer = await startPeer({ firmware: '3.16' })
    expect((await ask(peer, 'GET /v1/machine:readmem?address=%24D020')).errors).toEqual(['Invalid address'])
    expect((await ask(peer, 'GET /v1/machine:readmem?address=D020&length=0')).errors).toEqual(['Invalid length'])
  })

  it('writes pairs of digits and says where, leaving an odd digit out', async () => {
    const peer = await startPeer()
    expect(json(await ask(peer, 'PUT /v1/machine:writemem?address=C000&data=a1B'))).toEqual({
      address: 'c000-c000',
      errors: [],
    })
    expect(json(await ask(peer, 'PUT /v1/machine:writemem?address=c000&data=0102'))).toEqual({
      address: 'c000-c001',
      errors: [],
    })
    expect(await peer.peek(0xc000, 2)).toEqual(bytes('01 02'))
    await peer.change({ firmware: '3.12a' })
    expect(json(await ask(peer, 'PUT /v1/machine:writemem?address=c000&data=0102'))).toEqual({
      address: 'C000-C001',
      errors: [],
    })
  })

  it('writes an attachment: raw, in chunks, or the first part of a form', async () => {
    const peer = await startPeer()
    const raw = await ask(
      peer,
      'POST /v1/machine:writemem?address=c100',
      ['Content-Type: application/octet-stream'],
      bytes('00 ff 0d 0a 80'),
    )
    expect(json(raw)).toEqual({ address: 'c100-c104', errors: [] })
    expect(await peer.peek(0xc100, 5)).toEqual(bytes('00 ff 0d 0a 80'))
    const line = 'POST /v1/machine:writemem?address=c200'
    await exchange(peer, `${line} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nAB\r\n1\r\nC\r\n0\r\n\r\n`)
    expect(await peer.peek(0xc200, 3)).toEqual(Buffer.from('ABC'))
    const form = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nform\r\n--xx--\r\n'
    await ask(peer, 'POST /v1/machine:writemem?address=c300', ['Content-Type: multipart/form-data; boundary=xx'], form)
    expect(await peer.peek(0xc300, 4)).toEqual(Buffer.from('form'))
    expect((await peer.state()).files.filter((path) => path.startsWith('/Temp/'))).toEqual([])
  })

  it('shows what the CPU would see, but for the processor port', async () => {
    const peer = await startPeer()
    await ask(peer, 'PUT /v1/machine:writemem?address=0&data=1234')
    await ask(peer, 'PUT /v1/machine:writemem?address=a000&data=aa')
    await ask(peer, 'PUT /v1/machine:writemem?address=d020&data=07')
    expect(await peer.peek(0, 2)).toEqual(bytes('00 00'))
    expect(await peer.peek(0xa000, 1)).not.toEqual(bytes('aa'))
    expect(await peer.peek(0xd020, 1)).toEqual(bytes('f7'))
    // The signature of visible I/O: bits of the VIC that are not connected read 1.
    const vic = await peer.peek(0xd000, 0x40)
    expect(vic[0x16]).toBe(0xc8)
    expect((vic[0x18] ?? 0) & 1).toBe(1)
    expect(vic.subarray(0x2f)).toEqual(Buffer.alloc(0x11, 0xff))
    await peer.change({ cpuPort: 0x34 })
    expect(await peer.peek(0xa000, 1)).toEqual(bytes('aa'))
    expect(await peer.peek(0xd020, 1)).not.toEqual(bytes('f7'))
  })

  it('has noise in the high half of colour RAM', async () => {
    const colours = await (await startPeer()).peek(0xd800, 1000)
    expect(new Set(colours.map((colour) => colour & 15))).toEqual(new Set([14]))
    expect(new Set(colours.map((colour) => colour >> 4)).size).toBeGreaterThan(1)
  })

  it('says which reads had side effects', async () => {
    const peer = await startPeer()
    await ask(peer, 'GET /v1/machine:readmem?address=d01d&length=2')
    await ask(peer, 'GET /v1/machine:readmem?address=d000&length=30')
    await ask(peer, 'GET /v1/machine:readmem?address=dc0c&length=2')
    await peer.state()
    expect(peer.logOf('sideEffects').map(({ addresses }) => addresses)).toEqual([[0xd01e], [0xdc0d]])
  })

  it('closes the menu up to 3.15', async () => {
    const peer = await startPeer()
    await ask(peer, 'PUT /v1/machine:menu_button')
    expect((await ask(peer, 'GET /v1/machine:menu_screen')).body).toHaveLength(2000)
    await ask(peer, 'GET /v1/machine:readmem?address=c000')
    expect((await peer.state()).menuOpen).toBe(false)
    await peer.change({ firmware: '3.16' })
    await peer.setMenu(true)
    await ask(peer, 'GET /v1/machine:readmem?address=c000')
    expect((await peer.state()).menuOpen).toBe(true)
  })

  it('stops the CPU for each access unless it is paused', async () => {
    const peer = await startPeer()
    await ask(peer, 'GET /v1/machine:readmem?address=c000&length=100')
    await ask(peer, 'PUT /v1/machine:pause')
    await ask(peer, 'GET /v1/machine:readmem?address=c000&length=100')
    expect(await peer.state()).toMatchObject({ paused: true, stops: 1, bytesByDma: 200 })
    await ask(peer, 'PUT /v1/machine:resume')
    expect(await peer.state()).toMatchObject({ paused: false })
  })
})

describe('the other calls', () => {
  it('load a program and leave what LOAD would', async () => {
    const peer = await startPeer()
    const prg = bytes('01 08 0b 08 0a 00 9e 32 30 36 31 00 00 00')
    expect((await ask(peer, 'POST /v1/runners:run_prg', [], prg)).status).toBe(200)
    expect(await peer.peek(0x0801, 12)).toEqual(prg.subarray(2))
    expect(await peer.peek(0x2d, 10)).toEqual(bytes('0d 08 0d 08 0d 08 00 00 00 a0'))
    expect(await peer.peek(0x90, 1)).toEqual(bytes('40'))
    expect(await peer.peek(0xae, 2)).toEqual(bytes('0d 08'))
    expect(await peer.peek(0xba, 1)).toEqual(bytes('08'))
    expect((await peer.state()).runs).toEqual([{ call: 'run_prg', name: '', bytes: prg.toString('hex') }])
    expect((await ask(peer, 'POST /v1/runners:run_crt', [], 'no cartridge')).status).toBe(415)
    expect((await ask(peer, 'POST /v1/runners:sidplay', [], 'no tune')).status).toBe(415)
  })

  it('empty the keyboard buffer and log the keys', async () => {
    const peer = await startPeer()
    await ask(peer, 'PUT /v1/machine:writemem?address=277&data=52554e0d')
    await ask(peer, 'PUT /v1/machine:writemem?address=c6&data=04')
    await eventually(() =>
      expect(peer.logOf('typed')).toEqual([{ kind: 'typed', text: 'RUN\r', codes: [0x52, 0x55, 0x4e, 0x0d] }]),
    )
    expect(await peer.peek(0xc6, 1)).toEqual(bytes('00'))
  })

  it('list drives as objects with one key, and mount', async () => {
    const peer = await startPeer()
    const mounted = await ask(peer, 'PUT /v1/drives/a:mount?image=/Usb0/disk.d64&mode=readonly')
    expect(json(mounted)).toMatchObject({ file: '/Usb0/disk.d64', errors: [] })
    const drives = json(await ask(peer, 'GET /v1/drives'))
    expect(drives).toMatchObject({
      drives: [
        { a: { enabled: true, bus_id: 8, type: '1541', image_file: 'disk.d64', image_path: '/Usb0/' } },
        { b: { enabled: false, bus_id: 9, image_file: '' } },
        { 'IEC Drive': { partitions: [{ id: 0 }] } },
        { 'Printer Emulation': { bus_id: 4 } },
      ],
      errors: [],
    })
    expect((await ask(peer, 'PUT /v1/drives/b:mount?image=/Usb0/disk.g64')).status).toBe(200)
    await peer.change({ firmware: '3.14e' })
    expect((await ask(peer, 'PUT /v1/drives/b:mount?image=/Usb0/disk.g64')).status).toBe(500)
  })

  it('read, describe and write the configuration', async () => {
    const peer = await startPeer()
    expect(json(await ask(peer, 'GET /v1/configs'))).toMatchObject({
      categories: expect.arrayContaining(['Data Streams', 'Network Settings']) as unknown,
    })
    expect(json(await ask(peer, 'GET /v1/configs/nothing'))).toEqual({ errors: [] })
    expect(json(await ask(peer, 'GET /v1/configs/data%20str*'))).toMatchObject({
      'Data Streams': { 'Debug Stream Mode': '6510 Only' },
    })
    const body = JSON.stringify({ 'Clock Settings': { Day: 9, Month: 'Smarch' } })
    expect((await ask(peer, 'POST /v1/configs', ['Content-Type: application/json; charset=utf-8'], body)).status).toBe(
      400,
    )
    const partly = await ask(peer, 'POST /v1/configs', ['Content-Type: application/json'], body)
    expect(partly).toMatchObject({ status: 400, errors: ["Value 'Smarch' is not a valid choice for item Month"] })
    expect(json(await ask(peer, 'GET /v1/configs/clock*/d%3Fy'))).toEqual({
      'Clock Settings': { Day: { current: 9, min: 1, max: 31, default: 4 } },
      errors: [],
    })
    expect(json(await ask(peer, 'PUT /v1/configs:save_to_flash'))).toEqual({ written: ['Clock Settings'], errors: [] })
    expect(json(await ask(peer, 'PUT /v1/configs/Clock%20Settings:reset_to_default'))).toEqual({
      reset: ['Clock Settings'],
      errors: [],
    })
    expect(json(await ask(peer, 'GET /v1/configs/clock*'))).toMatchObject({ 'Clock Settings': { Day: 4 } })
    expect(json(await ask(peer, 'PUT /v1/configs/Clock%20Settings:load_from_flash'))).toEqual({
      loaded: ['Clock Settings'],
      errors: [],
    })
    expect(json(await ask(peer, 'GET /v1/configs/clock*'))).toMatchObject({ 'Clock Settings': { Day: 9 } })
  })

  it('do not escape strings up to 3.15', async () => {
    const peer = await startPeer({ hostname: 'my "C64"' })
    const info = (): Promise<Buffer> => exchange(peer, 'GET /v1/info HTTP/1.1\r\n\r\n')
    expect((await info()).toString()).toContain('"hostname" : "my "C64""')
    await peer.change({ firmware: '3.16' })
    expect(json(parse(await info()))).toMatchObject({ hostname: 'my "C64"' })
  })

  it('inject keys and joysticks', async () => {
    const peer = await startPeer()
    const input = (events: unknown, type = 'application/json') =>
      ask(peer, 'POST /v1/machine:input', [`Content-Type: ${type}`], JSON.stringify({ events }))
    const pressed = await input([
      { kind: 'keyboard', inputs: ['left_shift', 'a'], transition: 'press' },
      { kind: 'joystick', port: 2, inputs: ['up', 'fire'], transition: 'press' },
      { kind: 'keyboard', inputs: ['space'], transition: 'tap' },
    ])
    const state = {
      keyboard: { inputs: ['left_shift', 'a'] },
      joysticks: [
        { port: 1, inputs: [] },
        { port: 2, inputs: ['up', 'fire'] },
      ],
      errors: [],
    }
    expect(json(pressed)).toEqual(state)
    expect(json(await ask(peer, 'GET /v1/machine:input'))).toEqual(state)
    for (const wrong of [
      { kind: 'keyboard', inputs: ['hyper'], transition: 'tap' },
      { kind: 'keyboard', inputs: ['restore'], transition: 'press' },
      { kind: 'joystick', port: 3, inputs: ['up'], transition: 'tap' },
      { kind: 'keyboard', inputs: ['a'], transition: 'tap', when: 'now' },
    ]) {
      const refused = await input([{ kind: 'release_all' }, wrong])
      expect(refused.status).toBe(400)
      expect(refused.errors[0]).toMatch(/^events\[1\]: /)
    }
    expect((await input([{ kind: 'release_all' }], 'application/json; charset=utf-8')).status).toBe(400)
    expect(await peer.state()).toMatchObject({ heldKeys: ['left_shift', 'a'] })
    await ask(peer, 'PUT /v1/machine:reset')
    expect(await peer.state()).toMatchObject({ heldKeys: [], resets: 1 })
  })

  it('create disk images and tell about files', async () => {
    const peer = await startPeer()
    const created = await ask(peer, 'PUT /v1/files/Usb0/new.d64:create_d64?tracks=40&diskname=WORK')
    expect(json(created)).toEqual({
      path: '/Usb0/new.d64',
      tracks: 40,
      diskname: 'WORK',
      bytes_written: 196_608,
      errors: [],
    })
    const info = await ask(peer, 'GET /v1/files/Usb0/new.d64:info')
    expect(json(info)).toEqual({
      files: { path: '/Usb0/new.d64', filename: 'new.d64', size: 196_608, extension: 'D64' },
      errors: [],
    })
    expect((await ask(peer, 'PUT /v1/files/Usb0/new.dnp:create_dnp?tracks=256')).errors).toEqual([
      'Invalid number of tracks (1-255).',
    ])
  })

  it('set $D7FF', async () => {
    const peer = await startPeer()
    expect(json(await ask(peer, 'PUT /v1/machine:debugreg?value=ab'))).toEqual({ value: 'AB', errors: [] })
    expect(json(await ask(peer, 'GET /v1/machine:debugreg'))).toEqual({ value: 'AB', errors: [] })
  })

  it.each<[UltimateOptions['firmware'], string, number]>([
    ['3.11', 'GET /v1/info', 404],
    ['3.12', 'GET /v1/info', 200],
    ['3.11', 'PUT /v1/machine:menu_button', 404],
    ['3.14e', 'GET /v1/machine:input', 404],
    ['3.15', 'GET /v1/machine:input', 200],
    ['3.14e', 'GET /v1/machine:menu_screen', 404],
    ['3.16', 'PUT /v1/streams/audio:start?ip=127.0.0.1:9&palette=1', 200],
  ])('in %s: %s is %i', async (firmware, line, status) => {
    expect((await ask(await sharedPeer({ firmware }), line)).status).toBe(status)
  })

  it.each([
    ['PUT /v1/streams/video:start?ip=127.0.0.1', 404],
    ['GET /v1/machine:debugreg', 404],
    ['PUT /v1/machine:poweroff', 501],
    ['GET /v1/machine:input', 501],
    ['GET /v1/machine:readmem?address=0', 200],
    ['GET /v1/drives', 200],
  ])('on a cartridge: %s is %i', async (line, status) => {
    expect((await ask(await sharedPeer({ product: 'Ultimate II+' }), line)).status).toBe(status)
  })
})

describe('the web server', () => {
  it('serves four connections at a time and lets two more wait', async () => {
    const peer = await startPeer()
    const idle = Array.from({ length: 4 }, () => open(peer.ports.rest))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    await eventually(async () => expect((await peer.state()).restSlotsInUse).toBe(4))
    const waiting = [ask(peer, 'GET /v1/version'), ask(peer, 'GET /v1/info')]
    const refused = exchange(peer, 'GET /v1/drives HTTP/1.1\r\n\r\n')
    expect(await firstOf(peer, ...waiting, refused)).toBe('none')
    idle[0]?.destroy()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('does one call after the other', async () => {
    const peer = await startPeer({ slow: 50 })
    const began = performance.now()
    await Promise.all([1, 2, 3, 4].map(() => ask(peer, 'GET /v1/version')))
    expect(performance.now() - began).toBeGreaterThanOrEqual(190)
  })

  it('closes idle connections, which older firmware did not', async () => {
    const peer = await startPeer({ restIdle: 30 })
    expect(await toTheEnd(open(peer.ports.rest))).toHaveLength(0)
    await eventually(() => expect(peer.logOf('rest')).toMatchObject([{ outcome: 'idle' }]))
  })

  it('answers nothing while wedged, and forgets what it was asked', async () => {
    const peer = await startPeer({ restFault: 'wedged' })
    const socket = open(peer.ports.rest)
    socket.write('PUT /v1/machine:reset HTTP/1.1\r\n\r\n')
    const received = toTheEnd(socket)
    expect(await firstOf(peer, received)).toBe('none')
    await peer.change({ restFault: null })
    expect(await received).toHaveLength(0)
    expect((await ask(peer, 'GET /v1/version')).status).toBe(200)
    expect(await peer.state()).toMatchObject({ resets: 0 })
  })

  it('can reset connections, cut replies off, or drop every third request', async () => {
    const peer = await startPeer({ restFault: 'refuse' })
    expect(await exchange(peer, 'GET /v1/version HTTP/1.1\r\n\r\n')).toHaveLength(0)
    await peer.change({ restFault: 'cutOff' })
    const cut = parse(await exchange(peer, 'GET /v1/machine:readmem?address=c000 HTTP/1.1\r\n\r\n'))
    expect(cut.head).toContain('Content-Length: 256')
    expect(cut.body).toHaveLength(128)
    await peer.change({ restFault: null, dropEvery: 3 })
    const lengths: boolean[] = []
    for (let n = 0; n < 6; n += 1) lengths.push((await exchange(peer, 'GET /v1/version HTTP/1.1\r\n\r\n')).length > 0)
    expect(lengths).toEqual([true, true, false, true, true, false])
  })

  it('can write broken JSON, or be something else', async () => {
    const peer = await startPeer({ restFault: 'invalidJson' })
    const broken = (await exchange(peer, 'GET /v1/info HTTP/1.1\r\n\r\n')).toString()
    expect(broken).toContain('\u0001')
    expect(() => parse(Buffer.from(broken))).toThrow(SyntaxError)
    await peer.change({ restFault: 'notAnUltimate' })
    expect((await ask(peer, 'GET /v1/version')).head).toContain('text/html')
  })

  it('hangs where the old bugs made it hang', async () => {
    const peer = await startPeer({ bugs: { readmemOutOfMemory: true } })
    const hung = exchange(peer, 'GET /v1/machine:readmem?address=0&length=65536 HTTP/1.1\r\n\r\n')
    const next = exchange(peer, 'GET /v1/version HTTP/1.1\r\n\r\n')
    expect(await firstOf(peer, hung, next)).toBe('none')
    await peer.change({ bugs: {} })
    expect((await ask(peer, 'GET /v1/version')).status).toBe(200)
  })

  it('hangs at long headers before 3.15', async () => {
    const peer = await startPeer({ firmware: '3.14e' })
    const hung = exchange(peer, `GET /v1/version HTTP/1.1\r\nX-Long: ${'x'.repeat(2048)}\r\n\r\n`)
    await eventually(() => expect(peer.logOf('rest')).toMatchObject([{ outcome: 'header too long' }]))
    const next = exchange(peer, 'GET /v1/version HTTP/1.1\r\n\r\n')
    expect(await firstOf(peer, hung, next)).toBe('none')
  })

  it('can take the time that a real unit takes', async () => {
    const peer = await startPeer({ realTiming: true })
    const began = performance.now()
    await ask(peer, 'POST /v1/runners:load_prg', [], bytes('01 08 00 00'))
    expect(performance.now() - began).toBeGreaterThanOrEqual(400)
  })

  it('goes away and comes back on the same ports', async () => {
    const peer = await startPeer()
    const idle = toTheEnd(open(peer.ports.rest))
    await peer.poke(0xc100, bytes('77'))
    await peer.away(600)
    await idle
    await expect(once(connect(peer.ports.rest, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(once(connect(peer.ports.dma, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await peer.away(0)
    await eventually(() => expect(peer.logOf('back')).toHaveLength(1))
    expect((await ask(peer, 'GET /v1/machine:readmem?address=c100&length=1')).body).toEqual(bytes('77'))
    await peer.away(0, { powerCycle: true })
    await eventually(() => expect(peer.logOf('back')).toHaveLength(2))
    expect((await ask(peer, 'GET /v1/machine:readmem?address=c100&length=1')).body).not.toEqual(bytes('77'))
  })

  it('switches off', async () => {
    const peer = await startPeer()
    await exchange(peer, 'PUT /v1/machine:poweroff HTTP/1.1\r\n\r\n')
    await eventually(async () => expect((await peer.state()).poweredOff).toBe(true))
    await expect(once(connect(peer.ports.rest, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

// --- TCP 64 and ident ------------------------------------------------------------------------------------------------

describe('the DMA service', () => {
  it('writes memory, drops words that are no command, and takes a command in pieces', async () => {
    const peer = await startPeer()
    const socket = await send(peer, '34 12 06 ff 05 00 00 c1 01 02 03 06 ff 03')
    socket.write(bytes('00 10 c1 aa'))
    await eventually(() => expect(peer.logOf('dma')).toHaveLength(2))
    expect(await peer.peek(0xc100, 3)).toEqual(bytes('01 02 03'))
    expect(await peer.peek(0xc110, 1)).toEqual(bytes('aa'))
    expect(peer.logOf('dma')[0]).toEqual({
      kind: 'dma',
      command: 'ff06',
      length: 5,
      payload: '00c1010203',
      outcome: 'done',
    })
  })

  it('types, identifies, resets, and loads and runs', async () => {
    const peer = await startPeer()
    const socket = await send(peer, '03 ff 03 00 41 42 0d 0e ff 00 00')
    const [title] = (await once(socket, 'data')) as [Buffer]
    expect(title[0]).toBe(title.length - 1)
    expect(title.toString('latin1', 1)).toContain('Ultimate 64 Elite')
    await eventually(() => expect(peer.logOf('typed')).toMatchObject([{ text: 'AB\r' }]))
    socket.write(bytes('04 ff 00 00 02 ff 04 00 00 c1 55 66'))
    await eventually(async () =>
      expect((await peer.state()).runs).toEqual([{ call: 'DMARUN', name: '', bytes: '00c15566' }]),
    )
    expect(await peer.peek(0xc100, 2)).toEqual(bytes('55 66'))
    expect(await peer.state()).toMatchObject({ resets: 2 })
  })

  it('has lengths of three bytes for images', async () => {
    const peer = await startPeer()
    const image = Buffer.alloc(174_848, 7)
    const socket = await send(peer, '0a ff 00 ab 02')
    socket.write(image)
    await eventually(async () => expect((await peer.state()).drives.a).toMatchObject({ size: 174_848 }))
  })

  it('exchanges the debug register', async () => {
    const socket = await send(await startPeer(), '76 ff 01 00 99')
    expect((await once(socket, 'data'))[0]).toEqual(bytes('00'))
    socket.write(bytes('76 ff 00 00'))
    expect((await once(socket, 'data'))[0]).toEqual(bytes('99'))
  })

  it('waits for ticks of 5 ms that stand in the length', async () => {
    const began = performance.now()
    const socket = await send(await startPeer(), '05 ff 14 00 76 ff 00 00')
    await once(socket, 'data')
    expect(performance.now() - began).toBeGreaterThanOrEqual(95)
  })

  it('wants its password first', async () => {
    const peer = await startPeer({ password: 'secret' })
    expect(await toTheEnd(await send(peer, '06 ff 03 00 00 c1 01'))).toHaveLength(0)
    expect(await toTheEnd(await send(peer, '1f ff 03 00 62 61 64'))).toEqual(bytes('00'))
    const socket = await send(peer, '1f ff 06 00 73 65 63 72 65 74')
    expect((await once(socket, 'data'))[0]).toEqual(bytes('01'))
    socket.write(bytes('06 ff 03 00 00 c1 42'))
    await eventually(async () => expect(await peer.peek(0xc100, 1)).toEqual(bytes('42')))
  })

  it('serves one client at a time and closes an idle one', async () => {
    const peer = await startPeer({ dmaIdle: 200 })
    const first = await send(peer, '76 ff 00 00')
    await once(first, 'data')
    const second = await send(peer, '76 ff 00 00')
    await once(second, 'data')
    await peer.state()
    // On a busy computer the second one is idle by now, too.
    const outcomes = peer.logOf('dma').map(({ outcome }) => outcome)
    expect(outcomes.slice(0, 3)).toEqual(['done', 'idle', 'done'])
    expect(await toTheEnd(first)).toHaveLength(0)
  })

  it('can refuse, hang or be switched off', async () => {
    const peer = await startPeer({ dmaFault: 'refuse' })
    expect(await toTheEnd(open(peer.ports.dma))).toHaveLength(0)
    await peer.change({ dmaFault: 'wedged' })
    const hung = toTheEnd(await send(peer, '0e ff 00 00'))
    expect(await firstOf(peer, hung)).toBe('none')
    await peer.change({ dmaFault: null })
    expect(await hung).toHaveLength(0)
    await once(await send(peer, '0e ff 00 00'), 'data')
    await ask(peer, 'PUT /v1/configs/Network%20Settings/Ultimate%20DMA%20Service?value=Disabled')
    expect(await toTheEnd(open(peer.ports.dma))).toHaveLength(0)
  })
})

describe('ident', () => {
  it('answers in JSON or in one line', async () => {
    const peer = await startPeer({ password: 'secret' })
    const { socket, datagrams } = await receiver()
    socket.send('jsonhello', peer.ports.ident, '127.0.0.1')
    await eventually(() => expect(datagrams).toHaveLength(1))
    expect(JSON.parse(String(datagrams[0]))).toMatchObject({
      product: 'Ultimate 64 Elite',
      your_string: 'hello',
      password_protected: true,
      unique_id: '8D927F',
    })
    socket.send('who?', peer.ports.ident, '127.0.0.1')
    await eventually(() => expect(datagrams).toHaveLength(2))
    expect(String(datagrams[1])).toMatch(/^who\?,Ultimate-64-Elite-8d927f,\*\*\* Ultimate 64 Elite/)
    await peer.state()
    expect(peer.logOf('ident').map(({ text }) => text)).toEqual(['jsonhello', 'who?'])
  })
})

// --- Streams ---------------------------------------------------------------------------------------------------------

describe('the streams', () => {
  it.each(['pal', 'ntsc'] as const)('send the %s picture in packets of four lines', async (standard) => {
    const lines = standard === 'pal' ? 272 : 240
    const peer = await startPeer({ standard, arpDatagrams: 2, streamSpeed: 20 })
    const { port, datagrams, stream } = await receiver()
    expect((await ask(peer, `PUT /v1/streams/video:start?ip=127.0.0.1:${port}`)).status).toBe(200)
    await eventually(() => expect(stream().length).toBeGreaterThan((2 * lines) / 4))
    await ask(peer, 'PUT /v1/streams/video:stop')
    expect(datagrams.slice(0, 2)).toEqual([bytes('00 00'), bytes('00 00')])
    // A busy computer may lose some.
    const numbers = stream().map((datagram) => datagram.readUInt16LE(0))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    stream()
      .slice(0, lines / 2)
      .forEach((datagram) => {
        const n = datagram.readUInt16LE(0)
        expect(datagram).toHaveLength(780)
        const line = (4 * n) % lines
        const frame = Math.floor((4 * n) / lines)
        const header = [n, frame, line === lines - 4 ? line | 0x8000 : line, 384, 0x0404, 0]
        expect(Array.from({ length: 6 }, (_, word) => datagram.readUInt16LE(2 * word))).toEqual(header)
        for (const [x, y] of [
          [0, 0],
          [1, 0],
          [382, 3],
          [383, 3],
        ] as const) {
          const pair = datagram[12 + y * 192 + (x >> 1)] ?? 0
          expect(x & 1 ? pair >> 4 : pair & 15).toBe(picturePixel(frame, x, line + y))
        }
      })
  })

  it('send audio', async () => {
    const peer = await startPeer()
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/audio:start?ip=127.0.0.1:${port}`)
    await eventually(() => expect(stream().length).toBeGreaterThan(3))
    // A busy computer loses some.
    const second = stream()[1] ?? Buffer.alloc(0)
    expect(second).toHaveLength(770)
    const from = second.readUInt16LE(0) * 192
    expect([second.readInt16LE(2), second.readInt16LE(4)]).toEqual([
      toneSample(from, 'left'),
      toneSample(from, 'right'),
    ])
  })

  it('send as many datagrams as the device', () => {
    const pal = datagramRates('pal')
    expect([Math.round(pal.video), Math.round(pal.audio), Math.round(pal.debug)]).toEqual([3408, 250, 2737])
    expect(Math.round(datagramRates('ntsc').video)).toBe(3590)
  })

  it('show every write of the program in debug entries', async () => {
    // Slow enough that a busy computer, which has room for some 90 datagrams, misses none.
    const peer = await startPeer({ streamSpeed: 5 })
    const shadow = new Uint8Array(await peer.peek(0, 0x10000, 'ram'))
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/debug:start?ip=127.0.0.1:${port}`)
    await eventually(() => expect(stream().length).toBeGreaterThan(100))
    await ask(peer, 'PUT /v1/streams/debug:stop')
    const { streams, programCycles } = await peer.state()
    await eventually(() => expect(stream()).toHaveLength(streams.debug.sent))
    let writes = 0
    stream().forEach((datagram, n) => {
      expect([datagram.length, datagram.readUInt16LE(0), datagram.readUInt16LE(2)]).toEqual([1444, n & 0xffff, 0])
      for (let at = 4; at < 1444; at += 4) {
        const entry = datagram.readUInt32LE(at)
        const isWrite = (entry & 0x01000000) === 0
        // All lines high: PHI2, no cartridge, bus available, no interrupt.
        if (entry >>> 25 !== 0x7f) throw new Error(`An odd entry: ${entry.toString(16)}`)
        if (isWrite) {
          shadow[entry & 0xffff] = (entry >>> 16) & 0xff
          writes += 1
        } else if (shadow[entry & 0xffff] !== ((entry >>> 16) & 0xff))
          throw new Error(`A read of something else: ${entry.toString(16)}`)
      }
    })
    expect(writes).toBeGreaterThan(200)
    expect(programCycles).toBe(360 * stream().length)
    expect(Buffer.from(shadow).equals(Buffer.from(await peer.peek(0, 0x10000, 'ram')))).toBe(true)
  })

  it('take turns of 6510 and VIC where that is the mode', async () => {
    const peer = await startPeer()
    await ask(peer, 'PUT /v1/configs/Data%20Streams/Debug%20Stream%20Mode?value=6510%20%26%20VIC')
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/debug:start?ip=127.0.0.1:${port}`)
    await eventually(() => expect(stream().length).toBeGreaterThan(2))
    const phases = Array.from({ length: 360 }, (_, n) => (stream()[0]?.readUInt32LE(4 + 4 * n) ?? 0) >>> 31)
    expect(phases).toEqual(Array.from({ length: 180 }, () => [1, 0]).flat())
  })

  it('show a stopped CPU while paused', async () => {
    const peer = await startPeer()
    await ask(peer, 'PUT /v1/machine:pause')
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/debug:start?ip=127.0.0.1:${port}`)
    await eventually(() => expect(stream().length).toBeGreaterThan(2))
    expect(((stream()[1]?.readUInt32LE(4) ?? 0) >>> 28) & 1).toBe(0)
    expect(await peer.state()).toMatchObject({ programCycles: 0 })
  })

  it('exclude each other through the DMA service, and end by themselves', async () => {
    const peer = await startPeer()
    const { port, stream } = await receiver()
    const destination = Buffer.from(`127.0.0.1:${port}`)
    const command = (code: number, ticks: number): Buffer =>
      Buffer.concat([Buffer.from([code, 0xff, destination.length + 2, 0, ticks, 0]), destination])
    const socket = await send(peer, '')
    socket.write(command(0x20, 0))
    await eventually(() => expect(stream().length).toBeGreaterThan(0))
    socket.write(command(0x22, 20))
    await eventually(() => expect(peer.logOf('stream')).toHaveLength(4))
    expect(peer.logOf('stream').map(({ stream: name, event }) => `${name} ${event}`)).toEqual([
      'video start',
      'video stop',
      'debug start',
      'debug stop',
    ])
    // 20 ticks of 5 ms.
    expect((await peer.state()).streams.debug.made).toBe(273)
  })

  it('send palettes where a draft of the firmware is asked to', async () => {
    const peer = await startPeer({ firmware: '3.16' })
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/video:start?ip=127.0.0.1:${port}&palette=1`)
    const palettes = () => stream().filter(({ length }) => length === 60)
    await eventually(() => expect(palettes()).toHaveLength(2))
    expect(palettes()[0]?.subarray(0, 18)).toEqual(bytes('0000 0000 ef00 8001 01 04 0100 000000 f7f7f7'))
  })

  it('go where the configuration says when the DMA service is told nothing else, since 3.14d', async () => {
    const peer = await startPeer({ firmware: '3.14' })
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/configs/Data%20Streams/Stream%20Audio%20to?value=127.0.0.1:${port}`)
    const socket = await send(peer, '21 ff 00 00')
    await eventually(() => expect(peer.logOf('dma')).toHaveLength(1))
    expect(peer.logOf('stream')).toEqual([])
    await peer.change({ firmware: '3.14d' })
    socket.write(bytes('21 ff 00 00'))
    await eventually(() => expect(stream().length).toBeGreaterThan(0))
  })

  it('are not needed for the program to run', async () => {
    const peer = await startPeer({ programRuns: true })
    const before = await peer.peek(0x2000, 0x2000)
    await eventually(async () => expect(await peer.peek(0x2000, 0x2000)).not.toEqual(before))
    await ask(peer, 'PUT /v1/machine:pause')
    const { programCycles } = await peer.state()
    // The program's cycles are counted by the clock.
    await new Promise((later) => setTimeout(later, 50))
    expect(await peer.state()).toMatchObject({ programCycles })
  })

  it('need a host that answers, and a cable', async () => {
    const peer = await startPeer({ arpDatagrams: null })
    const { port, datagrams } = await receiver()
    const reply = await ask(peer, `PUT /v1/streams/video:start?ip=127.0.0.1:${port}`)
    expect(reply).toMatchObject({ status: 404, errors: ['Network Host Resolve Error'] })
    await eventually(() => expect(datagrams).toHaveLength(10))
    await peer.change({ wired: false })
    expect((await ask(peer, `PUT /v1/streams/video:start?ip=127.0.0.1:${port}`)).errors).toEqual([
      'No Operational Network Interface',
    ])
  })

  it('lose, repeat, swap and lengthen datagrams where they are told to, and count it', async () => {
    const peer = await startPeer({
      streamLoss: 5,
      streamDuplicates: 5,
      streamReorder: 5,
      streamOversized: 5,
      streamSpeed: 20,
    })
    const { port, stream } = await receiver()
    await ask(peer, `PUT /v1/streams/video:start?ip=127.0.0.1:${port}`)
    await eventually(() => expect(stream().length).toBeGreaterThan(600))
    await ask(peer, 'PUT /v1/streams/video:stop')
    const { sent, made, lost, duplicated, reordered, oversized, skipped } = (await peer.state()).streams.video
    await eventually(() => expect(stream()).toHaveLength(sent))
    const sequence = stream().map((datagram) => datagram.readUInt16LE(0))
    expect(new Set(sequence).size).toBe(made - lost - skipped)
    expect(sequence.length - new Set(sequence).size).toBe(duplicated)
    expect(stream().filter(({ length }) => length === 880).length).toBeGreaterThanOrEqual(oversized)
    expect(sequence.some((number, n) => number < (sequence[n - 1] ?? 0))).toBe(true)
    for (const count of [lost, duplicated, reordered, oversized]) expect(count).toBeGreaterThan(0)
  })
})
