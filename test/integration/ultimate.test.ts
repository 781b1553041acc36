/** The Ultimate driver against a stand-in that was written from the reference without knowing it. */
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { assert, asyncProperty, integer, oneof, uint8Array } from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { requireFacet, type Machine, type Sample, type SampleRequest } from '../../src-main/machine/machine'
import { discoverUltimates } from '../../src-main/machine/ultimate/discovery'
import { DmaService, pressKeys, resetC64, writeMemory } from '../../src-main/machine/ultimate/dmaService'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { eventually } from '../vice/eventually'
import { collectSamples, memoryNotes, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const all: SampleRequest = { mode: 'free', rate: 20, spaces: ['cpu', 'ram', 'rom', 'io', 'colorRam'], picture: true }

interface Setting {
  readonly peer: UltimatePeer
  readonly machine: Machine
  readonly samples: Sample[]
  readonly notes: ReturnType<typeof memoryNotes>
  readonly allowed: { budget: number; sideEffects: boolean }
}

async function setUp(options: Partial<UltimateOptions> = {}): Promise<Setting> {
  const peer = await startUltimate(options)
  const notes = memoryNotes()
  const allowed = { budget: 0.05, sideEffects: false }
  const { rest: port, dma: dmaPort } = peer.ports
  const machine = createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort,
    notes,
    allowed: () => allowed,
  })
  cleanUps.push(
    () => peer.stop(),
    () => machine.disconnect(),
  )
  return { peer, machine, samples: collectSamples(machine), notes, allowed }
}

async function connected(options: Partial<UltimateOptions> = {}): Promise<Setting> {
  const setting = await setUp(options)
  await setting.machine.connect(soon())
  return setting
}

type Answer = (response: ServerResponse) => void

const json = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

/** A machine whose device answers some paths itself; all others reach a peer. */
async function behind(options: Partial<UltimateOptions>, answers: Readonly<Record<string, Answer>>) {
  const peer = await startUltimate(options)
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    const answer = answers[url]
    if (answer) {
      answer(response)
      return
    }
    const forwarded = httpRequest({ host: '127.0.0.1', port: peer.ports.rest, method, path: url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const machine = createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort: peer.ports.dma,
    notes: memoryNotes(),
    allowed: () => ({ budget: 1, sideEffects: false }),
  })
  cleanUps.push(
    () => peer.stop(),
    () => {
      server.closeAllConnections()
      server.close()
    },
    () => machine.disconnect(),
  )
  return { machine }
}

