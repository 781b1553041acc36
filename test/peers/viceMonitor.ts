/**
 * A stand-in for VICE's binary monitor, written from its documentation and sources and sharing no code with our driver.
 * It is a program of its own: `node viceMonitor.ts '{"version":"3.5"}'` prints `{"port":N}` and then each request as a
 * line of JSON. A line of JSON on its standard input changes how it behaves.
 */
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const behaviourSchema = z.strictObject({
  /** Which VICE it acts as: the protocol version, the commands and the layouts go with it. */
  version: z.enum(['3.5', '3.7', '3.10']).default('3.7'),
  /** How its bytes leave: each message alone, all of a stop at once, or in small uneven pieces. */
  delivery: z.enum(['whole', 'coalesced', 'split']).default('whole'),
  /** Puts bytes that are no message before each message. */
  garbage: z.boolean().default(false),
  /** Answers nothing, as VICE does while it is paused in its own window. */
  silent: z.boolean().default(false),
  /** Closes the connection in the middle of its answer to this command. */
  closeAt: z.int().nullable().default(null),
  /** Sends an answer with an id that nobody used before each answer. */
  wrongIds: z.boolean().default(false),
  /** Announces a body of this many bytes once in an answer, and sends none. */
  announce: z.int().nullable().default(null),
  /** Speaks this instead of the protocol to whatever it receives. */
  otherServer: z.string().nullable().default(null),
  /** Ends its answer to the picture command after this many bytes of body. */
  cutDisplay: z.int().nullable().default(null),
})
export type Behaviour = z.infer<typeof behaviourSchema>

/** A line on standard input: a change of behaviour, or something that happens in the machine. */
const commandSchema = z.strictObject({
  change: z.record(z.string(), z.unknown()).optional(),
  happens: z.enum(['checkpoint', 'jam', 'hangUp']).optional(),
})
export type Command = { change?: Partial<Behaviour> } | { happens: 'checkpoint' | 'jam' | 'hangUp' }

export interface WireRequest {
  readonly api: number
  readonly id: number
  readonly command: number
  readonly body: Buffer
}

/** Cuts complete requests off the front of `bytes`; anything that is not the start of one is skipped, as VICE does. */
export function takeRequests(bytes: Buffer, apis: readonly number[]): { requests: WireRequest[]; rest: Buffer } {
  const requests: WireRequest[] = []
  let at = 0
  while (bytes.length - at >= 11) {
    const api = bytes.readUInt8(at + 1)
    if (bytes.readUInt8(at) !== 2 || !apis.includes(api)) {
      at += 1
      continue
    }
    const end = at + 11 + bytes.readUInt32LE(at + 2)
    if (end > bytes.length) break
    requests.push({ api, id: bytes.readUInt32LE(at + 6), command: bytes.readUInt8(at + 10), body: bytes.subarray(at + 11, end) })
    at = end
  }
  return { requests, rest: bytes.subarray(at) }
}

export function wireAnswer(answer: { api: number; type: number; error?: number; id: number; body?: Uint8Array }): Buffer {
  const body = answer.body ?? Buffer.alloc(0)
  const head = Buffer.alloc(12)
  head.writeUInt8(2, 0)
  head.writeUInt8(answer.api, 1)
  head.writeUInt32LE(body.length, 2)
  head.writeUInt8(answer.type, 6)
  head.writeUInt8(answer.error ?? 0, 7)
  head.writeUInt32LE(answer.id, 8)
  return Buffer.concat([head, body])
}

const EVENT = 0xffffffff
const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])
const u32 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24])
const named = (name: string): Buffer => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)])
const sized = (...parts: Buffer[]): Buffer => {
  const item = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([item.length]), item])
}

interface PeerCheckpoint {
  start: number
  end: number
  stop: number
  enabled: number
  operations: number
  temporary: number
  hits: number
  condition: string
}

const registerNames = ['PC', 'A', 'X', 'Y', 'SP', '00', '01', 'FL', 'LIN', 'CYC'] as const
const registerIds = [3, 0, 1, 2, 4, 0x37, 0x38, 5, 0x35, 0x36]
const banks = [['default', 0], ['cpu', 0], ['ram', 1], ['rom', 2], ['io', 3], ['cart', 4]] as const

