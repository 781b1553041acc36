/** The bytes of VICE's binary monitor, all little endian. Requests have 11 bytes before their body, answers and events 12. */

export interface MonitorRequest {
  readonly command: number
  readonly id: number
  readonly api: number
  readonly body: Buffer
}

const START = 2
export const EVENT_ID = 0xffffffff
const REQUEST_HEADER = 11

/**
 * Cuts complete requests off the front of `bytes`. Bytes before 0x02 are skipped; of a request with another version the
 * first six bytes are dropped and the search goes on in the rest, as VICE does.
 */
export function takeRequests(bytes: Buffer, apis: readonly number[]): { requests: MonitorRequest[]; rest: Buffer } {
  const requests: MonitorRequest[] = []
  let at = 0
  for (;;) {
    const start = bytes.indexOf(START, at)
    if (start < 0) return { requests, rest: Buffer.alloc(0) }
    at = start
    if (bytes.length - at < 6) break
    const api = bytes.readUInt8(at + 1)
    if (!apis.includes(api)) {
      at += 6
      continue
    }
    const end = at + REQUEST_HEADER + bytes.readUInt32LE(at + 2)
    if (bytes.length < end) break
    const body = bytes.subarray(at + REQUEST_HEADER, end)
    requests.push({ command: bytes.readUInt8(at + 10), id: bytes.readUInt32LE(at + 6), api, body })
    at = end
  }
  return { requests, rest: bytes.subarray(at) }
}

/** One message to the client: 12 bytes of header and the body. */
export function wireAnswer(answer: {
  api: number
  type: number
  error?: number
  id: number
  body?: Uint8Array
}): Buffer {
  const body = answer.body ?? Buffer.alloc(0)
  const header = Buffer.alloc(12)
  header.writeUInt8(START, 0)
  header.writeUInt8(answer.api, 1)
  header.writeUInt32LE(body.length, 2)
  header.writeUInt8(answer.type, 6)
  header.writeUInt8(answer.error ?? 0, 7)
  header.writeUInt32LE(answer.id, 8)
  return Buffer.concat([header, body])
}

export const u8 = (...values: number[]): Buffer => Buffer.from(values)

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, index) => bytes.writeUInt16LE(value & 0xffff, 2 * index))
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, 4 * index))
  return bytes
}

/** An item of a list: its size, which does not count itself, and its fields. */
export const item = (...fields: Buffer[]): Buffer => {
  const whole = Buffer.concat(fields)
  return Buffer.concat([u8(whole.length), whole])
}

export const named = (name: string): Buffer => Buffer.concat([u8(name.length), Buffer.from(name, 'latin1')])

export const ERROR = {
  objectMissing: 0x01,
  badMemspace: 0x02,
  wrongLength: 0x80,
  badParameter: 0x81,
  badApi: 0x82,
  unknown: 0x83,
  failed: 0x8f,
}

/** Ends a command with an error code. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number) {
    super(`error ${code.toString(16)}`)
    this.code = code
  }
}

/** The bytes after a length byte at `at`. */
export function counted(body: Buffer, at: number): Buffer {
  const length = body[at]
  if (length === undefined || body.length < at + 1 + length) throw new Refused(ERROR.wrongLength)
  return body.subarray(at + 1, at + 1 + length)
}
