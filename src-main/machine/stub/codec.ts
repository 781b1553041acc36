/**
 * The serial protocol of docs/serial-protocol.md: frames (COBS between zeros, CRC-16), and requests that parse their
 * answers. Numbers are little-endian, except for the CRC.
 *
 * Request: type u8 | sequence u8 | body | 00 | CRC u16 big-endian
 * Reply:   type u8 | sequence u8 | part u8 | data | 00 | CRC u16 big-endian
 */
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'
import { formatAddress } from '@shared/c64/address'

const PROTOCOL_VERSION = 1

export const MAX_BODY_BYTES = 240
export const DATA_PER_PART = MAX_BODY_BYTES - 1
/** After mapping and address. */
export const MAX_WRITE_BYTES = MAX_BODY_BYTES - 3
export const MAX_READ_BYTES = 0x7fff
/** Each sum takes two bytes. */
export const MAX_SUMMED_PAGES = DATA_PER_PART >> 1

/** Sequence numbers are 1 to 254; 255 marks errors that answer no request. */
export const LAST_SEQUENCE = 254
const NO_SEQUENCE = 255

const types = { hello: 1, read: 2, write: 3, registers: 4, jump: 5, fill: 6, sum: 7, hold: 8 } as const
const IS_REPLY = 0x80
const ERROR = 0x7f

const DELIMITER = 0
const OVERHEAD_BYTES = 5
const MAX_CONTENT_BYTES = MAX_BODY_BYTES + OVERHEAD_BYTES
const MAX_BLOCK_BYTES = 0xfe

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  return crc
})

