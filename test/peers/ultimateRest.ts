/** The REST calls of the stand-in Ultimate: which there are, what they take, what they do and what they answer. */
import { randomUUID } from 'node:crypto'
import type { HttpReply, HttpRequest } from './ultimateHttp.ts'
import type { Configuration, ConfigValue } from './ultimateConfig.ts'
import type { Drives } from './ultimateDrives.ts'
import { readChanges, type C64 } from './ultimateMachine.ts'
import { atLeast, hasBug, isUltimate64, type Firmware, type UltimateOptions } from './ultimateOptions.ts'
import type { Streams } from './ultimateStreams.ts'

/** What the calls work on. */
export interface Device {
  readonly c64: C64
  readonly configuration: Configuration
  readonly drives: Drives
  readonly streams: Streams
  /** Name of a file on the device, with its whole path, and its bytes. */
  readonly files: Map<string, Buffer>
  options(): UltimateOptions
  /** An access to memory read registers whose read changes the machine. */
  reportSideEffects(addresses: readonly number[]): void
  hang(): void
  powerOff(): void
}

/** Ends a call with its status and its errors. */
class Failed extends Error {
  readonly status: number
  readonly errors: readonly string[]
  constructor(status: number, ...errors: string[]) {
    super(errors.join(' '))
    this.status = status
    this.errors = errors
  }
}

interface Call {
  readonly device: Device
  readonly options: UltimateOptions
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly parts: readonly Attachment[]
}

interface Attachment {
  readonly name: string
  readonly bytes: Buffer
}

interface Route {
  /** Names of the query, a `!` behind those that must be there. */
  readonly query?: string
  readonly body?: true
  readonly since?: Firmware
  /** How a device without its own C64 says that it has no such call. */
  readonly without64?: 404 | 501
  /** Milliseconds on a real unit. */
  readonly takes?: number
  readonly run: (call: Call) => Json | HttpReply | undefined | Promise<Json | HttpReply | undefined>
}

interface Json {
  readonly [name: string]: unknown
}

// --- Text ------------------------------------------------------------------------------------------------------------

/** C's strtol: leading blanks, a sign, `0x` where the base allows it, then digits as far as they go; 0 without any. */
export function strtol(text: string, base: 0 | 16): number {
  const [, sign = '', rest = ''] = /^[ \t\n\v\f\r]*([+-]?)(.*)$/s.exec(text) ?? []
  const hex = /^0x[0-9a-f]/i.test(rest)
  const radix = base === 16 || hex ? 16 : rest.startsWith('0') ? 8 : 10
  const digits = { 8: /^[0-7]*/, 10: /^[0-9]*/, 16: /^[0-9a-f]*/i }[radix].exec(hex ? rest.slice(2) : rest)?.[0] ?? ''
  const value = Math.min(digits === '' ? 0 : Number.parseInt(digits, radix), sign === '-' ? 0x80000000 : 0x7fffffff)
  return sign === '-' ? -value : value
}

function decode(text: string, badPercent: boolean): string {
  const bytes: number[] = []
  const source = Buffer.from(text, 'latin1')
  for (let at = 0; at < source.length; at += 1) {
    const byte = source[at] ?? 0
    const digits = source.toString('latin1', at + 1, at + 3)
    if (byte === 0x25 && /^[0-9a-f]{2}$/i.test(digits)) {
      bytes.push(Number.parseInt(digits, 16))
      at += 2
    } else if (byte === 0x25 && badPercent) at += 2
    else bytes.push(byte === 0x2b ? 0x20 : byte)
  }
  return Buffer.from(bytes).toString('utf8')
}

/** Splits at `?`, then at the first `:`, then at the first `/`, and decodes afterwards; the parts of the path twice. */
export function parseTarget(target: string, options: UltimateOptions) {
  const badPercent = hasBug(options, 'badPercentDecode')
  const plain = (text: string): string => decode(text, badPercent)
  const colons = hasBug(options, 'colonNeverReachable') ? target.replaceAll(/%3a/gi, ':') : target
  const [beforeQuery = '', ...queries] = colons.split('?')
  const [place = '', ...commands] = beforeQuery.split(':')
  const [, version = '', route = '', rest = ''] = /^\/([^/]*)(?:\/([^/]*))?(?:\/(.*))?$/s.exec(place) ?? []
  const query = new Map<string, string>()
  for (const pair of queries.join('?').split('&').filter(Boolean)) {
    const [name = '', ...value] = pair.split('=')
    query.set(plain(name), plain(value.join('=')))
  }
  return {
    version,
    route: plain(route),
    command: commands.length > 0 ? plain(commands.join(':')) : 'none',
    path: plain(rest).split('/').filter(Boolean).slice(0, 16).map(plain),
    query,
  }
}