describe('connecting', () => {
  it('learns what the device is', async () => {
    const { machine } = await connected({ product: 'Ultimate 64 Elite', firmware: '3.15' })
    expect(machine.status).toMatchObject({ connection: 'live', version: 'Ultimate 64 Elite, firmware 3.15' })
    expect(machine.unsupported.videoStream).toBeUndefined()
    expect(machine.unsupported.keyMatrix).toBeUndefined()
    expect(machine.unsupported.ramUnderRom).toContain('RAM under ROM')
  })

  it('a cartridge has neither streams nor held keys', async () => {
    const { machine } = await connected({ product: 'Ultimate II+' })
    expect(machine.unsupported.videoStream).toContain('Only an Ultimate 64')
    expect(() => requireFacet(machine, 'debugStream')).toThrow('Only an Ultimate 64')
    expect(() => requireFacet(machine, 'joystick')).toThrow('Only an Ultimate 64')
  })

  it('firmware before 3.12, which cannot say what it is, is known all the same', async () => {
    const { machine } = await connected({ firmware: '3.11' })
    expect(machine.status.version).toBe('Ultimate, firmware before 3.12')
    expect(() => requireFacet(machine, 'menuButton')).toThrow('3.12 or later')
  })

  it('firmware before 3.15 cannot hold keys', async () => {
    const { machine } = await connected({ firmware: '3.14e' })
    expect(() => requireFacet(machine, 'keyMatrix')).toThrow('3.15 or later')
  })

  it('a missing password is asked for', async () => {
    const { machine } = await setUp({ password: 'secret' })
    await expect(machine.connect(soon())).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('requires its network password') as string,
    })
    expect(machine.status.connection).toBe('lost')
  })

  it('a wrong password is told from a missing one', async () => {
    const { machine } = await setUp({ password: 'secret' })
    await expect(machine.connect(soon(), 'guess')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('rejected the password') as string,
    })
  })

  it('the right password opens it', async () => {
    const { machine, peer } = await setUp({ password: 'secret' })
    await machine.connect(soon(), 'secret')
    await read(machine, 0xc000, 4)
    expect(peer.logOf('rest').every(({ password }) => password === 'right')).toBe(true)
  })

  it('a host where nothing listens is named', async () => {
    const { machine, peer } = await setUp()
    await peer.stop()
    await expect(machine.connect(soon())).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('refused') as string,
    })
  })

  it('another web server is no Ultimate', async () => {
    const { machine } = await setUp({ restFault: 'notAnUltimate' })
    await expect(machine.connect(soon())).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('is not an Ultimate') as string,
    })
  })

  it('a web server that says 200 to everything is no Ultimate either', async () => {
    const server = createServer((_request, response) => response.end('<html>hello</html>'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    cleanUps.push(() => server.close())
    const machine = createUltimateMachine({
      name: 'x',
      host: '127.0.0.1',
      port,
      notes: memoryNotes(),
      allowed: () => ({ budget: 1, sideEffects: false }),
    })
    await expect(machine.connect(soon())).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it.each<[string, Answer]>([
    ['that it answers with nonsense', (response) => response.end('<html>')],
    ['that it answers with another kind of value', (response) => json(response, 200, [])],
    ['that makes it fail', (response) => json(response, 500, { errors: ['Internal error.'] })],
    ['that it refuses', (response) => json(response, 400, { errors: ['No such thing.'] })],
    ['that it hangs up on', (response) => void response.socket?.destroy()],
    ['that it never answers', () => undefined],
  ])('an optional call %s costs what it is for, not the connection', async (_how, odd) => {
    const { machine } = await behind(
      { product: 'Ultimate II+' },
      { '/v1/machine:debugreg': odd, '/v1/machine:input': odd },
    )
    await machine.connect(soon())
    expect(machine.status.connection).toBe('live')
    expect(machine.unsupported.videoStream).toContain('does without this')
    expect(machine.unsupported.keyMatrix).toContain('does without this')
    expect(await read(machine, 0xc000, 4)).toHaveLength(4)
  })

  it.each<[string, Answer]>([
    ['that it answers with nonsense', (response) => response.end('?')],
    ['that it does not know', (response) => json(response, 404, { errors: ['not found'] })],
    ['that makes it fail', (response) => json(response, 500, { errors: ['Internal error.'] })],
  ])('an Ultimate 64 with a debug register %s is one all the same', async (_how, odd) => {
    const { machine } = await behind({}, { '/v1/machine:debugreg': odd })
    await machine.connect(soon())
    for (const facet of ['videoStream', 'debugStream', 'powerOff', 'picture'] as const)
      expect(machine.unsupported[facet], facet).toBeUndefined()
  })

  it.each<[string, Answer]>([
    ['nothing', (response) => response.writeHead(404).end()],
    ['an error', (response) => json(response, 404, { errors: ['not found'] })],
    ['a page', (response) => response.end('<html>')],
  ])('a server that reads memory and answers what it is with %s is a limited Ultimate', async (_what, answer) => {
    const { machine } = await behind({}, { '/v1/info': answer, '/v1/version': answer })
    await machine.connect(soon())
    expect(machine.status).toMatchObject({ connection: 'live', version: 'Ultimate, firmware unknown' })
    expect(machine.status.notices.join()).toContain('does not say what it is')
    await machine.writeMemory('cpu', 0xc000, Uint8Array.of(1, 2), soon())
    expect(await read(machine, 0xc000, 2)).toEqual([1, 2])
    await machine.wake?.(soon())
    expect(machine.status.connection).toBe('live')
  })

  it('gives up when asked to, and is idle then', async () => {
    const abort = new AbortController()
    const giveUp = () => abort.abort()
    const { machine } = await behind({}, { '/v1/info': giveUp, '/v1/version': giveUp })
    await expect(machine.connect(abort.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(machine.status.connection).toBe('idle')
  })
})

describe('memory', () => {
  it('is written and read back, short and long', async () => {
    const { machine, peer } = await connected()
    const long = Uint8Array.from({ length: 300 }, (_, index) => index & 0xff)
    await write(machine, 0xc000, 1, 2, 3)
    await machine.writeMemory('cpu', 0xc100, long, soon())
    expect([...(await read(machine, 0xc000, 3))]).toEqual([1, 2, 3])
    expect([...(await machine.readMemory({ space: 'cpu', address: 0xc100, length: 300 }, soon()))]).toEqual([...long])
    expect([...(await peer.peek(0xc100, 300))]).toEqual([...long])
    expect(
      peer
        .logOf('rest')
        .filter(({ target }) => target?.includes('writemem'))
        .map(({ method }) => method),
    ).toEqual(['PUT', 'POST'])
  })

  it('addresses go out as bare hexadecimal', async () => {
    const { machine, peer } = await connected()
    await read(machine, 0xd020, 1)
    await read(machine, 0x0a, 1)
    await peer.state()
    const targets = peer.logOf('rest').map(({ target }) => target)
    expect(targets).toContain('/v1/machine:readmem?address=d020&length=1')
    expect(targets).toContain('/v1/machine:readmem?address=000a&length=1')
  })

  it('registers whose read changes the machine are left alone unless that is allowed', async () => {
    const { machine, peer, allowed } = await connected()
    await expect(read(machine, 0xd000, 0x40)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await read(machine, 0xd000, 0x1e)).length).toBe(0x1e)
    await peer.state()
    expect(peer.logOf('sideEffects')).toEqual([])
    allowed.sideEffects = true
    expect((await read(machine, 0xd01e, 2)).length).toBe(2)
  })

  it('RAM under ROM is refused with why', async () => {
    const { machine } = await connected()
    await expect(machine.readMemory({ space: 'ram', address: 0xa000, length: 1 }, soon())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    })
    expect((await machine.readMemory({ space: 'ram', address: 0x0400, length: 1000 }, soon())).length).toBe(1000)
  })

  it('a reply that is cut off is an error, never short memory', async () => {
    const { machine, peer } = await connected()
    await peer.change({ restFault: 'cutOff' })
    await expect(read(machine, 0xc000, 256)).rejects.toMatchObject({ code: 'LOST' })
    await peer.change({ restFault: null })
    expect((await read(machine, 0xc000, 256)).length).toBe(256)
  })
})

describe('sampling', () => {
  it('shows all of memory by and by, and leaves out what it must not read', async () => {
    const { machine, peer, samples, allowed } = await connected()
    allowed.budget = 0.5
    await peer.poke(0x0400, Uint8Array.of(8, 5, 12, 12, 15))
    await machine.setSampling(all)
    const covers = (address: number): boolean =>
      (samples.at(-1)?.segments ?? []).some(
        (one) => one.space === 'cpu' && address >= one.address && address < one.address + one.bytes.length,
      )
    await eventually(() => knownBytes(samples.at(-1), 'cpu')).toBeGreaterThan(0xfb00)
    // The last bytes of all that are read.
    await eventually(() => covers(0xffff)).toBe(true)
    expect([0x0000, 0x0001, 0xd01e, 0xd01f, 0xdc0d, 0xdd0d, 0xdc08, 0xde00, 0xdfff].filter(covers)).toEqual([])
    expect([0x0002, 0x0400, 0xd020, 0xdc01, 0xffff].filter((address) => !covers(address))).toEqual([])
    await peer.state()
    expect(peer.logOf('sideEffects')).toEqual([])
  })

  it('says that it closes the menu of firmware up to 3.15', async () => {
    const { machine } = await connected({ firmware: '3.15' })
    expect(machine.status.notices).toEqual([])
    await machine.setSampling(all)
    expect(machine.status.notices.join()).toContain('closes the Ultimate’s own menu')
    const { machine: newer } = await connected({ firmware: '3.16' })
    await newer.setSampling(all)
    expect(newer.status.notices).toEqual([])
  })

  it('keeps to its budget', async () => {
    const { machine, samples } = await connected()
    await machine.setSampling(all)
    await eventually(() => samples.length).toBeGreaterThan(30)
    const costs = samples.flatMap(({ cost }) => (cost === undefined ? [] : [cost])).slice(1)
    expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThanOrEqual(0.055)
  })

  it('a write is seen in the next sample', async () => {
    const { machine, samples } = await connected()
    await machine.setSampling({ ...all, mode: 'off' })
    await eventually(() => samples.length).toBe(1)
    await write(machine, 0xc123, 0x77)
    expect(byteIn(samples.at(-1), 0xc123)).toBe(0x77)
  })
})

describe('working it', () => {
  it('pauses, goes on and resets', async () => {
    const { machine, peer } = await connected()
    const execution = requireFacet(machine, 'pause')
    expect(machine.status.execution).toBe('unknown')
    await execution.pause(soon())
    expect(machine.status.execution).toBe('paused')
    expect((await peer.state()).paused).toBe(true)
    await execution.resume(soon())
    expect((await peer.state()).paused).toBe(false)
    await execution.reset('soft', soon())
    expect((await peer.state()).resets).toBe(1)
    await execution.reset('power', soon())
    expect((await peer.state()).reboots).toBe(1)
    expect(() => requireFacet(machine, 'step')).toThrow('single instructions')
  })

  it.each([
    ['demo.prg', 'run_prg'],
    ['game.crt', 'run_crt'],
    ['tune.sid', 'sidplay'],
    ['song.mod', 'modplay'],
  ])('%s goes to %s', async (name, call) => {
    const { machine, peer } = await connected()
    const bytes = Uint8Array.of(0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0, 0, 0)
    await requireFacet(machine, 'runProgram')
      .run({ name, path: `/x/${name}`, bytes: withSignature(call, bytes) }, soon())
      .catch((error: unknown) => {
        // The stand-in may refuse a file of a few bytes for what it is; it was asked the right call then.
        if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
      })
    await peer.state()
    expect(peer.logOf('rest').some(({ target }) => target === `/v1/runners:${call}`)).toBe(true)
  })

  it('a song of a SID file is chosen by its number', async () => {
    const { machine, peer } = await connected()
    const programs = requireFacet(machine, 'runProgram')
    const tune = withSignature('sidplay', new Uint8Array())
    tune[15] = 3 // songs
    const play = (song?: number) => programs.run({ name: 'tune.sid', path: '/x/tune.sid', bytes: tune, song }, soon())
    await play(3)
    await play()
    expect((await peer.state()).runs.map(({ call }) => call)).toEqual(['sidplay 3', 'sidplay'])
    await expect(play(4)).rejects.toMatchObject({ code: 'INVALID' })
    expect(programs.choosesSongs).toBe(true)
  })

  it('a disk is run by the DMA service', async () => {
    const { machine, peer } = await connected()
    await requireFacet(machine, 'runProgram').run(
      { name: 'disk.d64', path: '/x/disk.d64', bytes: new Uint8Array(174_848) },
      soon(),
    )
    await peer.state()
    expect(peer.logOf('dma').flatMap(({ command }) => command ?? [])).toEqual(['ff0b', 'ff0e'])
  })

  it('types through the keyboard buffer, ten keys at a time', async () => {
    const { machine, peer } = await connected()
    await requireFacet(machine, 'typeText').typeText('print "hello world"\n', soon())
    await eventually(() =>
      peer
        .logOf('typed')
        .map(({ text }) => text)
        .join(''),
    ).toContain('WORLD')
  })

  it('says so when the program does not take keys', async () => {
    const { machine } = await connected({ readsKeys: false })
    await expect(requireFacet(machine, 'typeText').typeText('more than ten keys', soon())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('holds keys and joysticks, and lets go of them when it leaves', async () => {
    const { machine, peer } = await connected()
    const input = requireFacet(machine, 'keyMatrix')
    await input.setKeys(['left_shift', 'a'], soon())
    expect((await peer.state()).heldKeys.sort()).toEqual(['a', 'left_shift'])
    await input.setKeys(['a', 'restore'], soon())
    expect((await peer.state()).heldKeys).toEqual(['a'])
    await requireFacet(machine, 'joystick').setJoystick(2, ['up', 'fire'], soon())
    expect((await peer.state()).heldJoysticks[1]?.sort()).toEqual(['fire', 'up'])
    await machine.disconnect()
    const { heldKeys, heldJoysticks } = await peer.state()
    expect([heldKeys, ...heldJoysticks].flat()).toEqual([])
  })

  it('mounts, lists and takes out disks', async () => {
    const { machine, peer } = await connected()
    const drives = requireFacet(machine, 'drives')
    await drives.mount('a', { name: 'work.d64', bytes: new Uint8Array(174_848) }, 'readonly', soon())
    const listed = await drives.list(soon())
    expect(listed.map(({ drive, role }) => [drive, role])).toEqual([
      ['a', 'floppy'],
      ['b', 'floppy'],
      ['softiec', 'folder'],
      ['printer', 'other'],
    ])
    expect(listed[0]).toMatchObject({ enabled: true, busId: 8, type: '1541' })
    expect(listed[0]?.image).toContain('work.d64')
    await drives.remove('a', soon())
    expect((await drives.list(soon()))[0]?.image).toBeNull()
    await drives.setMode('b', '1581', soon())
    await drives.setEnabled('b', true, soon())
    await drives.reset('b', soon())
    expect((await peer.state()).drives.b).toMatchObject({ type: '1581', enabled: true })
    await expect(async () =>
      drives.mount('a', { name: 'work.txt', bytes: new Uint8Array(1) }, 'readonly', soon()),
    ).rejects.toMatchObject({ code: 'INVALID' })
    await expect(drives.remove('q', soon())).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('reads and sets its configuration, whatever characters names have', async () => {
    const { machine } = await connected()
    const configuration = requireFacet(machine, 'configuration')
    const categories = await configuration.categories(soon())
    expect(categories).toContain('Data Streams')
    const items = await configuration.read('Data Streams', soon())
    const mode = items.find(({ item }) => item === 'Debug Stream Mode')
    expect(mode?.choices).toContain('6510 Only')
    await configuration.set('Data Streams', 'Debug Stream Mode', '6510 & VIC', soon())
    const changed = await configuration.read('Data Streams', soon())
    expect(changed.find(({ item }) => item === 'Debug Stream Mode')?.value).toBe('6510 & VIC')
    await expect(configuration.read('No Such Thing', soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(configuration.set('Data Streams', 'Debug Stream Mode', 'Nonsense', soon())).rejects.toMatchObject({
      code: 'INVALID',
    })
  })

  it('creates images and looks at files', async () => {
    const { machine, peer } = await connected()
    const files = requireFacet(machine, 'files')
    await peer.putFile('/USB0/a file.prg', new Uint8Array(10))
    expect(await files.list('/USB0/a file.prg', soon())).toEqual([{ name: 'a file.prg', size: 10, folder: false }])
    await requireFacet(machine, 'createImage').create('/USB0/new.d64', 'WORK', soon())
    expect((await peer.state()).files.join()).toContain('new.d64')
    // Without its FTP service nobody can tell whether this is a folder.
    await expect(files.list('/USB0/none.prg', soon())).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(files.list('/USB0/', soon())).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('runs and plays files of its own storage, a disk from drive A', async () => {
    const { machine, peer } = await connected()
    const files = requireFacet(machine, 'runFile')
    await files.run('/Usb0/demo.prg', soon())
    await peer.putFile('/Usb0/song.mod', new Uint8Array(10))
    await files.run('/Usb0/song.mod', soon())
    expect((await peer.state()).runs.map(({ call, name }) => [call, name])).toEqual([
      ['run_prg', '/Usb0/demo.prg'],
      ['modplay', '/Usb0/song.mod'],
    ])
    await files.run('/Usb0/disk.d64', soon())
    expect((await peer.state()).drives.a).toMatchObject({ file: '/Usb0/disk.d64', size: 174_848 })
    await eventually(async () => Buffer.from((await peer.state()).typed).toString('latin1')).toMatch(
      /LOAD"\*",8,1\rRUN\r$/,
    )
    await expect(files.run('/Usb0/none.prg', soon())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.run('/Usb0/tape.tap', soon())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      hint: expect.stringContaining('menu') as unknown,
    })
    expect(machine.unsupported.runFile).toBeUndefined()
  })

  it('still works its drives after one of them refused something', async () => {
    const { machine } = await connected({ firmware: '3.14' })
    const drives = requireFacet(machine, 'drives')
    await expect(
      drives.mount('a', { name: 'work.g64', bytes: new Uint8Array(100) }, 'readonly', soon()),
    ).rejects.toThrow()
    expect(machine.unsupported.drives).toBeUndefined()
    expect(await drives.list(soon())).toHaveLength(4)
  })

  it('presses the menu button, reboots and switches off', async () => {
    const { machine, peer } = await connected()
    const power = requireFacet(machine, 'reboot')
    await power.pressMenuButton(soon())
    expect((await peer.state()).menuOpen).toBe(true)
    await power.reboot(soon())
    expect((await peer.state()).reboots).toBe(1)
    await power.powerOff(soon())
    expect((await peer.state()).poweredOff).toBe(true)
  })
})

describe('streams', () => {
  const request: SampleRequest = { ...all, mode: 'off' }

  it('video comes as samples with pictures, and its standard is known then', async () => {
    // Slow, so that a busy computer loses few datagrams.
    const { machine, samples, peer } = await connected({ standard: 'ntsc', streamSpeed: 10 })
    await machine.setSampling(request)
    const streams = requireFacet(machine, 'videoStream')
    await streams.set('video', true, soon())
    await eventually(() => samples.filter(({ picture }) => picture).length).toBeGreaterThan(5)
    expect(samples.find(({ picture }) => picture)?.picture).toMatchObject({ width: 384, height: 240 })
    expect(machine.status.standard).toBe('ntsc')
    expect(machine.status.streams?.[0]).toMatchObject({ stream: 'video', lost: expect.any(Number) as number })
    await streams.set('video', false, soon())
    expect(machine.status.streams).toEqual([])
    expect((await peer.state()).streams.video.on).toBe(false)
  })

  it('one picture can be had without the stream, which is off again then', async () => {
    const { machine, peer } = await connected()
    const picture = await requireFacet(machine, 'picture').read(soon())
    expect(picture).toMatchObject({ width: 384, height: 272 })
    expect(picture.pixels.length).toBe((384 * 272) / 2)
    expect((await peer.state()).streams.video.on).toBe(false)
  })

  it('audio comes as numbered blocks of 20 ms', async () => {
    const { machine } = await connected()
    const streams = requireFacet(machine, 'audioStream')
    const blocks: { seq: number; samples: Int16Array }[] = []
    streams.onAudio((block) => blocks.push(block))
    await streams.set('audio', true, soon())
    await eventually(() => blocks.length).toBeGreaterThan(10)
    expect(blocks.map(({ seq }) => seq)).toEqual(blocks.map((_, index) => index))
    expect(blocks.every(({ samples }) => samples.length === 1_920)).toBe(true)
    expect(blocks.some(({ samples }) => samples.some((value) => value !== 0))).toBe(true)
  })

  it('the debug stream tells reads and writes, and what memory holds, without stopping the CPU', async () => {
    const { machine, samples, peer } = await connected()
    await machine.setSampling(request)
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    const withAccesses = (): Sample[] => samples.filter(({ accesses }) => accesses)
    await eventually(() => withAccesses().length).toBeGreaterThan(25)
    const written = Array.from({ length: 0xd000 }, (_, address) => address).filter(
      (address) => address > 1 && withAccesses().some(({ accesses }) => isSet(accesses?.writes, address)),
    )
    expect(written.length).toBeGreaterThan(0)
    const reads = (): number => peer.logOf('rest').filter(({ target }) => target?.includes('readmem')).length
    const lost = (): number => machine.status.streams?.[0]?.lost ?? 0
    // A busy computer drops datagrams, and what they held is read again soon after: only what comes well after a loss counts.
    for (let quietRounds = 0; quietRounds < 2;) {
      const [lostBefore, readsBefore, samplesBefore] = [lost(), reads(), withAccesses().length]
      await eventually(() => withAccesses().length).toBeGreaterThan(samplesBefore + 25)
      await peer.state()
      quietRounds = lostBefore === lost() ? quietRounds + 1 : 0
      if (quietRounds === 2) expect(reads()).toBe(readsBefore)
    }
  })

  it('what the debug stream told is what the machine holds', async () => {
    const { machine, samples, peer } = await connected()
    await machine.setSampling(request)
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    await eventually(() => samples.filter(({ accesses }) => accesses).length).toBeGreaterThan(50)
    await requireFacet(machine, 'pause').pause(soon())
    const memory = await peer.peek(0, 0x10000, 'ram')
    const told = (): (readonly [number, number])[] =>
      (samples.at(-1)?.segments ?? [])
        .filter(({ space, address }) => space === 'cpu' && address < 0xa000)
        .flatMap(({ address, bytes }) =>
          Array.from(bytes.subarray(0, 0xa000 - address), (byte, index) => [address + index, byte] as const),
        )
    expect(told().length).toBeGreaterThan(100)
    await eventually(() => told().filter(([address, byte]) => memory[address] !== byte)).toEqual([])
  })

  it('lost packets make all of memory stale, and reading makes it known again', async () => {
    const { machine, samples, peer, allowed } = await connected()
    allowed.budget = 0.5
    await machine.setSampling({ ...all, mode: 'free' })
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    await peer.change({ streamLoss: 2 })
    await eventually(() => machine.status.streams?.[0]?.lost).toBeGreaterThan(0)
    const stale = (): number => staleBytes(samples.findLast(({ accesses }) => accesses))
    await eventually(stale).toBeGreaterThan(0xf000)
    await peer.change({ streamLoss: 0 })
    // A starved computer goes on losing packets, but not before some of it is read; the bus alone tells some 1,000 bytes.
    await eventually(stale).toBeLessThan(0xe000)
  })

  it.each(['video', 'debug'] as const)('%s survives lost, doubled, reordered and oversized packets', async (stream) => {
    const { machine, samples } = await connected({
      streamLoss: 1,
      streamDuplicates: 2,
      streamReorder: 2,
      streamOversized: 1,
    })
    await machine.setSampling(request)
    await requireFacet(machine, `${stream}Stream`).set(stream, true, soon())
    await eventually(() => samples.filter(({ accesses, picture }) => accesses ?? picture).length).toBeGreaterThan(20)
    expect(machine.status.streams?.[0]?.lost).toBeGreaterThan(0)
  })

  it('video switches debug off, and the other way round', async () => {
    const { machine, peer } = await connected()
    const streams = requireFacet(machine, 'videoStream')
    await streams.set('video', true, soon())
    await streams.set('debug', true, soon())
    expect(machine.status.streams?.map(({ stream }) => stream)).toEqual(['debug'])
    const { video, debug } = (await peer.state()).streams
    expect([video.on, debug.on]).toEqual([false, true])
  })

  it('streams need a cable, and that is said', async () => {
    const { machine, peer, notes } = await connected({ wired: false })
    await expect(requireFacet(machine, 'videoStream').set('video', true, soon())).rejects.toMatchObject({
      hint: expect.stringContaining('cable') as string,
    })
    expect(machine.status.streams).toEqual([])
    expect((await peer.state()).streams.video.on).toBe(false)
    expect(notes.values.size).toBe(0)
  })

  it('leaving stops them', async () => {
    const { machine, peer, notes } = await connected()
    await requireFacet(machine, 'audioStream').set('audio', true, soon())
    expect(notes.values.size).toBe(1)
    await machine.disconnect()
    expect((await peer.state()).streams.audio.on).toBe(false)
    expect(notes.values.size).toBe(0)
  })

  it('what a crash left running is stopped at the next connection', async () => {
    const { machine, peer, notes } = await connected()
    await requireFacet(machine, 'audioStream').set('audio', true, soon())
    const { rest: port, dma: dmaPort } = peer.ports
    const next = createUltimateMachine({
      name: 'next',
      host: '127.0.0.1',
      port,
      dmaPort,
      notes,
      allowed: () => ({ budget: 0.05, sideEffects: false }),
    })
    cleanUps.push(() => next.disconnect())
    await next.connect(soon())
    expect((await peer.state()).streams.audio.on).toBe(false)
  })

  it('run again when the device was switched off and on, whether that was noticed or not', async () => {
    const { machine, peer } = await connected()
    const streams = requireFacet(machine, 'audioStream')
    let blocks = 0
    streams.onAudio(() => blocks++)
    await streams.set('audio', true, soon())
    await peer.away(0.5, { powerCycle: true })
    await eventually(() => peer.logOf('back').length).toBe(1)
    const before = blocks
    await eventually(() => blocks).toBeGreaterThan(before + 10)

    await peer.away(2, { powerCycle: true })
    const isLost = async (): Promise<string> => {
      await read(machine, 0xc000, 1).catch(() => undefined)
      return machine.status.connection
    }
    await eventually(isLost).toBe('lost')
    await eventually(() => peer.logOf('back').length).toBe(2)
    await machine.connect(soon())
    const later = blocks
    await eventually(() => blocks).toBeGreaterThan(later + 10)
  })
})

describe('the DMA service', () => {
  const service = ({ ports }: UltimatePeer, password: string | null = null): DmaService =>
    new DmaService({ host: '127.0.0.1', port: ports.dma }, password)

  it('writes, types and resets, and says who it is', async () => {
    const { peer } = await setUp()
    const title = await service(peer).burst(
      [writeMemory(0xc000, Uint8Array.of(1, 2, 3)), pressKeys(Buffer.from('RUN'))],
      soon(),
    )
    expect(title).toContain('Ultimate')
    expect([...(await peer.peek(0xc000, 3))]).toEqual([1, 2, 3])
    await eventually(() =>
      peer
        .logOf('typed')
        .map(({ text }) => text)
        .join(''),
    ).toContain('RUN')
    await service(peer).burst([resetC64()], soon())
    expect((await peer.state()).resets).toBe(1)
  })

  it('a burst is carried out when it ends, also a long one', async () => {
    const { peer } = await setUp()
    const pieces = Array.from({ length: 40 }, (_, index) =>
      writeMemory(0x2000 + index * 256, new Uint8Array(256).fill(index)),
    )
    await service(peer).burst(pieces, soon())
    expect([...(await peer.peek(0x2000 + 39 * 256, 2))]).toEqual([39, 39])
  })

  it('bursts at the same time go one after the other', async () => {
    const { peer } = await setUp()
    const one = service(peer)
    await Promise.all([1, 2, 3].map((value) => one.burst([writeMemory(0xc000, Uint8Array.of(value))], soon())))
    expect([...(await peer.peek(0xc000, 1))]).toEqual([3])
  })

  it('the password opens it, a wrong one is told, a missing one too', async () => {
    const { peer } = await setUp({ password: 'secret' })
    expect(await service(peer, 'secret').burst([], soon())).toContain('Ultimate')
    await expect(service(peer, 'guess').burst([], soon())).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(service(peer).burst([], soon())).rejects.toMatchObject({
      code: 'LOST',
      hint: expect.stringContaining('password') as string,
    })
  })

  it.each([
    ['refuse', 'LOST'],
    ['cutOff', 'LOST'],
    ['wedged', 'TIMEOUT'],
  ] as const)('%s is %s', async (dmaFault, code) => {
    const { peer } = await setUp({ dmaFault })
    await expect(service(peer).burst([resetC64()], AbortSignal.timeout(60_000))).rejects.toMatchObject({ code })
  })

  it('a disk runs without it too: put into drive A, and loaded by typing', async () => {
    const { machine, peer } = await connected({ dmaFault: 'refuse' })
    await requireFacet(machine, 'runProgram').run(
      { name: 'disk.d64', path: '/x/disk.d64', bytes: new Uint8Array(174_848) },
      soon(),
    )
    await eventually(() =>
      peer
        .logOf('typed')
        .map(({ text }) => text)
        .join(''),
    ).toContain('RUN')
    expect((await peer.state()).drives.a?.size).toBe(174_848)
  })
})

describe('discovery', () => {
  it('finds a device, whether it has a password, and whose question it answers', async () => {
    const { peer } = await setUp({ password: 'secret', hostname: 'my-u64' })
    const found = await discoverUltimates({
      signal: soon(),
      waitMs: 300,
      targets: ['127.0.0.1'],
      port: peer.ports.ident,
    })
    expect(found).toMatchObject([{ host: '127.0.0.1', hostname: 'my-u64', needsPassword: true }])
  })

  it('finds nothing where nobody answers', async () => {
    const { peer } = await setUp({ ident: false })
    expect(
      await discoverUltimates({ signal: soon(), waitMs: 200, targets: ['127.0.0.1'], port: peer.ports.ident }),
    ).toEqual([])
  })
})

describe('what goes wrong', () => {
  it('invalid JSON is read as far as its meaning is clear', async () => {
    const { machine } = await connected({ restFault: 'invalidJson' })
    expect((await requireFacet(machine, 'drives').list(soon())).length).toBeGreaterThan(1)
  })

  it('a device that drops every third request stays live', async () => {
    const { machine } = await connected()
    const { peer, machine: dropping } = await connected()
    await peer.change({ dropEvery: 3 })
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => read(dropping, 0xc000, 16)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    await peer.change({ dropEvery: null })
    await eventually(() => dropping.status.connection).toBe('live')
    expect(machine.status.connection).toBe('live')
  })

  it('a device that stops answering is stale with the reason, and live when it answers again', async () => {
    const { machine, peer, samples } = await connected()
    await machine.setSampling(all)
    await eventually(() => samples.length).toBeGreaterThan(0)
    await peer.change({ restFault: 'wedged' })
    await eventually(() => machine.status.connection).toBe('stale')
    expect(machine.status.reason).toContain('in time')
    await peer.change({ restFault: null })
    await eventually(() => machine.status.connection).toBe('live')
    expect(machine.status.reason).toBeNull()
    const { length } = samples
    await eventually(() => samples.length).toBeGreaterThan(length)
  })

  it('a call that is given up says nothing of the device', async () => {
    const { machine } = await connected({ slow: 200 })
    const states = new Set<string>()
    machine.onStatus(() => states.add(machine.status.connection))
    for (let count = 0; count < 5; count++) {
      const reading = machine.readMemory({ space: 'cpu', address: 0xc000, length: 1 }, AbortSignal.timeout(20))
      await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' })
    }
    expect(await read(machine, 0xc000, 1)).toHaveLength(1)
    expect([...states].filter((state) => state !== 'live')).toEqual([])
  })

  it('something that answers anything at all is refused with a reason', async () => {
    let answer = Buffer.alloc(0)
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(answer))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    cleanUps.push(() => server.close())
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const machine = createUltimateMachine({
      name: 'x',
      host: '127.0.0.1',
      port,
      notes: memoryNotes(),
      allowed: () => ({ budget: 1, sideEffects: false }),
    })
    const anything = oneof(
      uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      uint8Array({ maxLength: 300 }).map((bytes) =>
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'), bytes]),
      ),
      integer({ min: 100, max: 999 }).map((status) =>
        Buffer.from(`HTTP/1.1 ${status} What\r\nContent-Length: 100\r\n\r\n{"errors":["x"]}`),
      ),
    )
    await assert(
      asyncProperty(anything, async (bytes) => {
        answer = bytes
        const error: unknown = await machine.connect(soon()).catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(AppError)
        expect(error).toMatchObject({ hint: expect.any(String) as string })
      }),
      { numRuns: 150 },
    )
  })

  it('a device that goes away is lost', async () => {
    const { machine, peer } = await connected()
    await peer.stop()
    await expect(read(machine, 0xc000, 1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await eventually(() => machine.status.connection).toBe('lost')
    await expect(read(machine, 0xc000, 1)).rejects.toMatchObject({ code: 'LOST' })
  })

  it('a hundred short absences, noticed or not, end with a live machine that reads what is there', async () => {
    const { machine, peer } = await connected()
    await peer.poke(0xc000, Uint8Array.of(0x5a))
    for (let count = 0; count < 100; count++) {
      await peer.change({ restFault: count % 2 === 0 ? 'refuse' : 'cutOff' })
      await read(machine, 0xc000, 1).catch(() => undefined)
      if (count % 3 === 0) await machine.connect(soon()).catch(() => undefined)
      await peer.change({ restFault: null })
      if (machine.status.connection === 'lost') await machine.connect(soon())
      expect(await read(machine, 0xc000, 1)).toEqual([0x5a])
    }
    await eventually(() => machine.status.connection).toBe('live')
  })

  it('a slow device is waited for', async () => {
    const { machine } = await connected({ slow: 300 })
    expect((await read(machine, 0xc000, 2)).length).toBe(2)
  })
})

const read = async (machine: Machine, address: number, length: number): Promise<number[]> => [
  ...(await machine.readMemory({ space: 'cpu', address, length }, soon())),
]

const write = (machine: Machine, address: number, ...bytes: number[]): Promise<void> =>
  machine.writeMemory('cpu', address, Uint8Array.from(bytes), soon())

const knownBytes = (sample: Sample | undefined, space: string): number =>
  (sample?.segments ?? [])
    .filter((segment) => segment.space === space)
    .reduce((sum, { bytes }) => sum + bytes.length, 0)

const isSet = (map: Uint8Array | undefined, address: number): boolean =>
  (((map?.[address >> 3] ?? 0) >> (address & 7)) & 1) === 1

const staleBytes = (sample: Sample | undefined): number =>
  Array.from({ length: 0x10000 }, (_, address) => address).filter((address) => isSet(sample?.accesses?.stale, address))
    .length

function byteIn(sample: Sample | undefined, address: number): number | undefined {
  const found = sample?.segments.find(
    (segment) =>
      segment.space === 'cpu' && address >= segment.address && address < segment.address + segment.bytes.length,
  )
  return found?.bytes[address - found.address]
}

/** As much of a file as makes it one of its kind. */
function withSignature(call: string, prg: Uint8Array): Uint8Array {
  const signature = { run_crt: 'C64 CARTRIDGE   ', sidplay: 'PSID' }[call]
  if (signature === undefined) return call === 'modplay' ? new Uint8Array(2_000) : prg
  const bytes = new Uint8Array(256)
  bytes.set(Buffer.from(signature))
  return bytes
}
