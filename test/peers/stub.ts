/**
 * Stands in for a C64 with the serial stub, as docs/serial-protocol.md has it: 64 KiB of RAM, no chips, no ROM. A program
 * of its own that logs what it was asked; faults of the line can be switched on.
 */
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { parseArgs } from 'node:util'
import { SerialPort } from 'serialport'
import { z } from 'zod'

const optionsSchema = z.strictObject({
  /** Takes everything and answers nothing. */
  silent: z.boolean(),
  /** The KERNAL hangs after a reset. */
  hangs: z.boolean(),
  /** The next so many replies are worked for but not sent. */
  loseReplies: z.int(),
  /** About one byte in so many suffers, on both ways; 0 for none. */
  faultEvery: z.int(),
  fault: z.enum(['lost', 'doubled', 'flipped', 'garbage']),
  seed: z.int(),
  version: z.int(),
})
type Options = z.infer<typeof optionsSchema>
export type StubPeerOptions = Partial<Options>

const START = 0xc400
const END = 0xd000
const PART = 239

const options: Options = {
  silent: false,
  hangs: false,
  loseReplies: 0,
  faultEvery: 0,
  fault: 'lost',
  seed: 1,
  version: 1,
}
const ram = new Uint8Array(0x1_0000).map((_, address) => (address * 7 + (address >> 8)) & 0xff)
let registers = [0x00, 0x10, 1, 2, 3, 0x20, 0xf6, 0x37, 0x2f]
let held = false
let last = ''

/** What the driver needs of a KERNAL: its restart comes to BASIC's prompt, and it takes the keys in its buffer. */
const RESTART = 0xc40c
const BASIC_END = 0x2d
const KEYS = 0xc6
ram[KEYS] = 0

const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

function crcOf(bytes: readonly number[]): number {
  return bytes.reduce((start, byte) => {
    let crc = start ^ (byte << 8)
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    return crc & 0xffff
  }, 0)
}

/** COBS for what is shorter than a block: the length of each stretch up to a zero, and the stretch. */
function stuff(bytes: readonly number[]): number[] {
  const stretches: number[][] = [[]]
  for (const byte of bytes) {
    if (byte === 0) stretches.push([])
    else stretches.at(-1)?.push(byte)
  }
  return stretches.flatMap((stretch) => [stretch.length + 1, ...stretch])
}

function unstuff(bytes: readonly number[]): number[] | undefined {
  const plain: number[] = []
  let rest = bytes
  while (rest.length > 0) {
    const [code = 0] = rest
    if (code > rest.length) return undefined
    plain.push(...rest.slice(1, code), 0)
    rest = rest.slice(code)
  }
  return plain.slice(0, -1)
}

class Line {
  readonly #duplex: Duplex
  #frame: number[] = []
  #random = 0

  constructor(duplex: Duplex) {
    this.#duplex = duplex
    duplex.on('data', (bytes: Buffer) => this.#take(this.#suffer([...bytes])))
    duplex.on('error', () => undefined)
  }

  #take(bytes: readonly number[]): void {
    for (const byte of bytes) {
      if (byte !== 0) this.#frame.push(byte)
      else if (this.#frame.length > 0) {
        const frame = this.#frame
        this.#frame = []
        if (!options.silent) this.#handle(frame)
      }
    }
  }

  #handle(frame: readonly number[]): void {
    const content = unstuff(frame)
    if (!content || content.length < 5 || crcOf(content) !== 0) {
      this.#reply(0x7f, 255, [1])
      return
    }
    const [type = 0, sequence = 0] = content
    const body = content.slice(2, -3)
    const identity = content.slice(-2).concat(sequence).join()
    const repeated = identity === last
    last = identity
    print({ log: { type, sequence, repeated } })
    const answer = answerTo(type, body, repeated)
    if (options.loseReplies > 0) options.loseReplies--
    else if (typeof answer === 'number') this.#reply(0x7f, sequence, [answer])
    else this.#reply(type | 0x80, sequence, answer)
  }

  #reply(type: number, sequence: number, data: readonly number[]): void {
    const parts = Math.max(1, Math.ceil(data.length / PART))
    const bytes = Array.from({ length: parts }, (_, index) => {
      const content = [type, sequence, index + 1, ...data.slice(index * PART, (index + 1) * PART), 0]
      const crc = crcOf(content)
      return [0, ...stuff([...content, crc >> 8, crc & 0xff]), 0]
    })
    this.#duplex.write(Buffer.from(this.#suffer(bytes.flat())))
  }

  #suffer(bytes: readonly number[]): number[] {
    if (options.faultEvery === 0) return [...bytes]
    return bytes.flatMap((byte) => (this.#isHit() ? damage(byte) : [byte]))
  }

  #isHit(): boolean {
    this.#random = (Math.imul(this.#random + options.seed, 1_664_525) + 1_013_904_223) >>> 0
    return (this.#random >>> 8) % options.faultEvery === 0
  }
}

