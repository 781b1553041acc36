/**
 * The serial protocol of docs/serial-protocol.md as bytes: frames (COBS between zeros, CRC-16), each request as a
 * {@link Request} that knows how long its answer is and how it reads. No line here. Numbers are little-endian but for
 * the CRC.
 *
 * Request: type u8 | sequence u8 | body | 00 | CRC u16 big-endian
 * Reply:   type u8 | sequence u8 | part u8 | data | 00 | CRC u16 big-endian
 */
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'
import { formatAddress } from '@shared/c64/address'

const PROTOCOL_VERSION = 1

/** Longest body of a request, and of a reply with its part number. */
export const MAX_BODY = 240
export const DATA_PER_PART = MAX_BODY - 1
/** Bytes that one write request carries. */
export const MAX_WRITE = MAX_BODY - 3
export const MAX_READ = 0x7fff
/** Pages that one request sums: two bytes each. */
export const MAX_SUMMED_PAGES = DATA_PER_PART >> 1

/** Sequence numbers go from 1 to this one; 255 is for errors that answer nothing. */
export const LAST_SEQUENCE = 254
const NO_SEQUENCE = 255

const types = { hello: 1, read: 2, write: 3, registers: 4, jump: 5, fill: 6, sum: 7, hold: 8 } as const
const IS_REPLY = 0x80
const ERROR = 0x7f

const DELIMITER = 0
/** Type, sequence, the zero and the CRC. */
const OVERHEAD = 5
const LONGEST_CONTENT = MAX_BODY + OVERHEAD
const LONGEST_BLOCK = 0xfe

// Frames

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  return crc
})

/** CRC-16/XMODEM: polynomial $1021, begins with 0. Over bytes that end with their own CRC it is 0. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)
  return crc
}

/** Consistent overhead byte stuffing: the same bytes without zeros, one longer for every 254. Without a delimiter. */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const encoded = [0]
  let code = 0
  for (const byte of bytes) {
    if (encoded.length - code > LONGEST_BLOCK) code = closeBlock(encoded, code)
    if (byte === DELIMITER) code = closeBlock(encoded, code)
    else encoded.push(byte)
  }
  closeBlock(encoded, code)
  return Uint8Array.from(encoded.slice(0, -1))
}

function closeBlock(encoded: number[], code: number): number {
  encoded[code] = encoded.length - code
  return encoded.push(0) - 1
}

/** The bytes that were encoded; undefined where a block is longer than what is there, or a zero is in it. */
export function cobsDecode(encoded: Uint8Array): Uint8Array | undefined {
  const bytes: number[] = []
  for (let at = 0; at < encoded.length;) {
    const code = encoded[at] ?? 0
    const block = encoded.subarray(at + 1, at + code)
    if (code === 0 || at + code > encoded.length || block.includes(0)) return undefined
    bytes.push(...block)
    at += code
    if (code <= LONGEST_BLOCK && at < encoded.length) bytes.push(0)
  }
  return Uint8Array.from(bytes)
}

export interface Frame {
  readonly type: number
  readonly sequence: number
  readonly body: Uint8Array
}

/** A frame with its delimiters. @param wakeUp zeros before it, for a receiver that needs time to begin */
export function encodeFrame({ type, sequence, body }: Frame, wakeUp = 1): Uint8Array {
  const content = Uint8Array.of(type, sequence, ...body, 0, 0, 0)
  const crc = crc16(content.subarray(0, -2))
  content.set([crc >> 8, crc & 0xff], content.length - 2)
  return Uint8Array.of(...new Uint8Array(wakeUp), ...cobsEncode(content), DELIMITER)
}

/** What stood between two zeros; undefined where it is no frame. */
export function decodeFrame(encoded: Uint8Array): Frame | undefined {
  const content = cobsDecode(encoded)
  if (!content || content.length < OVERHEAD || content.length > LONGEST_CONTENT) return undefined
  if (crc16(content) !== 0 || content[content.length - 3] !== 0) return undefined
  const [type = 0, sequence = 0] = content
  return { type, sequence, body: content.slice(2, -3) }
}