/** JSON as the firmware writes it: `errors` last, and strings as they are unless they are escaped. */
export function writeJson(value: Json, errors: readonly string[], escape: boolean): string {
  const write = (part: unknown): string => {
    if (typeof part === 'string') return escape ? JSON.stringify(part) : `"${part}"`
    if (Array.isArray(part)) return part.length === 0 ? '[ ]' : `[ ${part.map(write).join(', ')} ]`
    if (typeof part === 'object' && part !== null) {
      return `{ ${Object.entries(part)
        .map(([name, inner]) => `${write(name)} : ${write(inner)}`)
        .join(', ')} }`
    }
    return String(part)
  }
  return write({ ...value, errors })
}

/** The parts of a multipart body, or the whole body as the only one. */
function attachments(contentType: string, body: Buffer): Attachment[] {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return [{ name: '', bytes: body }]
  const text = body.toString('latin1')
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const start = part.indexOf('\r\n\r\n')
      const name = /filename="([^"]*)"/i.exec(part.slice(0, start))?.[1] ?? ''
      return { name, bytes: Buffer.from(part.slice(start + 4, -2), 'latin1') }
    })
}

// --- Parts of calls --------------------------------------------------------------------------------------------------

const required = (call: Call, name: string): string => call.query.get(name) ?? ''

function number(call: Call, name: string, base: 0 | 16, wrong: string): number {
  const given = required(call, name)
  if (
    !hasBug(call.options, 'badNumberIsZero') &&
    !(base === 16 ? /^(0x)?[0-9a-f]+$/i : /^(0x[0-9a-f]+|-?[0-9]+)$/i).test(given)
  )
    throw new Failed(400, wrong)
  return strtol(given, base)
}

function address(call: Call): number {
  const value = number(call, 'address', 16, 'Invalid address')
  if (value < 0 || value > 0xffff) throw new Failed(400, 'Invalid address')
  return value
}

/** What every memory access does before its first byte. */
function takeBus({ device, options }: Call, bytes: number): void {
  device.c64.takeBus(bytes)
  if (hasBug(options, 'memoryAccessClosesMenu')) device.c64.menuOpen = false
}

function writeMemory(call: Call, start: number, data: Buffer): Json {
  if (start + data.length > 0x10000) throw new Failed(400, 'Memory write exceeds location $FFFF')
  takeBus(call, data.length)
  data.forEach((byte, n) => call.device.c64.write(start + n, byte))
  call.device.c64.program.dma([...data].map((byte, n) => ({ address: start + n, data: byte, isWrite: true })))
  const range = [start, start + data.length - 1].map((each) => each.toString(16).padStart(4, '0')).join('-')
  return { address: atLeast(call.options, '3.14') ? range : range.toUpperCase() }
}

function hexBytes(text: string): Buffer {
  const bad = text.search(/[^0-9a-f]/i)
  if (text.length > 256)
    throw new Failed(400, 'Maximum length of 128 bytes exceeded. Consider using POST method with attachment.')
  if (text.length < 2) throw new Failed(400, 'Use this API call to write at least one byte!')
  if (bad >= 0) throw new Failed(400, `Invalid char '${text[bad] ?? ''}' at position ${bad}.`)
  return Buffer.from(text.slice(0, text.length & ~1), 'hex')
}

const octets = (body: Buffer, takes?: number): HttpReply => ({
  status: 200,
  type: 'application/octet-stream',
  headers: ['Content-Disposition: attachment'],
  body,
  ...(takes !== undefined && { takes }),
})

