/**
 * A stand-in for VICE's binary monitor, for faults that a real VICE cannot be asked to have. Everything else is tested
 * against VICE itself. It is written from the protocol and shares no code with our driver.
 *
 *     node test/peers/viceMonitor.ts [--port N] [--options JSON]
 *
 * It prints `{"port":N}` when it listens on 127.0.0.1 and `{"request":{command,id,api,body}}` (body in hex) for each request
 * that arrives. A line `{"change":{...options}}` on its standard input changes how it behaves and is answered with
 * `{"changed":true}`; the end of its standard input ends it, so that it never outlives the test that started it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  BANK,
  BANK_LIST,
  COLOURS,
  DRIVE_REGISTERS,
  drawDisplay,
  Machine,
  PC,
  REGISTERS,
  SIZES,
  type Access,
} from './viceMonitorMachine.ts'
import {
  counted,
  ERROR,
  EVENT_ID,
  item,
  named,
  Refused,
  takeRequests,
  u16,
  u32,
  u8,
  wireAnswer,
  type MonitorRequest,
} from './viceMonitorWire.ts'

export { takeRequests, wireAnswer }

export interface ViceMonitorOptions {
  /** The release it acts as. 3.5 speaks protocol 1 only, drops version 2 unanswered, and lacks the commands of 3.6. */
  readonly version: '3.5' | '3.7' | '3.9' | '3.10'
  readonly standard: 'pal' | 'ntsc'
  /** Frame ends in a second at `Speed` 100; null for the standard's own. */
  readonly frameRate: number | null
  /** Milliseconds before each write. */
  readonly delay: number
  /** Messages leave byte by byte at first, then in pieces of odd sizes. */
  readonly split: boolean
  /** All messages of one turn leave in one write. */
  readonly coalesce: boolean
  /** Each message follows a few bytes that are no part of the protocol and hold no 0x02. */
  readonly garbageBefore: boolean
  /** After this many requests nothing moves, as while VICE is paused in its own window; null to go on. */
  readonly silentAfter: number | null
  /** Answer number n (from 1) is cut in the middle and the connection closed. */
  readonly closeMidReply: number | null
  /** Answers carry an id that was not asked with. */
  readonly wrongIds: boolean
  /** The picture lacks its last four pixels, as in 3.6 to 3.10.0; null for what the version does. */
  readonly truncatedDisplay: boolean | null
  /** Answers announce a body of this many bytes instead of their own. */
  readonly hugeLength: number | null
  /** After this many requests the CPU jams, once. */
  readonly jamAfter: number | null
  /** Commands (two hex digits) that are answered with this error code. */
  readonly errorFor: Readonly<Record<string, number>>
  /** Speaks as VICE's text monitor does. */
  readonly textMonitor: boolean
  /** Speaks as a web server does. */
  readonly httpServer: boolean
}

const defaults: ViceMonitorOptions = {
  version: '3.7',
  standard: 'pal',
  frameRate: null,
  delay: 0,
  split: false,
  coalesce: false,
  garbageBefore: false,
  silentAfter: null,
  closeMidReply: null,
  wrongIds: false,
  truncatedDisplay: null,
  hugeLength: null,
  jamAfter: null,
  errorFor: {},
  textMonitor: false,
  httpServer: false,
}

/** `given` over `base`; an option that does not exist is an error, so that a misspelt fault cannot make a test pass. */
function withOptions(base: ViceMonitorOptions, given: unknown): ViceMonitorOptions {
  if (typeof given !== 'object' || given === null) throw new Error('The options must be a JSON object.')
  const misspelt = Object.keys(given).find((key) => !Object.hasOwn(defaults, key))
  if (misspelt !== undefined) throw new Error(`The stand-in monitor has no option ${misspelt}.`)
  return { ...base, ...given }
}

interface Checkpoint {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly stop: number
  enabled: number
  readonly operations: number
  readonly temporary: number
  readonly memspace: number
  hits: number
  hasCondition: boolean
}