/** Cuts a byte stream, in whatever pieces it arrives, into frames; null stands for one that is damaged. */
export class FrameDecoder {
  #bytes: number[] = []

  push(chunk: Uint8Array): (Frame | null)[] {
    const frames: (Frame | null)[] = []
    for (const byte of chunk) {
      if (byte !== DELIMITER) {
        // What is too long stays so, and is damaged.
        if (this.#bytes.length <= LONGEST_CONTENT + 1) this.#bytes.push(byte)
      } else if (this.#bytes.length > 0) {
        frames.push(decodeFrame(Uint8Array.from(this.#bytes)) ?? null)
        this.#bytes = []
      }
    }
    return frames
  }
}

// Requests

/** One request, ready to be numbered and sent, and how its answer reads. */
export interface Request<Reply> {
  /** What it does, to complete "The stub could not …". */
  readonly does: string
  readonly type: number
  readonly body: Uint8Array
  /** Bytes of the answer, without the numbers of its parts. */
  readonly replyLength: number
  /** Cycles that the stub works before it answers. */
  readonly cycles: number
  /** @throws AppError when the bytes are not what the protocol says */
  parse(data: Uint8Array): Reply
}

/** Speeds by the number that `hello` says, baud. */
const stubSpeeds = [38_400, 57_600, 115_200, 230_400] as const

export interface Hello {
  readonly held: boolean
  readonly standard: VideoStandard
  readonly baud: number
  /** The stub's own memory, which cannot be written. */
  readonly start: number
  readonly end: number
  /** A jump there does what a reset does, but keeps the stub. */
  readonly restart: number
  readonly acia: number
}

export interface CpuRegisters {
  readonly pc: number
  readonly a: number
  readonly x: number
  readonly y: number
  readonly p: number
  readonly sp: number
  /** `$01` and `$00`. */
  readonly port: number
  readonly direction: number
}

/** Bits 0 to 2 of `$01`: what the stub maps while it reads or writes. */
export const mappings = {
  ram: 0b000,
  /** I/O, and RAM everywhere else. */
  io: 0b101,
  characterRom: 0b011,
  rom: 0b111,
} as const

const HELLO_LENGTH = 12
const REGISTERS_LENGTH = 9
const CYCLES_PER_SUMMED_PAGE = 6_500
const CYCLES_PER_FILLED_BYTE = 10

export const hello = (): Request<Hello> => ({
  ...{ does: 'say what it is', type: types.hello, body: new Uint8Array(0), replyLength: HELLO_LENGTH, cycles: 0 },
  parse(data) {
    const view = viewOf(data)
    const version = view.getUint8(0)
    if (version !== PROTOCOL_VERSION) {
      throw new AppError(
        'UNSUPPORTED',
        `The stub speaks version ${version} of the protocol, and Bridgedeck version ${PROTOCOL_VERSION}.`,
        {
          hint: 'Load the stub that comes with this Bridgedeck.',
        },
      )
    }
    return {
      held: view.getUint8(1) >= 0x80,
      standard: view.getUint8(2) === 0 ? 'pal' : 'ntsc',
      baud: stubSpeeds[view.getUint8(3)] ?? stubSpeeds[0],
      start: view.getUint16(4, true),
      end: view.getUint16(6, true) + 1,
      restart: view.getUint16(8, true),
      acia: view.getUint16(10, true),
    }
  },
})

/** @param mapping one of {@link mappings}; @param length 1 to {@link MAX_READ} */
export const readBytes = (mapping: number, address: number, length: number): Request<Uint8Array> => ({
  ...{ does: `read ${formatAddress(address)}`, type: types.read, replyLength: length, cycles: 0 },
  body: Uint8Array.of(mapping, ...word(address), ...word(length)),
  parse: (data) => data,
})

/** @param bytes 1 to {@link MAX_WRITE} */
export const writeBytes = (mapping: number, address: number, bytes: Uint8Array): Request<void> =>
  order('write', types.write, [mapping, ...word(address), ...bytes])

export const fillBytes = (mapping: number, address: number, length: number, value: number): Request<void> =>
  order('fill', types.fill, [mapping, ...word(address), ...word(length), value], length * CYCLES_PER_FILLED_BYTE)

/** The CRC of each page. @param count 1 to {@link MAX_SUMMED_PAGES} */
export const sumPages = (mapping: number, page: number, count: number): Request<number[]> => ({
  ...{ does: 'sum memory', type: types.sum, replyLength: 2 * count, cycles: count * CYCLES_PER_SUMMED_PAGE },
  body: Uint8Array.of(mapping, page, count),
  parse: (data) => Array.from({ length: count }, (_, index) => viewOf(data).getUint16(2 * index, true)),
})

export const readRegisters = (): Request<CpuRegisters> => ({
  ...{
    does: 'tell the registers',
    type: types.registers,
    body: new Uint8Array(0),
    replyLength: REGISTERS_LENGTH,
    cycles: 0,
  },
  parse([low = 0, high = 0, a = 0, x = 0, y = 0, p = 0, sp = 0, port = 0, direction = 0]) {
    return { pc: low | (high << 8), a, x, y, p, sp, port, direction }
  },
})

/** The program goes on with these registers. */
export const jump = ({ pc, a, x, y, p, sp, port, direction }: CpuRegisters): Request<void> =>
  order('jump', types.jump, [...word(pc), a, x, y, p, sp, port, direction])

/** Whether the stub keeps the program stopped after it has answered. */
export const hold = (held: boolean): Request<void> =>
  order(held ? 'stop the program' : 'let the program go on', types.hold, [held ? 1 : 0])

/** A request that is answered with nothing but its number, and that is carried out once however often it is repeated. */
function order(does: string, type: number, body: readonly number[], cycles = 0): Request<void> {
  return { does, type, body: Uint8Array.from(body), replyLength: 0, cycles, parse: () => undefined }
}

// Replies

export type Answer =
  /** A part of the answer, from this place on. */
  | { readonly kind: 'part'; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: 'error'; readonly error: AppError }
  /** The stub could not read what was sent last. */
  | { readonly kind: 'damaged' }

const DAMAGED = 1

const refusals: Record<number, (does: string) => AppError> = {
  2: (does) =>
    new AppError('UNSUPPORTED', `The stub cannot ${does}: it does not know this request.`, {
      hint: 'Load the stub that comes with this Bridgedeck.',
    }),
  3: (does) => new AppError('INVALID', `The stub could not ${does}: the range is not one that it takes.`),
  4: (does) =>
    new AppError('FORBIDDEN', `The stub refused to ${does}: that is its own memory.`, {
      hint: 'Write around it: the machine’s notices say where it is.',
    }),
}

/** What a frame says about a request; undefined where it answers another one, or is not what the answer can be. */
export function readAnswer(request: Request<unknown>, sequence: number, frame: Frame): Answer | undefined {
  const [part = 0] = frame.body
  const data = frame.body.slice(1)
  if (frame.type === ERROR) {
    const [code = 0] = data
    if (code === DAMAGED && frame.sequence === NO_SEQUENCE) return { kind: 'damaged' }
    if (frame.sequence !== sequence) return undefined
    const { does } = request
    const refused =
      refusals[code]?.(does) ?? new AppError('INTERNAL', `The stub could not ${does} (its error ${code}).`)
    return { kind: 'error', error: refused }
  }
  if (frame.type !== (request.type | IS_REPLY) || frame.sequence !== sequence || part === 0) return undefined
  const offset = (part - 1) * DATA_PER_PART
  const isLast = offset + DATA_PER_PART >= request.replyLength
  const length = isLast ? request.replyLength - offset : DATA_PER_PART
  return data.length === length ? { kind: 'part', offset, data } : undefined
}

/** Where the parts of an answer begin. */
export const partOffsets = (replyLength: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil(replyLength / DATA_PER_PART)) }, (_, index) => index * DATA_PER_PART)

/** Bytes on the line for a request and its answer. */
export function lineBytes({ body, replyLength }: Request<unknown>): number {
  const framing = OVERHEAD + 3
  const parts = partOffsets(replyLength).length
  return body.length + framing + replyLength + parts * (framing + 1)
}

const word = (value: number): [number, number] => [value & 0xff, value >> 8]
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