function readMemory(call: Call): HttpReply {
  const { c64 } = call.device
  const start = address(call)
  const length = call.query.has('length') ? number(call, 'length', 0, 'Invalid length') : 256
  if (length < 0 || length > 0x10000 || (length === 0 && !hasBug(call.options, 'emptyRead')))
    throw new Failed(400, 'Invalid length')
  if (start + length > 0x10000) throw new Failed(400, 'Memory read exceeds location $FFFF')
  if (length > 0x8000 && hasBug(call.options, 'readmemOutOfMemory')) call.device.hang()
  takeBus(call, length)
  const body = Buffer.alloc(length)
  const changed: number[] = []
  for (let n = 0; n < length; n += 1) {
    body[n] = c64.read(start + n)
    if (readChanges(start + n)) changed.push(start + n)
  }
  c64.program.dma([...body].map((byte, n) => ({ address: start + n, data: byte, isWrite: false })))
  if (changed.length > 0) call.device.reportSideEffects(changed)
  return octets(body, 14 + length * 0.0033)
}

/** The file named in the query, or the attachment. */
function program(call: Call): Attachment {
  if (call.parts[0]) return call.parts[0]
  const name = required(call, 'file')
  const bytes = call.device.files.get(name)
  if (!bytes) throw new Failed(404, 'Cannot open file')
  return { name, bytes }
}

const starts = (bytes: Buffer, ...words: string[]): boolean =>
  words.some((word) => bytes.toString('latin1', 0, word.length) === word)

function runner(name: 'sidplay' | 'modplay' | 'load_prg' | 'run_prg' | 'run_crt') {
  return (call: Call): undefined => {
    const { name: file, bytes } = program(call)
    const { c64 } = call.device
    if (name === 'load_prg' || name === 'run_prg') {
      c64.load(name, file, bytes)
      return
    }
    if (name === 'sidplay' && (!starts(bytes, 'PSID', 'RSID') || bytes.length < 0x76))
      throw new Failed(415, 'Error detected in file format')
    if (name === 'run_crt' && !starts(bytes, 'C64 CARTRIDGE   ', 'C128 CARTRIDGE  '))
      throw new Failed(415, 'Error detected in file format')
    const song = call.query.has('songnr') ? strtol(required(call, 'songnr'), 0) : 0
    if (name === 'sidplay' && (song < 0 || song > bytes.readUInt16BE(14))) throw new Failed(400, 'Invalid Song Number')
    c64.reset()
    c64.runs.push({ call: song > 0 ? `${name} ${song}` : name, name: file, bytes })
  }
}

function fileInfo(call: Call): Json {
  const path = `/${call.path.join('/')}`
  const bytes = call.device.files.get(path)
  const filename = call.path.at(-1) ?? ''
  if (!bytes) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    throw new Failed(
      404,
      [...call.device.files.keys()].some((name) => name.startsWith(folder))
        ? "FILE DOESN'T EXIST"
        : "PATH DOESN'T EXIST",
    )
  }
  return {
    files: {
      path,
      filename,
      size: bytes.length,
      extension: filename.split('.').at(-1)?.toUpperCase().slice(0, 3) ?? '',
    },
  }
}

/** `bytes` of a disk of so many tracks. */
function createImage(extension: string, tracksOf: (call: Call) => number, bytesOf: (tracks: number) => number) {
  return (call: Call): Json => {
    const tracks = tracksOf(call)
    const path = `/${call.path.join('/')}`
    const diskname =
      call.query.get('diskname') ?? (call.path.at(-1) ?? '').replace(new RegExp(`\\.${extension}$`, 'i'), '')
    const written = bytesOf(tracks)
    call.device.files.set(path, Buffer.alloc(written))
    return { path, tracks, diskname, bytes_written: written }
  }
}

function d64Tracks(call: Call): number {
  const tracks = call.query.has('tracks') ? strtol(required(call, 'tracks'), 0) : 35
  if (tracks < 35 || tracks > 41) throw new Failed(400, 'Invalid number of tracks (35-41).')
  return tracks
}

function dnpTracks(call: Call): number {
  const tracks = strtol(required(call, 'tracks'), 0)
  if (tracks < 1 || tracks > 255) throw new Failed(400, 'Invalid number of tracks (1-255).')
  return tracks
}

// --- Keys and joysticks ----------------------------------------------------------------------------------------------

