/**
 * VICE's binary monitor as bytes: each command as a {@link Request} that knows how its answer reads, an incremental
 * decoder for what VICE sends, and its events. No socket here. All numbers are little-endian.
 *
 * Request:  02 | api u8 | body length u32 | id u32 | command u8 | body
 * Answer:   02 | api u8 | body length u32 | type u8 | error u8 | id u32 | body
 */
import { AppError, type ErrorCode } from '@shared/contract/errors'
import type { Checkpoint } from '@shared/contract/machine'
import { formatAddress as hex } from '@shared/c64/address'

/** VICE 3.5 knows version 1 only and drops anything else without a word; 3.6 and later take both and answer with 2. */
export type ApiVersion = 1 | 2

/** The id of messages that nobody asked for. */
export const EVENT_ID = 0xffff_ffff

/** Longest body that is believed; the longest real one is a picture of 157,265 bytes. */
export const MAX_BODY = 0x10_0000

const START = 0x02
const REQUEST_HEADER = 11
const ANSWER_HEADER = 12
const MAIN_MEMORY = 0

const type = {
  failed: 0x00,
  checkpoint: 0x11,
  registers: 0x31,
  jam: 0x61,
  stopped: 0x62,
  resumed: 0x63,
} as const

/** One command, ready to be numbered and sent, and how its answer reads. */
export interface Request<Reply> {
  /** What it does, to complete "VICE could not …". */
  readonly does: string
  readonly command: number
  readonly body: Uint8Array
  /** The type of the message that ends its answer; messages of other types with its id are `items`. */
  readonly answer: number
  /** Keeps no view of a body. Throws an AppError when the bodies are not what the protocol says. */
  parse(body: Uint8Array, items: readonly Uint8Array[]): Reply
}

export interface Message {
  readonly api: ApiVersion
  readonly type: number
  readonly error: number
  readonly id: number
  /** A view that holds until the decoder's next push: copies of 64 KiB at 50 Hz would keep the garbage collector busy. */
  readonly body: Uint8Array
}

export function encodeRequest(request: Request<unknown>, id: number, api: ApiVersion): Uint8Array {
  const bytes = new Uint8Array(REQUEST_HEADER + request.body.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, START)
  view.setUint8(1, api)
  view.setUint32(2, request.body.length, true)
  view.setUint32(6, id, true)
  view.setUint8(10, request.command)
  bytes.set(request.body, REQUEST_HEADER)
  return bytes
}

/** Cuts a byte stream, in whatever pieces it arrives, into messages. Bytes that start none are skipped and counted. */
export class Decoder {
  /** Bytes so far that belonged to no message. */
  skipped = 0
  #buffer = new Uint8Array(4096)
  /** What is not taken yet, as places in the buffer. */
  #start = 0
  #end = 0