/** Whether VICE's parser would take it, roughly: a comparison with its parentheses in pairs. A condition always holds here. */
const isCondition = (text: string): boolean => /[=<>!]/.test(text) && text.split('(').length === text.split(')').length

// --- The monitor ----------------------------------------------------------------------------------------------------

interface Answer {
  readonly type: number
  readonly error?: number
  readonly body?: Buffer
}

type Leaving = 'stay' | 'resume' | 'step' | 'quit'

interface Command {
  /** Shortest body. */
  readonly minimum: number
  readonly since36?: true
  /** Whether a request of protocol 1 is refused since 3.6. */
  readonly api2?: true
  /** The bodies of its answer, of the command's own type unless it says another. */
  readonly run: (body: Buffer) => Buffer | Answer[] | undefined
  readonly leaves?: (body: Buffer) => Leaving
}

class Monitor {
  readonly #machine = new Machine()
  readonly #report: (request: MonitorRequest) => void
  readonly #checkpoints = new Map<number, Checkpoint>()
  readonly #resources = new Map<string, number | string>()
  readonly #waiting: Socket[] = []
  #options: ViceMonitorOptions
  #client: Socket | undefined
  /** Bytes of a request that is not complete yet. */
  #input = Buffer.alloc(0)
  #queue: MonitorRequest[] = []
  /** Whether bytes came in since the last stop: any byte stops the machine at the end of the frame. */
  #touched = false
  #running = true
  #handled = 0
  #answered = 0
  #outbox: Buffer[] = []
  #delivery: Promise<void> = Promise.resolve()
  #frameDue = performance.now()
  #nextCheckpoint = 1

  constructor(options: ViceMonitorOptions, report: (request: MonitorRequest) => void) {
    this.#options = options
    this.#report = report
    for (const [name, value] of [
      ['Speed', 100],
      ['WarpMode', 0],
      ['MachineVideoStandard', options.standard === 'pal' ? 1 : 2],
      ['JoyPort1Device', 0],
      ['JoyPort2Device', 1],
      ['AutostartPrgMode', 0],
      ['SidModel', 0],
      ['KernalName', 'kernal'],
    ] as const) {
      this.#resources.set(name, value)
    }
    this.#awaitFrameEnd()
  }

  /** Changes its behaviour; the counts of `silentAfter`, `jamAfter` and `closeMidReply` start again. */
  change(options: ViceMonitorOptions): void {
    this.#options = options
    this.#handled = 0
    this.#answered = 0
    this.#work()
  }

  /** The kernel has accepted `socket`; it is served when no other client is, at the end of a frame. */
  accept(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    if (this.#options.textMonitor) {
      socket.on('data', () => socket.write(`\r\n(C:$${this.#machine.register(PC).toString(16)}) `))
    } else if (this.#options.httpServer) {
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'))
    } else {
      this.#waiting.push(socket)
      socket.on('close', () => this.#leave(socket))
    }
  }

  get #is35(): boolean {
    return this.#options.version === '3.5'
  }