const KEYS = new Set([
  ...'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'.split(' '),
  ...'inst_del return cursor_left_right cursor_up_down f1 f3 f5 f7 left_shift right_shift plus minus period comma colon semicolon'.split(
    ' ',
  ),
  ...'at pound star equals slash arrow_up arrow_left clr_home ctrl space commodore run_stop restore'.split(' '),
])
const DIRECTIONS = new Set('up down left right fire fire2 fire3'.split(' '))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inputState = ({ c64 }: Device): Json => ({
  keyboard: { inputs: [...c64.heldKeys] },
  joysticks: c64.heldJoystick.map((held, n) => ({ port: n + 1, inputs: [...held] })),
})

function injectInput(call: Call): Json {
  if (call.headers.get('content-type') !== 'application/json')
    throw new Failed(400, 'Content-Type must be application/json')
  if (call.body.length > 4096) throw new Failed(400, 'Body too large')
  const { c64 } = call.device
  const given = parseJson(call.body)
  if (!isRecord(given) || !Array.isArray(given.events) || Object.keys(given).length !== 1)
    throw new Failed(400, 'events: expected an array')
  const events: unknown[] = given.events
  if (events.length < 1 || events.length > 64) throw new Failed(400, 'events: expected 1 to 64 events')
  const actions = events.map((event, n) => {
    const refuse = (why: string): never => {
      throw new Failed(400, `events[${n}]: ${why}`)
    }
    if (!isRecord(event)) return refuse('expected an object')
    const { kind, inputs, transition, port, ...others } = event
    const unknown = Object.keys(others)[0]
    if (unknown !== undefined) return refuse(`unknown field '${unknown}'`)
    if (kind === 'release_all') {
      if (inputs !== undefined || transition !== undefined || port !== undefined) return refuse('unexpected field')
      return () => [c64.heldKeys, ...c64.heldJoystick].forEach((held) => held.clear())
    }
    if (kind !== 'keyboard' && kind !== 'joystick') return refuse('unknown kind')
    if (kind === 'joystick' ? port !== 1 && port !== 2 : port !== undefined) return refuse('invalid port')
    const known = kind === 'keyboard' ? KEYS : DIRECTIONS
    if (!Array.isArray(inputs) || inputs.length < 1 || inputs.length > 8) return refuse('inputs: expected 1 to 8 names')
    const names = inputs.map((name: unknown) =>
      typeof name === 'string' && known.has(name) ? name : refuse(`unknown input '${String(name)}'`),
    )
    if (transition !== 'press' && transition !== 'release' && transition !== 'tap') return refuse('invalid transition')
    if (names.includes('restore') && (names.length > 1 || transition !== 'tap'))
      return refuse("'restore' can only be tapped, alone")
    const held = kind === 'keyboard' ? c64.heldKeys : c64.heldJoystick[port === 1 ? 0 : 1]
    return () => {
      for (const name of names) {
        if (transition === 'press') held.add(name)
        else held.delete(name)
      }
    }
  })
  actions.forEach((act) => act())
  return inputState(call.device)
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Failed(400, 'Could not parse JSON')
  }
}

// --- Configuration ---------------------------------------------------------------------------------------------------

function readConfig({ device: { configuration }, path: [category, item, ...rest] }: Call): Json {
  if (rest.length > 0) throw new Failed(400, 'Path depth exceeds 2.')
  if (category === undefined) return { categories: configuration.categories() }
  return item === undefined ? configuration.list(category) : configuration.describe(category, item)
}

function writeConfig(call: Call): undefined {
  const [category = '', item = ''] = call.path
  const failure = call.device.configuration.set(category, item, required(call, 'value'))
  if (failure) throw new Failed(failure.status, failure.text)
}

function writeConfigs(call: Call): undefined {
  if (call.headers.get('content-type') !== 'application/json')
    throw new Failed(400, 'Content-Type must be application/json')
  if (call.body.length > 32768) throw new Failed(400, 'Body too large')
  const given = parseJson(call.body)
  if (!isRecord(given)) throw new Failed(400, 'Expected an object')
  const errors: string[] = []
  for (const [category, items] of Object.entries(given)) {
    for (const [item, value] of Object.entries(isRecord(items) ? items : {})) {
      const taken: ConfigValue = typeof value === 'number' ? value : String(value)
      const failure = call.device.configuration.set(category, item, taken)
      if (failure) errors.push(failure.text)
    }
  }
  if (errors.length > 0) throw new Failed(400, ...errors)
}