  push(chunk: Uint8Array): Message[] {
    this.#append(chunk)
    const view = new DataView(this.#buffer.buffer, 0, this.#end)
    const messages: Message[] = []
    while (this.#start < this.#end) {
      const at = this.#start
      if (!startsMessage(view, at)) {
        this.#start++
        this.skipped++
        continue
      }
      if (at + ANSWER_HEADER > this.#end) break
      const end = at + ANSWER_HEADER + view.getUint32(at + 2, true)
      if (end > this.#end) break
      messages.push({
        api: view.getUint8(at + 1) === 1 ? 1 : 2,
        type: view.getUint8(at + 6),
        error: view.getUint8(at + 7),
        id: view.getUint32(at + 8, true),
        body: this.#buffer.subarray(at + ANSWER_HEADER, end),
      })
      this.#start = end
    }
    return messages
  }

  #append(chunk: Uint8Array): void {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    const needed = this.#end + chunk.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#end))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#end)
    this.#end = needed
  }
}

/** Whether the bytes at `at`, as far as they are there, can be the head of a message. */
function startsMessage(view: DataView, at: number): boolean {
  if (view.getUint8(at) !== START) return false
  if (at + 1 >= view.byteLength) return true
  const api = view.getUint8(at + 1)
  if (api !== 1 && api !== 2) return false
  return at + 6 > view.byteLength || view.getUint32(at + 2, true) <= MAX_BODY
}

/** Whether the message ends the answer to `request`: its last part, or the refusal of it. */
export const endsAnswer = (message: Message, request: Request<unknown>): boolean =>
  message.error !== 0 || message.type === type.failed || message.type === request.answer

/** The answer as a value; throws the refusal as an AppError. */
export function parseAnswer<Reply>(request: Request<Reply>, last: Message, items: readonly Message[]): Reply {
  if (last.error !== 0 || last.type === type.failed) throw refusal(request, last.error)
  return request.parse(
    last.body,
    items.map(({ body }) => body),
  )
}

const refusals: Record<number, [ErrorCode, string]> = {
  0x01: ['NOT_FOUND', 'there is no such thing in it'],
  0x02: ['INVALID', 'it has no such memory space'],
  0x80: ['INVALID', 'the command had the wrong length'],
  0x81: ['INVALID', 'a value of the command is out of range'],
  0x82: ['UNSUPPORTED', 'this version of VICE has it only under another protocol version'],
  0x83: ['UNSUPPORTED', 'this version of VICE does not know the command'],
  0x8f: ['INVALID', 'it tried and failed'],
}

function refusal(request: Request<unknown>, error: number): AppError {
  const [code, why] = refusals[error] ?? ['INTERNAL', `it answered with error $${error.toString(16)}`]
  return new AppError(code, `VICE could not ${request.does}: ${why}.`, { details: { viceError: error } })
}

/** What VICE says unasked. `stopped` and `resumed` carry the program counter. */
export type Event =
  | { readonly kind: 'stopped' | 'resumed'; readonly pc: number }
  | { readonly kind: 'checkpoint'; readonly checkpoint: CheckpointInfo }
  | { readonly kind: 'jam' }

/** The event, or undefined for one that tells nothing (register lists come with each stop) or is of a kind not known. */
export function parseEvent({ type: kind, body }: Message): Event | undefined {
  switch (kind) {
    case type.stopped:
      return { kind: 'stopped', pc: new Fields(body, 'say where it stopped').u16() }
    case type.resumed:
      return { kind: 'resumed', pc: new Fields(body, 'say where it went on').u16() }
    case type.checkpoint:
      return { kind: 'checkpoint', checkpoint: parseCheckpoint(body) }
    case type.jam:
      return { kind: 'jam' }
    default:
      return undefined
  }
}

// Requests

const nothing = (): undefined => undefined

/** A command whose answer says no more than that it was done. */
const order = (does: string, command: number, body: Uint8Array = new Uint8Array(0)): Request<undefined> => ({
  does,
  command,
  body,
  answer: command,
  parse: nothing,
})

/** Reads `start` to `end` inclusive of a bank, without side effects on the machine. */
export function readMemory(bank: number, start: number, end: number): Request<Uint8Array> {
  const does = `read memory ${hex(start)}-${hex(end)}`
  return {
    does,
    command: 0x01,
    body: concat([u8(0), u16(start), u16(end), u8(MAIN_MEMORY), u16(bank)]),
    answer: 0x01,
    parse(body) {
      // The count of 65,536 bytes reads as 0: the body's own length is what counts.
      const bytes = body.slice(2)
      if (bytes.length !== end - start + 1) throw malformed(does)
      return bytes
    },
  }
}

/** Writes at most 65,535 bytes: VICE counts them in 16 bits. */
export const writeMemory = (bank: number, start: number, bytes: Uint8Array): Request<undefined> =>
  order(
    `write memory ${hex(start)}-${hex(start + bytes.length - 1)}`,
    0x02,
    concat([u8(0), u16(start), u16(start + bytes.length - 1), u8(MAIN_MEMORY), u16(bank), bytes]),
  )

/** A checkpoint as VICE lists it; the text of its condition never comes back. */
export interface CheckpointInfo extends Omit<Checkpoint, 'condition'> {
  readonly hasCondition: boolean
}

const operationBits = { load: 1, store: 2, exec: 4 } as const
const operationNames = ['load', 'store', 'exec'] as const

export function setCheckpoint(checkpoint: Omit<Checkpoint, 'number' | 'hits' | 'condition'>): Request<CheckpointInfo> {
  const { start, end, stop, enabled, operations, temporary } = checkpoint
  const operation = operations.reduce((bits, name) => bits | operationBits[name], 0)
  return {
    does: `set a checkpoint at ${hex(start)}-${hex(end)}`,
    command: 0x12,
    body: concat([u16(start), u16(end), u8(Number(stop)), u8(Number(enabled)), u8(operation), u8(Number(temporary))]),
    answer: type.checkpoint,
    parse: parseCheckpoint,
  }
}

export const deleteCheckpoint = (number: number): Request<undefined> =>
  order(`delete checkpoint ${number}`, 0x13, u32(number))

export const listCheckpoints = (): Request<CheckpointInfo[]> => ({
  does: 'list its checkpoints',
  command: 0x14,
  body: new Uint8Array(0),
  answer: 0x14,
  parse: (_body, items) => items.map(parseCheckpoint),
})

export const toggleCheckpoint = (number: number, enabled: boolean): Request<undefined> =>
  order(`${enabled ? 'enable' : 'disable'} checkpoint ${number}`, 0x15, concat([u32(number), u8(Number(enabled))]))

export const setCondition = (number: number, condition: string): Request<undefined> =>
  order(`set the condition "${condition}"`, 0x22, concat([u32(number), shortText(condition)]))

function parseCheckpoint(body: Uint8Array): CheckpointInfo {
  const fields = new Fields(body, 'describe a checkpoint')
  const number = fields.u32()
  fields.skip(1) // whether this message is its hit; an event with it always is
  const start = fields.u16()
  const end = fields.u16()
  const stop = fields.u8() !== 0
  const enabled = fields.u8() !== 0
  const bits = fields.u8()
  const temporary = fields.u8() !== 0
  const hits = fields.u32()
  fields.skip(4) // ignore count
  const hasCondition = fields.u8() !== 0
  // 3.6 and later add the memory space.
  return {
    ...{ number, start, end, stop, enabled, temporary, hits, hasCondition },
    operations: operationNames.filter((name) => bits & operationBits[name]),
  }
}

export interface RegisterValue {
  readonly id: number
  readonly value: number
}

export const readRegisters = (): Request<RegisterValue[]> => ({
  does: 'read the registers',
  command: 0x31,
  body: u8(MAIN_MEMORY),
  answer: type.registers,
  parse: parseRegisters,
})

/** Answers with all registers. */
export const writeRegister = (id: number, value: number): Request<RegisterValue[]> => ({
  does: 'write a register',
  command: 0x32,
  body: concat([u8(MAIN_MEMORY), u16(1), u8(3), u8(id), u16(value)]),
  answer: type.registers,
  parse: parseRegisters,
})

const parseRegisters = (body: Uint8Array): RegisterValue[] =>
  new Fields(body, 'list the registers').list((item) => ({ id: item.u8(), value: item.u16() }))

export interface RegisterName {
  readonly id: number
  readonly bits: number
  readonly name: string
}

export const nameRegisters = (): Request<RegisterName[]> => ({
  does: 'name its registers',
  command: 0x83,
  body: u8(MAIN_MEMORY),
  answer: 0x83,
  parse: (body) =>
    new Fields(body, 'name its registers').list((item) => ({ id: item.u8(), bits: item.u8(), name: item.shortText() })),
})

/** Number of each memory bank by its name. */
export const nameBanks = (): Request<Map<string, number>> => ({
  does: 'name its memory banks',
  command: 0x82,
  body: new Uint8Array(0),
  answer: 0x82,
  parse: (body) =>
    new Map(
      new Fields(body, 'name its memory banks').list((item) => {
        const bank = item.u16()
        return [item.shortText(), bank] as const
      }),
    ),
})

export const getResource = (name: string): Request<string | number> => ({
  does: `read its resource ${name}`,
  command: 0x51,
  body: shortText(name),
  answer: 0x51,
  parse(body) {
    const fields = new Fields(body, `read its resource ${name}`)
    const isNumber = fields.u8() === 1
    const length = fields.u8()
    return isNumber ? fields.i32() : fields.text(length)
  },
})

export const setResource = (name: string, value: string | number): Request<undefined> =>
  order(
    `set its resource ${name}`,
    0x52,
    typeof value === 'number'
      ? concat([u8(1), shortText(name), u8(4), u32(value)])
      : concat([u8(0), shortText(name), shortText(value)]),
  )

/** Steps `count` instructions (1 to 65,535); the events of a stop follow the answer. */
export const advance = (count: number, over: boolean): Request<undefined> =>
  order('step', 0x71, concat([u8(Number(over)), u16(count)]))

/** Queues at most 255 PETSCII bytes for the keyboard buffer. */
export const feedKeyboard = (petscii: Uint8Array): Request<undefined> =>
  order('take the typed text', 0x72, concat([u8(petscii.length), petscii]))

export const ping = (): Request<undefined> => order('answer', 0x81)

export interface Display {
  /** The whole buffer, blanking included. */
  readonly width: number
  readonly height: number
  /** The 320x200 display window within it. */
  readonly inner: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** One colour number a pixel, `width * height` of them. */
  readonly pixels: Uint8Array
}

export const readDisplay = (): Request<Display> => ({
  does: 'send its picture',
  command: 0x84,
  body: concat([u8(0), u8(0)]), // the VIC-II of a C128's two chips; one byte a pixel
  answer: 0x84,
  parse: parseDisplay,
})

/** 3.5 has a long header with reserved bytes up to the pixels, later versions 13 bytes with the pixel count after them. */
function parseDisplay(body: Uint8Array): Display {
  const does = 'send its picture'
  const fields = new Fields(body, does)
  const headerLength = fields.u32()
  const is35 = headerLength === 43
  if (is35) fields.skip(8)
  const width = fields.u16()
  const height = fields.u16()
  const x = fields.u16()
  const y = fields.u16()
  const inner = { x, y, width: fields.u16(), height: fields.u16() }
  const bits = fields.u8()
  const count = width * height
  if (bits !== 8 || count === 0 || count > MAX_BODY) throw malformed(does)
  const start = is35 ? body.length - count : 4 + headerLength + 4
  if (start < headerLength) throw malformed(does)
  const sent = body.subarray(start, start + count)
  // 3.6 to 3.10 count the header four bytes short, so that the last four pixels, of the border, never come.
  if (sent.length < count - 4) throw malformed(does)
  const pixels = new Uint8Array(count).fill(sent.at(-1) ?? 0)
  pixels.set(sent)
  return { width, height, inner, pixels }
}

/** Version numbers, most significant first, such as 3, 7, 1, 0. */
export const readVersion = (): Request<number[]> => ({
  does: 'tell its version',
  command: 0x85,
  body: new Uint8Array(0),
  answer: 0x85,
  parse(body) {
    const fields = new Fields(body, 'tell its version')
    return [...fields.bytes(fields.u8())]
  },
})

/** VICE's palette as sixteen colours, 0xRRGGBB. */
export const readPalette = (): Request<number[]> => ({
  does: 'send its palette',
  command: 0x91,
  body: u8(0),
  answer: 0x91,
  parse: (body) =>
    new Fields(body, 'send its palette').list((item) => (item.u8() << 16) | (item.u8() << 8) | item.u8()),
})

/** Sets the lines of control port 1 or 2: bit 0 up, 1 down, 2 left, 3 right, 4 fire, each 0 when pressed. */
export const setJoyport = (port: 1 | 2, lines: number): Request<undefined> =>
  order('move the joystick', 0xa2, concat([u16(port - 1), u16(lines)]))

/** Lets the machine go on. */
export const exit = (): Request<undefined> => order('go on', 0xaa)

export const quit = (): Request<undefined> => order('quit', 0xbb)

export const reset = (kind: 'soft' | 'power'): Request<undefined> => order('reset', 0xcc, u8(kind === 'soft' ? 0 : 1))

/** Loads and runs a file of VICE's host; the machine goes on. */
export const autostart = (path: string): Request<undefined> =>
  order(`start ${path}`, 0xdd, concat([u8(1), u16(0), shortText(path)]))

// Bytes

const u8 = (value: number): Uint8Array => Uint8Array.of(value)
const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8)
const u32 = (value: number): Uint8Array =>
  Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)