/** The machine behind the monitor: memory, registers, checkpoints, and a jiffy clock in $A0-$A2 that counts frames. */
export class Peer {
  behaviour: Behaviour
  readonly #log: (request: WireRequest) => void
  #client: Socket | undefined
  readonly #waiting: Socket[] = []
  #received = Buffer.alloc(0)
  #queue: WireRequest[] = []
  #running = true
  #frameTimer: NodeJS.Timeout | undefined
  #outgoing: Buffer[] = []
  readonly #memory = new Map<number, Buffer>()
  readonly #registers = [0xe5cf, 0, 0, 0, 0xf3, 0x2f, 0x37, 0x22, 0, 1]
  readonly #checkpoints = new Map<number, PeerCheckpoint>()
  #nextCheckpoint = 1
  readonly #resources = new Map<string, string | number>([
    ['Speed', 100],
    ['WarpMode', 0],
    ['MachineVideoStandard', 1],
    ['JoyPort1Device', 0],
    ['JoyPort2Device', 1],
  ])

  constructor(behaviour: Behaviour, log: (request: WireRequest) => void) {
    this.behaviour = behaviour
    this.#log = log
    for (const bank of [0, 1, 2, 3, 4]) this.#memory.set(bank, Buffer.alloc(65536, bank))
    this.#runFrame()
  }

  get #api(): number {
    return this.behaviour.version === '3.5' ? 1 : 2
  }

  accept(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#leave(socket))
    if (this.#client) this.#waiting.push(socket)
    else this.#serve(socket)
  }

  close(): void {
    clearTimeout(this.#frameTimer)
    this.#client?.destroy()
    for (const socket of this.#waiting) socket.destroy()
  }

  happen(event: 'checkpoint' | 'jam' | 'hangUp'): void {
    if (event === 'hangUp') return void this.#client?.destroy()
    if (event === 'jam') {
      this.#stop([{ type: 0x61 }])
      return
    }
    const number = [...this.#checkpoints.keys()][0] ?? 0
    const checkpoint = this.#checkpoints.get(number)
    if (!checkpoint) return
    checkpoint.hits += 1
    this.#stop([{ type: 0x11, body: this.#describe(number, checkpoint, true) }])
  }

  #serve(socket: Socket): void {
    this.#client = socket
    socket.on('data', (bytes) => {
      const { otherServer } = this.behaviour
      if (otherServer !== null) return void socket.write(otherServer)
      const apis = this.behaviour.version === '3.5' ? [1] : [1, 2]
      const { requests, rest } = takeRequests(Buffer.concat([this.#received, bytes]), apis)
      this.#received = Buffer.from(rest)
      for (const request of requests) this.#log(request)
      this.#queue.push(...requests)
      if (!this.#running) this.#work()
    })
  }

  #leave(socket: Socket): void {
    if (socket !== this.#client) return void this.#waiting.splice(this.#waiting.indexOf(socket), 1)
    this.#client = undefined
    this.#received = Buffer.alloc(0)
    this.#queue = []
    this.#running = true
    const next = this.#waiting.shift()
    if (next) this.#serve(next)
  }

  /** The socket is looked at once a frame, at its end, and only while frames are made. */
  #runFrame(): void {
    const speed = Number(this.#resources.get('Speed'))
    this.#frameTimer = setTimeout(() => this.#runFrame(), 2000 / speed)
    if (!this.#running || this.behaviour.silent) return
    const jiffies = this.#memory.get(1)
    if (jiffies) {
      const clock = jiffies.readUIntBE(0xa0, 3) + 1
      jiffies.writeUIntBE(clock & 0xffffff, 0xa0, 3)
    }
    if (this.#queue.length > 0) this.#stop([])
  }

  #stop(before: { type: number; body?: Buffer }[]): void {
    for (const event of before) this.#send({ ...event, id: EVENT })
    if (this.#running) {
      this.#running = false
      this.#send({ type: 0x31, id: EVENT, body: this.#registerList() })
      this.#send({ type: 0x62, id: EVENT, body: u16(this.#registers[0] ?? 0) })
    }
    this.#work()
  }

  #resume(): void {
    this.#running = true
    this.#send({ type: 0x63, id: EVENT, body: u16(this.#registers[0] ?? 0) })
  }

  #work(): void {
    while (!this.#running && !this.behaviour.silent) {
      const request = this.#queue.shift()
      if (!request) break
      this.#carryOut(request)
    }
    this.#flush()
  }

  #send(message: { type: number; error?: number; id: number; body?: Buffer }): void {
    if (this.behaviour.garbage) this.#outgoing.push(Buffer.from([0x00, 0x02, 0x7f, 0xff, 0x02, 0x01, 0xff, 0xff, 0xff, 0xff]))
    if (this.behaviour.wrongIds && message.id !== EVENT) {
      this.#outgoing.push(wireAnswer({ api: this.#api, type: 0x81, id: 0xdead }))
    }
    this.#outgoing.push(wireAnswer({ api: this.#api, ...message }))
    if (this.behaviour.delivery === 'whole') this.#flush()
  }

  #flush(): void {
    const client = this.#client
    const bytes = Buffer.concat(this.#outgoing)
    this.#outgoing = []
    if (!client || bytes.length === 0) return
    if (this.behaviour.delivery !== 'split') return void client.write(bytes)
    // Short answers leave byte by byte, long ones in a few uneven pieces, so that every border is met without taking minutes.
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.length > 2000 ? 1460 + (at % 7) : 1 + (at % 7)
      client.write(bytes.subarray(at, at + piece))
      at += piece
    }
  }

  #carryOut(request: WireRequest): void {
    const { id, command } = request
    if (command === this.behaviour.closeAt) {
      this.#flush()
      this.#client?.end(wireAnswer({ api: this.#api, type: command, id, body: Buffer.alloc(100) }).subarray(0, 40))
      return
    }
    if (this.behaviour.announce !== null) {
      const head = wireAnswer({ api: this.#api, type: command, id })
      head.writeUInt32LE(this.behaviour.announce, 2)
      this.behaviour.announce = null
      this.#outgoing.push(head)
      return
    }
    for (const part of this.#answer(request)) this.#send({ id, ...part })
    if (command === 0xaa || command === 0xcc || command === 0xdd || command === 0x71) this.#resume()
    if (command === 0x71) this.#stop([])
    if (command === 0xbb) this.#client?.end(() => process.exit(0))
  }

  #answer({ api, command, body }: WireRequest): { type: number; error?: number; body?: Buffer }[] {
    const done = [{ type: command }]
    const fail = (error: number) => [{ type: 0, error }]
    const answer = (...parts: Buffer[]) => [{ type: command, body: Buffer.concat(parts) }]
    const is35 = this.#api === 1
    switch (command) {
      case 0x01: {
        const start = body.readUInt16LE(1)
        const end = body.readUInt16LE(3)
        const bank = this.#memory.get(body.readUInt16LE(6))
        if (!bank || start > end) return fail(0x81)
        return answer(u16((end - start + 1) & 0xffff), bank.subarray(start, end + 1))
      }
      case 0x02: {
        const bank = this.#memory.get(body.readUInt16LE(6))
        if (!bank) return fail(0x81)
        body.copy(bank, body.readUInt16LE(1), 8)
        return done
      }
      case 0x12: {
        const number = this.#nextCheckpoint++
        const checkpoint = {
          start: body.readUInt16LE(0),
          end: body.readUInt16LE(2),
          stop: body.readUInt8(4),
          enabled: body.readUInt8(5),
          operations: body.readUInt8(6),
          temporary: body.readUInt8(7),
          hits: 0,
          condition: '',
        }
        this.#checkpoints.set(number, checkpoint)
        return [{ type: 0x11, body: this.#describe(number, checkpoint, false) }]
      }
      case 0x13:
        return this.#checkpoints.delete(body.readUInt32LE(0)) ? done : fail(0x01)
      case 0x14: {
        const list = [...this.#checkpoints].map(([number, checkpoint]) => ({ type: 0x11, body: this.#describe(number, checkpoint, false) }))
        return [...list, ...answer(u32(this.#checkpoints.size))]
      }
      case 0x15: {
        const checkpoint = this.#checkpoints.get(body.readUInt32LE(0))
        if (!checkpoint) return fail(0x01)
        checkpoint.enabled = body.readUInt8(4)
        return done
      }
      case 0x22: {
        const checkpoint = this.#checkpoints.get(body.readUInt32LE(0))
        if (!checkpoint) return fail(0x01)
        checkpoint.condition = body.toString('utf8', 5)
        return checkpoint.condition.includes('(') ? fail(0x8f) : done
      }
      case 0x31:
        return answer(this.#registerList())
      case 0x32: {
        const index = registerIds.indexOf(body.readUInt8(4))
        if (index < 0) return fail(0x01)
        this.#registers[index] = body.readUInt16LE(5)
        return [{ type: 0x31, body: this.#registerList() }]
      }
      case 0x51: {
        const value = this.#resources.get(body.toString('utf8', 1))
        if (value === undefined) return fail(0x01)
        return typeof value === 'number' ? answer(Buffer.from([1, 4]), u32(value)) : answer(Buffer.from([0]), named(value))
      }
      case 0x52: {
        const name = body.toString('utf8', 2, 2 + body.readUInt8(1))
        const value = body.subarray(3 + name.length)
        this.#resources.set(name, body.readUInt8(0) === 1 ? value.readInt32LE(0) : value.toString('utf8'))
        return done
      }
      case 0x72:
        return api === 1 && !is35 ? fail(0x82) : done
      case 0x82:
        return answer(u16(banks.length), ...banks.map(([name, bank]) => sized(u16(bank), named(name))))
      case 0x83: {
        const items = registerNames.map((name, index) =>
          sized(Buffer.from([registerIds[index] ?? 0, name === 'PC' ? 16 : 8]), named(name)),
        )
        return answer(u16(items.length), ...items)
      }
      case 0x84:
        return answer(this.#display().subarray(0, this.behaviour.cutDisplay ?? undefined))
      case 0x85:
        return is35 ? fail(0x83) : answer(Buffer.from([4, 3, ...(this.behaviour.version === '3.10' ? [10, 0] : [7, 1]), 0, 4, 0, 0, 0, 0]))
      case 0x91:
        return is35 ? fail(0x83) : answer(u16(16), ...Array.from({ length: 16 }, (_, level) => Buffer.from([3, level, level, level])))
      case 0xa2:
        return is35 ? fail(0x83) : done
      case 0x71:
      case 0x81:
      case 0xaa:
      case 0xbb:
      case 0xcc:
      case 0xdd:
        return done
      default:
        return fail(0x83)
    }
  }

  #registerList(): Buffer {
    return Buffer.concat([
      u16(this.#registers.length),
      ...this.#registers.map((value, index) => sized(Buffer.from([registerIds[index] ?? 0]), u16(value))),
    ])
  }

  #describe(number: number, { start, end, stop, enabled, operations, temporary, hits, condition }: PeerCheckpoint, hit: boolean): Buffer {
    const body = Buffer.concat([
      u32(number),
      Buffer.from([Number(hit)]),
      u16(start),
      u16(end),
      Buffer.from([stop, enabled, operations, temporary]),
      u32(hits),
      u32(0),
      Buffer.from([Number(condition !== '')]),
    ])
    return this.#api === 1 ? body : Buffer.concat([body, Buffer.from([0])])
  }

  /** A small blanked buffer with the display window where PAL has it; every pixel of the window is light blue. */
  #display(): Buffer {
    const [width, height, x, y] = [504, 312, 136, 51]
    const pixels = Buffer.alloc(width * height)
    for (let line = y; line < y + 200; line++) pixels.fill(14, line * width + x, line * width + x + 320)
    pixels.fill(9, pixels.length - 8)
    const sizes = Buffer.concat([...[width, height, x, y, 320, 200].map(u16), Buffer.from([8])])
    if (this.#api === 1) return Buffer.concat([u32(43), u32(17), u32(pixels.length), sizes, u32(18), Buffer.alloc(18), pixels])
    const whole = Buffer.concat([u32(13), sizes, u32(pixels.length), pixels])
    return whole.subarray(0, whole.length - 4) // as 3.6 to 3.10.0 do
  }
}

if (process.argv[1] === import.meta.filename) {
  const peer = new Peer(behaviourSchema.parse(JSON.parse(process.argv[2] ?? '{}')), ({ api, id, command, body }) => {
    console.log(JSON.stringify({ api, id, command, body: body.toString('hex') }))
  })
  const server = createServer((socket) => peer.accept(socket))
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify(server.address()))
  })
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { change, happens } = commandSchema.parse(JSON.parse(line))
      peer.behaviour = behaviourSchema.parse({ ...peer.behaviour, ...change })
      if (happens) peer.happen(happens)
    })
    .on('close', () => process.exit(0))
}