const flash = (result: string, act: (configuration: Configuration, category: string) => string[]) => (call: Call) => {
  const [category, ...rest] = call.path
  if (rest.length > 0) throw new Failed(400, 'Path depth exceeds 1.')
  const names = act(call.device.configuration, category ?? '*')
  return result === 'written' || category !== undefined ? { [result]: names } : undefined
}

// --- The calls -------------------------------------------------------------------------------------------------------

const machine =
  (act: (device: Device) => unknown) =>
  (call: Call): undefined => {
    act(call.device)
  }

const drive = (act: (drives: Drives, drive: string, call: Call) => Json | string | undefined) => (call: Call) => {
  const [name = ''] = call.path
  if (!call.device.drives.has(name)) throw new Failed(400, `Invalid Drive '${name}'`)
  const result = act(call.device.drives, name, call)
  if (typeof result === 'string') throw new Failed(400, result)
  return result
}

const mount = drive((drives, name, call) => {
  const { name: file, bytes } = call.parts[0] ?? {
    name: required(call, 'image'),
    bytes: call.device.files.get(required(call, 'image')),
  }
  const type = call.query.get('type') ?? (file.split('.').at(-1)?.toLowerCase() || 'd64')
  if (!['d64', 'g64', 'd71', 'g71', 'd81'].includes(type)) return `Invalid Type '${type}'`
  if (!bytes) throw new Failed(404, 'Cannot open file')
  if (type.startsWith('g') && hasBug(call.options, 'g64MountFails')) throw new Failed(500, 'Generic Error')
  drives.mount(name, file, bytes, call.query.get('mode') ?? 'readwrite')
  return { Subsys: 12, Ftype: 1, command: 8449, file }
})

const loadRom = drive((drives, name, call) => {
  const { name: file, bytes } = program(call)
  if (![16384, 32768].includes(bytes.length)) throw new Failed(412, 'Drive ROM invalid')
  drives.setRom(name, file)
  return undefined
})

const setMode = drive((drives, name, call) => {
  const mode = required(call, 'mode')
  if (!['1541', '1571', '1581'].includes(mode)) return `Invalid Drive Type '${mode}'`
  drives.setMode(name, mode)
  return { mode }
})

async function startStream(call: Call): Promise<undefined> {
  const [name = ''] = call.path
  const failure = await call.device.streams.start(name, required(call, 'ip'), {
    palette: call.query.get('palette') === '1',
  })
  if (failure) throw new Failed(failure.status, failure.text)
}