/** A length byte and the text as UTF-8. */
function shortText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > 255)
    throw new AppError('INVALID', `VICE takes at most 255 bytes of text here, and this is ${bytes.length}.`)
  return concat([u8(bytes.length), bytes])
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const malformed = (does: string): AppError =>
  new AppError('INTERNAL', `VICE was asked to ${does} and sent an answer that does not fit its protocol.`)

/** Reads the fields of a body in order; a body that is too short is malformed. */
class Fields {
  readonly #body: Uint8Array
  readonly #does: string
  #at = 0

  constructor(body: Uint8Array, does: string) {
    this.#body = body
    this.#does = does
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#body.length) throw malformed(this.#does)
    const bytes = this.#body.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  skip(count: number): void {
    this.bytes(count)
  }

  #view(count: number): DataView {
    const { buffer, byteOffset } = this.bytes(count)
    return new DataView(buffer, byteOffset, count)
  }

  u8(): number {
    return this.#view(1).getUint8(0)
  }

  u16(): number {
    return this.#view(2).getUint16(0, true)
  }

  u32(): number {
    return this.#view(4).getUint32(0, true)
  }

  i32(): number {
    return this.#view(4).getInt32(0, true)
  }

  text(length: number): string {
    return new TextDecoder().decode(this.bytes(length))
  }

  shortText(): string {
    return this.text(this.u8())
  }

  /** A count and as many items; each starts with its size, so that a later version may append to it. */
  list<Item>(parse: (item: Fields) => Item): Item[] {
    return Array.from({ length: this.u16() }, () => parse(new Fields(this.bytes(this.u8()), this.#does)))
  }
}