/** CRC-16/XMODEM: polynomial $1021, initial value 0. For bytes that end with their own CRC it is 0. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)
  return crc
}

/** Consistent overhead byte stuffing: removes zeros, adds one byte for every 254. Without a delimiter. */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const encoded = [0]
  let code = 0
  for (const byte of bytes) {
    if (encoded.length - code > MAX_BLOCK_BYTES) code = closeBlock(encoded, code)
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

/** The decoded bytes; undefined where a block is cut short or contains a zero. */
export function cobsDecode(encoded: Uint8Array): Uint8Array | undefined {
  const bytes: number[] = []
  for (let at = 0; at < encoded.length;) {
    const code = encoded[at] ?? 0
    const block = encoded.subarray(at + 1, at + code)
    if (code === 0 || at + code > encoded.length || block.includes(0)) return undefined
    bytes.push(...block)
    at += code
    if (code <= MAX_BLOCK_BYTES && at < encoded.length) bytes.push(0)
  }
  return Uint8Array.from(bytes)
}

export interface Frame {
  readonly type: number
  readonly sequence: number
  readonly body: Uint8Array
}

/** @param wakeUp number of zeros before the frame, for a receiver that needs time to start */
export function encodeFrame({ type, sequence, body }: Frame, wakeUp = 1): Uint8Array {
  const content = Uint8Array.of(type, sequence, ...body, 0, 0, 0)
  const crc = crc16(content.subarray(0, -2))
  content.set([crc >> 8, crc & 0xff], content.length - 2)
  return Uint8Array.of(...new Uint8Array(wakeUp), ...cobsEncode(content), DELIMITER)
}

export function decodeFrame(encoded: Uint8Array): Frame | undefined {
  const content = cobsDecode(encoded)
  if (!content || content.length < OVERHEAD_BYTES || content.length > MAX_CONTENT_BYTES) return undefined
  if (crc16(content) !== 0 || content[content.length - 3] !== 0) return undefined
  const [type = 0, sequence = 0] = content
  return { type, sequence, body: content.slice(2, -3) }
}

export class FrameDecoder {
  #bytes: number[] = []

  push(chunk: Uint8Array): (Frame | null)[] {
    const frames: (Frame | null)[] = []
    for (const byte of chunk) {
      if (byte !== DELIMITER) {
        // Keeps one byte too many, so that the frame counts as damaged.
        if (this.#bytes.length <= MAX_CONTENT_BYTES + 1) this.#bytes.push(byte)
      } else if (this.#bytes.length > 0) {
        frames.push(decodeFrame(Uint8Array.from(this.#bytes)) ?? null)
        this.#bytes = []
      }
    }
    return frames
  }
}

export interface Request<Reply> {
  /** Completes "The stub could not …". */
  readonly does: string
  readonly type: number
  readonly body: Uint8Array
  /** Bytes of the answer, without its part numbers. */
  readonly replyLength: number
  /** Cycles that the stub needs before it answers. */
  readonly cycles: number
  /** @throws AppError where the bytes do not follow the protocol */
  parse(data: Uint8Array): Reply
}

/** Baud, by their number in `hello`. */
export const stubSpeeds: readonly number[] = [38_400, 57_600, 115_200, 230_400]

export interface Hello {
  readonly held: boolean
  readonly standard: VideoStandard
  readonly baud: number
  /** The stub's own memory, which cannot be written. */
  readonly start: number
  readonly end: number
  /** A jump there resets the C64 but keeps the stub. */
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
  readonly port: number
  readonly direction: number
}

/** Bits 0 to 2 of `$01`: the mapping that the stub selects while it reads or writes. */
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
  does: 'identify itself',
  type: types.hello,
  body: new Uint8Array(0),
  replyLength: HELLO_LENGTH,
  cycles: 0,
  parse(data) {
    const view = viewOf(data)
    const version = view.getUint8(0)
    if (version !== PROTOCOL_VERSION) {
      throw new AppError(
        'UNSUPPORTED',
        `The stub uses protocol version ${version}; Bridgedeck needs version ${PROTOCOL_VERSION}.`,
        { hint: 'Load the stub that comes with this version of Bridgedeck.' },
      )
    }
    return {
      held: view.getUint8(1) >= 0x80,
      standard: view.getUint8(2) === 0 ? 'pal' : 'ntsc',
      baud: stubSpeeds[view.getUint8(3)] ?? 38_400,
      start: view.getUint16(4, true),
      end: view.getUint16(6, true) + 1,
      restart: view.getUint16(8, true),
      acia: view.getUint16(10, true),
    }
  },
})

/** @param length 1 to {@link MAX_READ_BYTES} */
export const readBytes = (mapping: number, address: number, length: number): Request<Uint8Array> => ({
  does: `read ${formatAddress(address)}`,
  type: types.read,
  replyLength: length,
  cycles: 0,
  body: Uint8Array.of(mapping, ...word(address), ...word(length)),
  parse: (data) => data,
})

/** @param bytes 1 to {@link MAX_WRITE_BYTES} */
export const writeBytes = (mapping: number, address: number, bytes: Uint8Array): Request<void> =>
  withoutReply('write', types.write, [mapping, ...word(address), ...bytes])

export const fillBytes = (mapping: number, address: number, length: number, value: number): Request<void> =>
  withoutReply('fill', types.fill, [mapping, ...word(address), ...word(length), value], length * CYCLES_PER_FILLED_BYTE)

/**
 * @returns the CRC of each page
 * @param count 1 to {@link MAX_SUMMED_PAGES}
 */
export const sumPages = (mapping: number, page: number, count: number): Request<number[]> => ({
  does: 'sum memory',
  type: types.sum,
  replyLength: 2 * count,
  cycles: count * CYCLES_PER_SUMMED_PAGE,
  body: Uint8Array.of(mapping, page, count),
  parse: (data) => Array.from({ length: count }, (_, index) => viewOf(data).getUint16(2 * index, true)),
})

export const readRegisters = (): Request<CpuRegisters> => ({
  does: 'read the registers',
  type: types.registers,
  body: new Uint8Array(0),
  replyLength: REGISTERS_LENGTH,
  cycles: 0,
  parse([low = 0, high = 0, a = 0, x = 0, y = 0, p = 0, sp = 0, port = 0, direction = 0]) {
    return { pc: low | (high << 8), a, x, y, p, sp, port, direction }
  },
})

export const jump = ({ pc, a, x, y, p, sp, port, direction }: CpuRegisters): Request<void> =>
  withoutReply('jump', types.jump, [...word(pc), a, x, y, p, sp, port, direction])

export const hold = (held: boolean): Request<void> =>
  withoutReply(held ? 'stop the program' : 'resume the program', types.hold, [held ? 1 : 0])

/** A request whose answer has no data, and which is carried out only once, however often it is repeated. */
function withoutReply(does: string, type: number, body: readonly number[], cycles = 0): Request<void> {
  return { does, type, body: Uint8Array.from(body), replyLength: 0, cycles, parse: () => undefined }
}

export type Answer =
  | { readonly kind: 'part'; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: 'error'; readonly error: AppError }
  | { readonly kind: 'damaged' }

const DAMAGED = 1

const refusals: Record<number, (does: string) => AppError> = {
  2: (does) =>
    new AppError('UNSUPPORTED', `The stub cannot ${does}: it does not know this request.`, {
      hint: 'Load the stub that comes with this version of Bridgedeck.',
    }),
  3: (does) => new AppError('INVALID', `The stub could not ${does}: the range is invalid.`),
  4: (does) =>
    new AppError('FORBIDDEN', `The stub refused to ${does}: the range includes its own memory.`, {
      hint: 'Leave out its memory; the machine’s notices show where that is.',
    }),
}

export function readAnswer(request: Request<unknown>, sequence: number, frame: Frame): Answer | undefined {
  const [part = 0] = frame.body
  const data = frame.body.slice(1)
  if (frame.type === ERROR) {
    const [code = 0] = data
    if (code === DAMAGED && frame.sequence === NO_SEQUENCE) return { kind: 'damaged' }
    if (frame.sequence !== sequence) return undefined
    const { does } = request
    const refused = refusals[code]?.(does) ?? new AppError('INTERNAL', `The stub could not ${does} (error ${code}).`)
    return { kind: 'error', error: refused }
  }
  if (frame.type !== (request.type | IS_REPLY) || frame.sequence !== sequence || part === 0) return undefined
  const offset = (part - 1) * DATA_PER_PART
  const isLast = offset + DATA_PER_PART >= request.replyLength
  const length = isLast ? request.replyLength - offset : DATA_PER_PART
  return data.length === length ? { kind: 'part', offset, data } : undefined
}

export const partOffsets = (replyLength: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil(replyLength / DATA_PER_PART)) }, (_, index) => index * DATA_PER_PART)

export function lineBytes({ body, replyLength }: Request<unknown>): number {
  const framing = OVERHEAD_BYTES + 3
  const parts = partOffsets(replyLength).length
  return body.length + framing + replyLength + parts * (framing + 1)
}

const word = (value: number): [number, number] => [value & 0xff, value >> 8]
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