const routes = new Map<string, Route>(
  Object.entries({
    'GET version': { run: () => ({ version: '0.1' }), takes: 14 },
    'GET info': { since: '3.12', run: ({ device }) => describe(device), takes: 14 },
    'GET help': {
      query: 'command',
      run: () => ({ status: 200, type: 'text/html', body: Buffer.from('<html><body>Help</body></html>') }),
    },
    'PUT runners:sidplay': { query: 'file! songnr', run: runner('sidplay'), takes: 400 },
    'POST runners:sidplay': { query: 'songnr', body: true, run: runner('sidplay'), takes: 400 },
    'PUT runners:modplay': { query: 'file!', run: runner('modplay'), takes: 400 },
    'POST runners:modplay': { body: true, run: runner('modplay'), takes: 400 },
    'PUT runners:load_prg': { query: 'file!', run: runner('load_prg'), takes: 413 },
    'POST runners:load_prg': { body: true, run: runner('load_prg'), takes: 413 },
    'PUT runners:run_prg': { query: 'file!', run: runner('run_prg'), takes: 1780 },
    'POST runners:run_prg': { body: true, run: runner('run_prg'), takes: 1780 },
    'PUT runners:run_crt': { query: 'file!', run: runner('run_crt'), takes: 400 },
    'POST runners:run_crt': { body: true, run: runner('run_crt'), takes: 400 },
    'GET configs': { run: readConfig },
    'PUT configs': { query: 'value!', run: writeConfig },
    'POST configs': { body: true, run: writeConfigs },
    'PUT configs:load_from_flash': {
      run: flash('loaded', (configuration, category) => configuration.loadFromFlash(category)),
    },
    'PUT configs:save_to_flash': {
      run: flash('written', (configuration, category) => configuration.saveToFlash(category)),
    },
    'PUT configs:reset_to_default': {
      run: flash('reset', (configuration, category) => configuration.resetToDefault(category)),
    },
    'PUT machine:reset': { run: machine(({ c64 }) => c64.reset()), takes: 25 },
    'PUT machine:reboot': {
      run: machine(({ c64 }) => {
        c64.reboots += 1
        c64.reset()
      }),
      takes: 149,
    },
    'PUT machine:pause': { run: machine(({ c64 }) => c64.setPaused(true)), takes: 13 },
    'PUT machine:resume': { run: machine(({ c64 }) => c64.setPaused(false)), takes: 12 },
    'PUT machine:poweroff': { without64: 501, run: machine((device) => device.powerOff()) },
    'PUT machine:menu_button': { since: '3.12', run: machine(({ c64 }) => (c64.menuOpen = !c64.menuOpen)) },
    'GET machine:menu_screen': {
      since: '3.15',
      run: ({ device }) => {
        if (!device.c64.menuOpen) throw new Failed(404, 'Menu screen unavailable.')
        const screen = Buffer.alloc(2000, 0x20).fill(14, 1000)
        screen.set(
          Buffer.from('ULTIMATE').map((letter) => letter & 0x3f),
          16,
        )
        return octets(screen)
      },
    },
    'PUT machine:writemem': {
      query: 'address! data!',
      run: (call) => writeMemory(call, address(call), hexBytes(required(call, 'data'))),
      takes: 10.6,
    },
    'POST machine:writemem': {
      query: 'address!',
      body: true,
      run: (call) => {
        const data = call.parts[0]?.bytes
        if (!data || data.length === 0) throw new Failed(404, 'Could not read data from attachment')
        return writeMemory(call, address(call), data)
      },
      takes: 28.6,
    },
    'GET machine:readmem': { query: 'address! length', run: readMemory },
    'GET machine:debugreg': { without64: 404, run: ({ device }) => debugRegister(device) },
    'PUT machine:debugreg': {
      query: 'value!',
      without64: 404,
      run: (call) => {
        call.device.c64.debugRegister = number(call, 'value', 16, 'Invalid value') & 0xff
        return debugRegister(call.device)
      },
    },
    'GET machine:measure': { run: () => fail(501, 'This command is not supported on this architecture') },
    'GET machine:input': { since: '3.15', without64: 501, run: ({ device }) => inputState(device) },
    'POST machine:input': { since: '3.15', without64: 501, body: true, run: injectInput },
    'GET drives': { run: ({ device }) => ({ drives: device.drives.list() }) },
    'PUT drives:mount': { query: 'image! type mode', run: mount },
    'POST drives:mount': { query: 'type mode', body: true, run: mount },
    'PUT drives:reset': { run: drive((drives, name) => drives.reset(name)) },
    'PUT drives:remove': { run: drive((drives, name) => drives.remove(name)) },
    'PUT drives:unlink': { run: drive(() => undefined) },
    'PUT drives:on': { run: drive((drives, name) => drives.enable(name, true)) },
    'PUT drives:off': { run: drive((drives, name) => drives.enable(name, false)) },
    'PUT drives:load_rom': { query: 'file!', run: loadRom },
    'POST drives:load_rom': { body: true, run: loadRom },
    'PUT drives:set_mode': { query: 'mode!', run: setMode },
    'PUT streams:start': { query: 'ip! palette', without64: 404, run: startStream },
    'PUT streams:stop': {
      without64: 404,
      run: ({ device, path: [name = ''] }) => {
        const failure = device.streams.stop(name)
        if (failure) throw new Failed(failure.status, failure.text)
        return undefined
      },
    },
    'GET files:info': { run: fileInfo },
    'PUT files:create_d64': {
      query: 'tracks diskname',
      run: createImage('d64', d64Tracks, (tracks) => (683 + (tracks - 35) * 17) * 256),
    },
    'PUT files:create_d71': {
      query: 'diskname',
      run: createImage(
        'd71',
        () => 70,
        () => 349_696,
      ),
    },
    'PUT files:create_d81': {
      query: 'diskname',
      run: createImage(
        'd81',
        () => 80,
        () => 819_200,
      ),
    },
    'PUT files:create_dnp': {
      query: 'tracks! diskname',
      run: createImage('dnp', dnpTracks, (tracks) => tracks * 65_536),
    },
  } satisfies Record<string, Route>),
)