function damage(byte: number): number[] {
  switch (options.fault) {
    case 'lost':
      return []
    case 'doubled':
      return [byte, byte]
    case 'flipped':
      return [byte ^ 0x04]
    case 'garbage':
      return [byte, 0x55, 0x00, 0x81]
  }
}

/** The data of the reply, or the error's number. */
function answerTo(type: number, body: readonly number[], repeated: boolean): number[] | number {
  const [mapping = 0, low = 0, high = 0, third = 0, fourth = 0] = body
  const address = low | (high << 8)
  const length = third | (fourth << 8)
  switch (type) {
    case 1:
      return body.length === 0
        ? [options.version, held ? 0x80 : 0, 0, 0, 0x00, 0xc4, 0xff, 0xcf, RESTART & 0xff, RESTART >> 8, 0x00, 0xde]
        : 3
    case 2:
      if (body.length !== 5 || length === 0 || length > 0x7fff || address + length > 0x1_0000) return 3
      return Array.from({ length }, (_, index) => see(mapping, address + index))
    case 3: {
      const data = body.slice(3)
      if (data.length === 0 || address + data.length > 0x1_0000) return 3
      return change(address, data, repeated)
    }
    case 4:
      return body.length === 0 ? registers : 3
    case 5:
      if (body.length !== registers.length) return 3
      if (!repeated) registers = [...body]
      if ((mapping | (low << 8)) === RESTART) ram.set(options.hangs ? [0, 0] : [0x03, 0x08], BASIC_END)
      return []
    case 6:
      if (body.length !== 6 || length === 0 || address + length > 0x1_0000) return 3
      return change(address, new Array<number>(length).fill(body[5] ?? 0), repeated)
    case 7:
      if (body.length !== 3 || high === 0 || high > 119 || low + high > 0x100) return 3
      return Array.from({ length: high }, (_, index) =>
        crcOf([...ram.subarray((low + index) * 256, (low + index + 1) * 256)]),
      ).flatMap((crc) => [crc & 0xff, crc >> 8])
    case 8:
      if (body.length !== 1) return 3
      held = (mapping & 1) === 1
      return []
    default:
      return 2
  }
}

/** The mapping is what `$01` would have: bit 1 shows the KERNAL's ROM. */
function see(mapping: number, address: number): number {
  if (address < 2) return registers[8 - address] ?? 0
  return mapping & 2 && address >= 0xe000 ? (address * 3) & 0xff : (ram[address] ?? 0)
}

function change(address: number, data: readonly number[], repeated: boolean): number[] | number {
  if (address < END && address + data.length > START) return 4
  if (!repeated) ram.set(data, address)
  ram[KEYS] = 0
  return []
}

const orderSchema = z.object({
  id: z.int(),
  change: optionsSchema.partial().optional(),
  poke: z.tuple([z.int(), z.array(z.int())]).optional(),
  peek: z.tuple([z.int(), z.int()]).optional(),
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { device: { type: 'string' } } })
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    new Line(socket)
  })
  let port = 0
  if (values.device === undefined) {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    if (address !== null && typeof address === 'object') port = address.port
  } else new Line(new SerialPort({ path: values.device, baudRate: 38_400 }))
  print({ port })
  createInterface({ input: process.stdin })
    .on('line', (text) => {
      const { id, change: changes, poke, peek } = orderSchema.parse(JSON.parse(text))
      Object.assign(options, changes)
      if (poke) ram.set(poke[1], poke[0])
      print({ id, result: peek ? [...ram.subarray(peek[0], peek[0] + peek[1])] : [] })
    })
    .on('close', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) await main()
