/**
 * The messages of VICE's binary monitor: encodes requests, and decodes what VICE sends. commands.ts has the commands and
 * how their answers are parsed. All numbers are little-endian.
 *
 * Request:  02 | api u8 | body length u32 | id u32 | command u8 | body
 * Answer:   02 | api u8 | body length u32 | type u8 | error u8 | id u32 | body
 */
import { AppError, type ErrorCode } from '@shared/contract/errors'

/** VICE 3.5 knows only version 1 and silently drops anything else; 3.6 and later accept both and answer with 2. */
export type ApiVersion = 1 | 2

export const EVENT_ID = 0xffff_ffff

/** A message with a longer body is taken as garbage; the longest real one is a picture of 157,265 bytes. */
export const MAX_BODY_BYTES = 0x10_0000

const START = 0x02
const REQUEST_HEADER_BYTES = 11
const ANSWER_HEADER_BYTES = 12

export const messageTypes = {
  failed: 0x00,
  checkpoint: 0x11,
  registers: 0x31,
  jam: 0x61,
  stopped: 0x62,
  resumed: 0x63,
} as const

export interface Request<Reply> {
  readonly does: string
  readonly command: number
  readonly body: Uint8Array
  readonly answer: number
  /**
   * Must not keep a view of a body.
   * @throws AppError INTERNAL where a body does not follow the protocol
   */
  parse(body: Uint8Array, items: readonly Uint8Array[]): Reply
}

export interface Message {
  readonly api: ApiVersion
  readonly type: number
  readonly error: number
  readonly id: number
  /** A view valid until the decoder's next push: copies of 64 KiB at 50 Hz would keep the garbage collector busy. */
  readonly body: Uint8Array
}

export function encodeRequest(request: Request<unknown>, id: number, api: ApiVersion): Uint8Array {
  const bytes = new Uint8Array(REQUEST_HEADER_BYTES + request.body.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, START)
  view.setUint8(1, api)
  view.setUint32(2, request.body.length, true)
  view.setUint32(6, id, true)
  view.setUint8(10, request.command)
  bytes.set(request.body, REQUEST_HEADER_BYTES)
  return bytes
}

export class Decoder {
  skipped = 0
  #buffer = new Uint8Array(4096)
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
      if (at + ANSWER_HEADER_BYTES > this.#end) break
      const end = at + ANSWER_HEADER_BYTES + view.getUint32(at + 2, true)
      if (end > this.#end) break
      messages.push({
        api: view.getUint8(at + 1) === 1 ? 1 : 2,
        type: view.getUint8(at + 6),
        error: view.getUint8(at + 7),
        id: view.getUint32(at + 8, true),
        body: this.#buffer.subarray(at + ANSWER_HEADER_BYTES, end),
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

function startsMessage(view: DataView, at: number): boolean {
  if (view.getUint8(at) !== START) return false
  if (at + 1 >= view.byteLength) return true
  const api = view.getUint8(at + 1)
  if (api !== 1 && api !== 2) return false
  return at + 6 > view.byteLength || view.getUint32(at + 2, true) <= MAX_BODY_BYTES
}

export const endsAnswer = (message: Message, request: Request<unknown>): boolean =>
  message.error !== 0 || message.type === messageTypes.failed || message.type === request.answer

export function parseAnswer<Reply>(request: Request<Reply>, last: Message, items: readonly Message[]): Reply {
  if (last.error !== 0 || last.type === messageTypes.failed) throw refusal(request, last.error)
  return request.parse(
    last.body,
    items.map(({ body }) => body),
  )
}

const refusals: Record<number, [ErrorCode, string]> = {
  0x01: ['NOT_FOUND', 'it does not exist'],
  0x02: ['INVALID', 'the memory space does not exist'],
  0x80: ['INVALID', 'the command had the wrong length'],
  0x81: ['INVALID', 'a value of the command is out of range'],
  0x82: ['UNSUPPORTED', 'this version of VICE does not support that version of the protocol'],
  0x83: ['UNSUPPORTED', 'this version of VICE does not know the command'],
  0x8f: ['INVALID', 'the command failed'],
}

function refusal(request: Request<unknown>, error: number): AppError {
  const [code, why] = refusals[error] ?? ['INTERNAL', `it answered with error $${error.toString(16)}`]
  return new AppError(code, `VICE could not ${request.does}: ${why}.`, { details: { viceError: error } })
}