const debugRegister = ({ c64 }: Device): Json => ({
  value: c64.debugRegister.toString(16).toUpperCase().padStart(2, '0'),
})

function fail(status: number, text: string): never {
  throw new Failed(status, text)
}

export function describe({ configuration, options }: Pick<Device, 'configuration' | 'options'>): Json {
  const own = options()
  return {
    product: own.product,
    firmware_version: own.firmware,
    fpga_version: isUltimate64(own) ? '11F' : '122',
    ...(isUltimate64(own) && { core_version: '143' }),
    hostname: configuration.get('Network Settings', 'Host Name'),
    unique_id: '8D927F',
  }
}

const NOT_A_CALL: HttpReply = { status: 404 }

/** Carries out one request. */
export async function answerRest(device: Device, request: HttpRequest): Promise<HttpReply> {
  const options = device.options()
  if (options.restFault === 'notAnUltimate') {
    return {
      status: 200,
      type: 'text/html',
      headers: ['Server: nginx'],
      body: Buffer.from('<!doctype html><title>Sign in</title><h1>Media box</h1>'),
    }
  }
  const { version, route: name, command, path, query } = parseTarget(request.target, options)
  const route =
    version === 'v1' ? routes.get(`${request.method} ${name}${command === 'none' ? '' : `:${command}`}`) : undefined
  if (!route || (route.since && !atLeast(options, route.since))) return NOT_A_CALL
  const missing = isUltimate64(options) ? undefined : route.without64
  if (missing === 404) return NOT_A_CALL
  const reply = (status: number, value: Json, errors: readonly string[]): HttpReply => ({
    status,
    type: 'application/json',
    body: Buffer.from(
      options.restFault === 'invalidJson'
        ? `{ "note" : "a\u0001"b\u001b\n", ${writeJson(value, errors, false).slice(1)}`
        : writeJson(value, errors, !hasBug(options, 'unescapedJson')),
    ),
    ...(route.takes !== undefined && { takes: route.takes }),
  })
  const password = device.configuration.get('Network Settings', 'Network Password')
  if (password !== '' && request.headers.get('x-password') !== password) return reply(403, {}, ['Forbidden.'])
  const names = (route.query ?? '').split(' ').filter(Boolean)
  for (const given of query.keys()) {
    const known =
      names.some((each) => each.replace('!', '') === given) && !(given === 'palette' && !atLeast(options, '3.16'))
    if (!known) return reply(400, {}, [`Function ${command} does not have parameter ${given}`])
  }
  for (const each of names) {
    if (each.endsWith('!') && !query.has(each.slice(0, -1)))
      return reply(400, {}, [`Function ${command} requires parameter ${each.slice(0, -1)}`])
  }
  if (route.body && request.body.length === 0) return reply(412, {}, ['Expected Body, but got none.'])
  if (missing === 501) {
    const text =
      name === 'machine' && command === 'input'
        ? 'Keyboard and joystick injection require Ultimate 64-class hardware.'
        : 'This command is not supported on this architecture'
    return reply(501, {}, [text])
  }
  const parts = route.body ? attachments(request.headers.get('content-type') ?? '', request.body) : []
  const uploads = parts.map((part) => `/Temp/${part.name || randomUUID().slice(0, 8)}`)
  parts.forEach((part, n) => device.files.set(uploads[n] ?? '', part.bytes))
  try {
    const result = await route.run({
      device,
      options,
      path,
      query,
      headers: request.headers,
      body: request.body,
      parts,
    })
    if (result && isReply(result)) return result
    return reply(200, result ?? {}, [])
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return reply(error.status, {}, error.errors)
  } finally {
    if (!hasBug(options, 'uploadsStay')) uploads.forEach((upload) => device.files.delete(upload))
  }
}

const isReply = (result: Json | HttpReply): result is HttpReply => typeof result.status === 'number'