  get #silent(): boolean {
    return this.#options.silentAfter !== null && this.#handled >= this.#options.silentAfter
  }

  get #standard(): 'pal' | 'ntsc' {
    return this.#resources.get('MachineVideoStandard') === 2 ? 'ntsc' : 'pal'
  }

  /** Frames end on an absolute schedule; one that was missed by far is not caught up with. */
  #awaitFrameEnd(): void {
    const rate = this.#options.frameRate ?? (this.#standard === 'pal' ? 50.12 : 59.83)
    const speed = Number(this.#resources.get('Speed'))
    const unlimited = speed === 0 || this.#resources.get('WarpMode') === 1
    // A negative speed is a rate in frames per second.
    const period = unlimited ? 1 : speed < 0 ? 1000 / -speed : 1000 / ((rate * speed) / 100)
    const now = performance.now()
    this.#frameDue += period
    if (Math.abs(this.#frameDue - now) > 10 * period) this.#frameDue = now + period
    setTimeout(
      () => {
        if (this.#running && !this.#silent) this.#endFrame()
        this.#awaitFrameEnd()
      },
      Math.max(0, this.#frameDue - now),
    )
  }

  #endFrame(): void {
    const { jamAfter } = this.#options
    const hits = this.#hits(this.#machine.frame())
    for (const hit of hits) this.#send({ type: 0x11, body: this.#checkpointBody(hit, true) }, EVENT_ID)
    const jams = jamAfter !== null && this.#handled >= jamAfter
    if (jams) {
      this.#options = { ...this.#options, jamAfter: null }
      this.#machine.jammed = true
      this.#send({ type: 0x61 }, EVENT_ID)
    }
    if (!this.#client) {
      const next = this.#waiting.shift()
      if (next) this.#serve(next)
    }
    if (jams || this.#touched || this.#queue.length > 0 || hits.some(({ stop }) => stop !== 0)) this.#stop()
    this.#flush()
  }

  /** Enabled checkpoints of the main CPU that `accesses` met, each once; a temporary one is gone then. */
  #hits(accesses: readonly Access[]): Checkpoint[] {
    if (!this.#client) return []
    const hits = [...this.#checkpoints.values()].filter(
      ({ enabled, memspace, operations, start, end }) =>
        enabled !== 0 &&
        memspace === 0 &&
        accesses.some(({ operation, address }) => (operations & operation) !== 0 && address >= start && address <= end),
    )
    for (const hit of hits) {
      hit.hits += 1
      if (hit.temporary !== 0) this.#checkpoints.delete(hit.number)
    }
    return hits
  }

  #serve(socket: Socket): void {
    this.#client = socket
    socket.on('data', (bytes) => this.#receive(bytes))
  }

  /** A client that leaves lets the machine run on. */
  #leave(socket: Socket): void {
    if (socket !== this.#client) {
      this.#waiting.splice(this.#waiting.indexOf(socket), 1)
      return
    }
    this.#client = undefined
    this.#input = Buffer.alloc(0)
    this.#queue = []
    this.#touched = false
    this.#running = true
  }

  #receive(bytes: Buffer): void {
    this.#touched = true
    const { requests, rest } = takeRequests(Buffer.concat([this.#input, bytes]), this.#is35 ? [1] : [1, 2])
    this.#input = Buffer.from(rest)
    requests.forEach((request) => this.#report(request))
    this.#queue.push(...requests)
    this.#work()
  }

  #stop(): void {
    this.#running = false
    this.#touched = false
    this.#send({ type: 0x31, body: this.#registerBody(0) }, EVENT_ID)
    this.#send({ type: 0x62, body: u16(this.#machine.register(PC)) }, EVENT_ID)
    this.#work()
  }

  /** What came behind the command that resumes waits for the end of the next frame. */
  #resume(): void {
    this.#running = true
    this.#touched = this.#input.length > 0
    this.#send({ type: 0x63, body: u16(this.#machine.register(PC)) }, EVENT_ID)
  }

  /** Carries out what is queued for as long as the machine is stopped. */
  #work(): void {
    while (!this.#running && !this.#silent) {
      const request = this.#queue.shift()
      if (!request) break
      this.#handle(request)
    }
    this.#flush()
  }

  #handle(request: MonitorRequest): void {
    this.#handled += 1
    const command = this.#commands.get(request.command)
    let leaving: Leaving = 'stay'
    try {
      const code = this.#options.errorFor[request.command.toString(16).padStart(2, '0')]
      if (code !== undefined) throw new Refused(code)
      if (!command || (command.since36 && this.#is35)) throw new Refused(ERROR.unknown)
      if (command.api2 && request.api === 1 && !this.#is35) throw new Refused(ERROR.badApi)
      if (request.body.length < command.minimum) throw new Refused(ERROR.wrongLength)
      const result = command.run(request.body)
      const answers = Array.isArray(result) ? result : [{ type: request.command, ...(result && { body: result }) }]
      for (const answer of answers) this.#send(answer, request.id)
      leaving = command.leaves?.(request.body) ?? 'stay'
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#send({ type: 0, error: error.code }, request.id)
    }
    if (leaving === 'quit') {
      this.#flush()
      void this.#delivery.then(() => this.#client?.end(() => process.exit(0)))
    }
    if (leaving === 'resume' || leaving === 'step') this.#resume()
    if (leaving === 'step') {
      this.#machine.step(Math.max(1, request.body.length >= 3 ? request.body.readUInt16LE(1) : 1))
      this.#stop()
    }
  }

  // --- Sending ---

  #send(answer: Answer, id: number): void {
    if (!this.#client) return
    const isAnswer = id !== EVENT_ID
    const bytes = wireAnswer({
      api: this.#is35 ? 1 : 2,
      id: isAnswer && this.#options.wrongIds ? id + 1000 : id,
      ...answer,
    })
    if (isAnswer && this.#options.hugeLength !== null) bytes.writeUInt32LE(this.#options.hugeLength, 2)
    if (this.#options.garbageBefore) this.#outbox.push(Buffer.from('garbage \0\x01\x03\xff', 'latin1'))
    if (isAnswer) this.#answered += 1
    if (isAnswer && this.#answered === this.#options.closeMidReply) {
      this.#outbox.push(bytes.subarray(0, bytes.length >> 1))
      this.#flush()
      const client = this.#client
      void this.#delivery.then(() => client.destroySoon())
      return
    }
    this.#outbox.push(bytes)
  }

  #flush(): void {
    const client = this.#client
    const { coalesce, delay, split } = this.#options
    const writes = coalesce && this.#outbox.length > 0 ? [Buffer.concat(this.#outbox)] : this.#outbox
    this.#outbox = []
    if (!client || writes.length === 0) return
    this.#delivery = this.#delivery.then(async () => {
      for (const bytes of writes) {
        if (delay > 0) await sleep(delay)
        if (!split) client.write(bytes)
        else await writeSplit(client, bytes)
      }
    })
  }

  // --- Commands ---

  readonly #commands = new Map<number, Command>([
    [0x01, { minimum: 8, run: (body) => this.#getMemory(body) }],
    [0x02, { minimum: 8, run: (body) => this.#setMemory(body) }],
    [0x11, { minimum: 4, run: (body) => this.#checkpointBody(this.#checkpoint(body), false) }],
    [
      0x12,
      { minimum: 8, run: (body) => [{ type: 0x11, body: this.#checkpointBody(this.#addCheckpoint(body), false) }] },
    ],
    [0x13, { minimum: 4, run: (body) => void this.#checkpoints.delete(this.#checkpoint(body).number) }],
    [0x14, { minimum: 0, run: () => this.#listCheckpoints() }],
    [0x15, { minimum: 5, run: (body) => void (this.#checkpoint(body).enabled = body.readUInt8(4)) }],
    [0x22, { minimum: 5, run: (body) => this.#setCondition(body) }],
    [0x31, { minimum: 1, run: (body) => this.#registerBody(memspace(body.readUInt8(0))) }],
    [0x32, { minimum: 3, run: (body) => [{ type: 0x31, body: this.#setRegisters(body) }] }],
    // Snapshots need an emulator behind them.
    [0x41, { minimum: 3, run: () => refuse(ERROR.failed) }],
    [0x42, { minimum: 1, run: () => refuse(ERROR.failed) }],
    [0x51, { minimum: 1, run: (body) => this.#getResource(counted(body, 0).toString('latin1')) }],
    [0x52, { minimum: 3, run: (body) => this.#setResource(body) }],
    [0x71, { minimum: 3, run: nothing, leaves: () => 'step' }],
    [0x72, { minimum: 1, api2: true, run: (body) => this.#feedKeys(counted(body, 0)) }],
    [0x73, { minimum: 0, run: nothing, leaves: () => 'step' }],
    [0x81, { minimum: 0, run: nothing }],
    [0x82, { minimum: 0, run: () => list(BANK_LIST.map(([name, bank]) => item(u16(bank), named(name)))) }],
    [0x83, { minimum: 1, run: (body) => describeRegisters(memspace(body.readUInt8(0))) }],
    [0x84, { minimum: 2, api2: true, run: (body) => this.#getDisplay(body.readUInt8(1)) }],
    [0x85, { minimum: 0, since36: true, run: () => this.#describeVersion() }],
    // CPU history came with 3.10 and is usually not built in.
    [0x86, { minimum: 5, run: () => refuse(this.#options.version === '3.10' ? ERROR.failed : ERROR.unknown) }],
    [
      0x91,
      {
        minimum: 1,
        since36: true,
        run: () => list(COLOURS.map((colour) => item(u8(colour >> 16, (colour >> 8) & 0xff, colour & 0xff)))),
      },
    ],
    [0xa2, { minimum: 4, since36: true, run: (body) => this.#setJoystick(body.readUInt16LE(0), body.readUInt16LE(2)) }],
    [
      0xb2,
      {
        minimum: 2,
        since36: true,
        run: (body) => refuse(body.readUInt16LE(0) > 0xff ? ERROR.badParameter : ERROR.failed),
      },
    ],
    [0xaa, { minimum: 0, run: nothing, leaves: () => 'resume' }],
    [0xbb, { minimum: 0, run: nothing, leaves: () => 'quit' }],
    [
      0xcc,
      {
        minimum: 1,
        run: (body) => this.#reset(body.readUInt8(0)),
        leaves: (body) => (body.readUInt8(0) <= 1 ? 'resume' : 'stay'),
      },
    ],
    [0xdd, { minimum: 4, run: (body) => this.#autostart(counted(body, 3).toString()), leaves: () => 'resume' }],
  ])

  #getMemory(body: Buffer): Buffer {
    const { start, end, space, bank } = memoryRange(body)
    const bytes = Buffer.alloc(end - start + 1)
    for (let address = start; address <= end; address++) {
      bytes[address - start] =
        space === 0
          ? this.#machine.read(bank, address, body.readUInt8(0) !== 0)
          : (this.#machine.driveMemory[space - 1]?.[address] ?? 0)
    }
    return Buffer.concat([u16(bytes.length), bytes])
  }

  #setMemory(body: Buffer): undefined {
    const { start, end, space, bank } = memoryRange(body)
    if (body.length < 8 + end - start + 1) throw new Refused(ERROR.wrongLength)
    for (let address = start; address <= end; address++) {
      const value = body.readUInt8(8 + address - start)
      if (space === 0) this.#machine.write(bank, address, value)
      else this.#machine.driveMemory[space - 1]?.writeUInt8(value, address)
    }
  }

  #checkpoint(body: Buffer): Checkpoint {
    return this.#checkpoints.get(body.readUInt32LE(0)) ?? refuse(ERROR.objectMissing)
  }

  #addCheckpoint(body: Buffer): Checkpoint {
    const checkpoint: Checkpoint = {
      number: this.#nextCheckpoint,
      start: body.readUInt16LE(0),
      end: body.readUInt16LE(2),
      stop: body.readUInt8(4),
      enabled: body.readUInt8(5),
      operations: body.readUInt8(6),
      temporary: body.readUInt8(7),
      memspace: this.#is35 || body.length < 9 ? 0 : memspace(body.readUInt8(8)),
      hits: 0,
      hasCondition: false,
    }
    this.#nextCheckpoint += 1
    this.#checkpoints.set(checkpoint.number, checkpoint)
    return checkpoint
  }

  #checkpointBody(checkpoint: Checkpoint, hit: boolean): Buffer {
    const { number, start, end, stop, enabled, operations, temporary, hits, hasCondition } = checkpoint
    return Buffer.concat([
      u32(number),
      u8(Number(hit)),
      u16(start, end),
      u8(stop, enabled, operations, temporary),
      u32(hits, 0),
      u8(Number(hasCondition)),
      ...(this.#is35 ? [] : [u8(checkpoint.memspace)]),
    ])
  }

  #listCheckpoints(): Answer[] {
    const each = [...this.#checkpoints.values()].map((checkpoint) => ({
      type: 0x11,
      body: this.#checkpointBody(checkpoint, false),
    }))
    return [...each, { type: 0x14, body: u32(each.length) }]
  }

  #setCondition(body: Buffer): undefined {
    const checkpoint = this.#checkpoint(body)
    if (!isCondition(counted(body, 4).toString('latin1'))) throw new Refused(ERROR.failed)
    checkpoint.hasCondition = true
  }

  #registerBody(space: number): Buffer {
    const value = (id: number): number =>
      space === 0 ? this.#machine.register(id) : (this.#machine.driveRegisters[space - 1]?.get(id) ?? 0)
    return list(registersOf(space).map(({ id }) => item(u8(id), u16(value(id)))))
  }

  #setRegisters(body: Buffer): Buffer {
    const space = memspace(body.readUInt8(0))
    let at = 3
    for (let left = body.readUInt16LE(1); left > 0; left--) {
      const size = body[at] ?? 0
      if (size < 3 || body.length < at + 1 + size) throw new Refused(ERROR.wrongLength)
      const register = registersOf(space).find(({ id }) => id === body.readUInt8(at + 1)) ?? refuse(ERROR.objectMissing)
      const value = body.readUInt16LE(at + 2) & (2 ** register.bits - 1)
      if (space === 0) this.#machine.setRegister(register.id, value)
      else this.#machine.driveRegisters[space - 1]?.set(register.id, value)
      at += 1 + size
    }
    return this.#registerBody(space)
  }

  #getResource(name: string): Buffer {
    const value = this.#resources.get(name) ?? refuse(ERROR.objectMissing)
    return Buffer.concat(typeof value === 'number' ? [u8(1, 4), u32(value)] : [u8(0), named(value)])
  }

  #setResource(body: Buffer): undefined {
    const type = body.readUInt8(0)
    if (type > 1) throw new Refused(ERROR.badParameter)
    const name = counted(body, 1).toString('latin1')
    const value = counted(body, 2 + name.length)
    const before = this.#resources.get(name) ?? refuse(ERROR.objectMissing)
    if (type === 1 && ![1, 2, 4].includes(value.length)) throw new Refused(ERROR.wrongLength)
    const after = type === 1 ? value.readIntLE(0, value.length) : value.toString('latin1')
    if (typeof before === 'number' && !/^-?\d+$/.test(String(after))) throw new Refused(ERROR.failed)
    this.#resources.set(name, typeof before === 'number' ? Number(after) : String(after))
  }

  #feedKeys(keys: Buffer): undefined {
    const escaped = (text: string): string =>
      text.replaceAll(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    const typed = this.#is35 ? Buffer.from(escaped(keys.toString('latin1')), 'latin1') : keys
    if (!this.#machine.feed(typed)) throw new Refused(ERROR.failed)
  }

  #getDisplay(format: number): Buffer {
    if (format !== 0) throw new Refused(ERROR.badParameter)
    const { width, height, left, top } = SIZES[this.#standard]
    const pixels = drawDisplay(this.#machine, this.#standard)
    const geometry = Buffer.concat([u16(width, height, left, top, 320, 200), u8(8)])
    if (this.#is35) return Buffer.concat([u32(43, 17, pixels.length), geometry, Buffer.alloc(18), pixels])
    const truncated = this.#options.truncatedDisplay ?? true
    return Buffer.concat([u32(13), geometry, u32(pixels.length), pixels.subarray(0, truncated ? -4 : undefined)])
  }

  #describeVersion(): Buffer {
    const [major = 3, minor = 7] = this.#options.version.split('.').map(Number)
    return Buffer.concat([u8(4, major, minor, minor === 7 ? 1 : 0, 0), u8(4), u32(0)])
  }

  /** `port` counts from 0. Control port 1 is read at $DC01, control port 2 at $DC00. */
  #setJoystick(port: number, value: number): undefined {
    if (port > 1) throw new Refused(ERROR.objectMissing)
    if (value > 0xff) throw new Refused(ERROR.badParameter)
    if (this.#resources.get(`JoyPort${port + 1}Device`) !== 37) throw new Refused(ERROR.failed)
    this.#machine.io[port === 0 ? 0xc01 : 0xc00] = value
  }

  #reset(what: number): undefined {
    if (what === 0) this.#machine.reset()
    if (what === 1) this.#machine.powerOn()
  }

  /** Puts a program in memory at its load address; the KERNAL behind this monitor cannot run it. */
  #autostart(file: string): undefined {
    if (!existsSync(file)) throw new Refused(ERROR.failed)
    const bytes = readFileSync(file)
    if (bytes.length > 2)
      this.#machine.ram.set(bytes.subarray(2, 2 + 0x10000 - bytes.readUInt16LE(0)), bytes.readUInt16LE(0))
  }
}

const nothing = (): undefined => undefined

function refuse(code: number): never {
  throw new Refused(code)
}

const memspace = (value: number): number => (value <= 4 ? value : refuse(ERROR.badMemspace))

const registersOf = (space: number) => (space === 0 ? REGISTERS : DRIVE_REGISTERS)

const list = (items: Buffer[]): Buffer => Buffer.concat([u16(items.length), ...items])

const describeRegisters = (space: number): Buffer =>
  list(registersOf(space).map(({ id, bits, name }) => item(u8(id, bits), named(name))))

/** The first eight bytes of a memory request: side effects, start, end (inclusive), memspace, bank. */
function memoryRange(body: Buffer): { start: number; end: number; space: number; bank: number } {
  const [start, end] = [body.readUInt16LE(1), body.readUInt16LE(3)]
  const space = memspace(body.readUInt8(5))
  const bank = body.readUInt16LE(6)
  if (start > end || bank > (space === 0 ? BANK.cart : 0)) throw new Refused(ERROR.badParameter)
  return { start, end, space, bank }
}

/** Byte by byte through a header, then in odd pieces that grow, with a pause after each so that it travels alone. */
async function writeSplit(client: Socket, bytes: Buffer): Promise<void> {
  let size = 1
  for (let at = 0; at < bytes.length; at += size) {
    if (at > 13) size = Math.min(2 * size + 1, 8191)
    client.write(bytes.subarray(at, at + size))
    await sleep(1)
  }
}

// --- The program ----------------------------------------------------------------------------------------------------

function main(): void {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, options: { type: 'string', default: '{}' } },
  })
  const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)
  let options = withOptions(defaults, JSON.parse(values.options))
  const monitor = new Monitor(options, ({ command, id, api, body }) =>
    print({ request: { command, id, api, body: body.toString('hex') } }),
  )
  const server = createServer((socket) => monitor.accept(socket))
  server.listen(Number(values.port), '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') print({ port: address.port })
  })
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const command: unknown = JSON.parse(line)
      if (typeof command !== 'object' || command === null || !('change' in command))
        throw new Error(`Not understood: ${line}`)
      options = withOptions(options, command.change)
      monitor.change(options)
      print({ changed: true })
    })
    .on('close', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) main()
