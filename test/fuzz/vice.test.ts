import { array, constantFrom, nat, oneof, record, string, tuple, uint8Array, type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cropDisplay } from '../../src-main/machine/vice/display'
import {
  Decoder,
  encodeRequest,
  endsAnswer,
  MAX_BODY_BYTES,
  parseAnswer,
  type Message,
  type Request,
} from '../../src-main/machine/vice/codec'
import {
  advance,
  deleteCheckpoint,
  getResource,
  listCheckpoints,
  nameBanks,
  nameRegisters,
  ping,
  readDisplay,
  readMemory,
  readPalette,
  readRegisters,
  readVersion,
  setCheckpoint,
  writeRegister,
} from '../../src-main/machine/vice/commands'
import { parseEvent } from '../../src-main/machine/vice/events'
import { memoryInUse } from '../support/memoryInUse'
import { answerOf, anyBytes, anyCuts, fuzz, inPieces, joined, mutated, noise } from './fuzz'

const types = constantFrom(
  0x00,
  0x01,
  0x11,
  0x14,
  0x31,
  0x51,
  0x61,
  0x62,
  0x63,
  0x71,
  0x81,
  0x82,
  0x83,
  0x84,
  0x85,
  0x91,
  0xab,
)

const anyMessage: Arbitrary<Message> = record({
  api: constantFrom(1, 2),
  type: types,
  error: oneof({ weight: 4, arbitrary: constantFrom(0) }, { weight: 1, arbitrary: nat(0xff) }),
  id: oneof(constantFrom(0xffff_ffff), nat(0xffff)),
  body: anyBytes(600),
})

/** As VICE sends it, spelt out here once more. */
function encode({ api, type, error, id, body }: Message): Uint8Array {
  const bytes = Buffer.alloc(12 + body.length)
  bytes.set([2, api])
  bytes.writeUInt32LE(body.length, 2)
  bytes.set([type, error], 6)
  bytes.writeUInt32LE(id, 8)
  bytes.set(body, 12)
  return bytes
}

/** All that comes out, with copies of the bodies, which hold until the next push only. */
const decodeAll = (decoder: Decoder, pieces: readonly Uint8Array[]): Message[] =>
  pieces.flatMap((piece) => decoder.push(piece).map((message) => ({ ...message, body: message.body.slice() })))

const anyStream = oneof(
  anyBytes(),
  mutated(array(anyMessage, { minLength: 1, maxLength: 4 }).map((messages) => joined(messages.map(encode)))),
)

/** Every request whose answer holds something. */
const requests: Request<unknown>[] = [
  readMemory(0, 0x0400, 0x040f),
  readMemory(0, 0x0000, 0xffff),
  setCheckpoint({ start: 0, end: 1, stop: true, enabled: true, operations: ['exec'], temporary: false }),
  listCheckpoints(),
  deleteCheckpoint(1),
  readRegisters(),
  writeRegister(3, 0xc000),
  nameRegisters(),
  nameBanks(),
  getResource('Speed'),
  advance(1, false),
  ping(),
  readVersion(),
  readPalette(),
]

describe('VICE monitor', () => {
  fuzz(
    'whole messages come out as they went in, in whatever pieces',
    tuple(array(anyMessage, { maxLength: 5 }), anyCuts),
    ([messages, cuts]) => {
      const decoder = new Decoder()
      expect(decodeAll(decoder, inPieces(joined(messages.map(encode)), cuts))).toEqual(messages)
      expect(decoder.skipped).toBe(0)
    },
  )

  fuzz(
    'of any bytes the same messages come out, in whatever pieces, and no byte counts twice',
    tuple(anyStream, anyCuts),
    ([bytes, cuts]) => {
      const [whole, cut] = [new Decoder(), new Decoder()]
      const messages = decodeAll(whole, [bytes])
      expect(decodeAll(cut, inPieces(bytes, cuts))).toEqual(messages)
      expect(cut.skipped).toBe(whole.skipped)
      const taken = messages.reduce((sum, { body }) => sum + 12 + body.length, whole.skipped)
      expect(taken).toBeLessThanOrEqual(bytes.length)
    },
  )

  const noStart = uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => (byte === 2 ? 3 : byte)))
  fuzz('a message behind bytes that start none is found', tuple(noStart, anyMessage), ([before, message]) => {
    const decoder = new Decoder()
    expect(decodeAll(decoder, [joined([before, encode(message)])])).toEqual([message])
    expect(decoder.skipped).toBe(before.length)
  })

  fuzz(
    'an answer is read or refused, whatever it holds',
    tuple(anyStream, nat(requests.length - 1)),
    ([bytes, which]) => {
      const request = requests[which] ?? ping()
      const messages = new Decoder().push(bytes)
      for (const message of messages) {
        answerOf(() => parseEvent(message))
        if (endsAnswer(message, request)) answerOf(() => parseAnswer(request, message, messages))
      }
    },
  )

  const aRequest = constantFrom(...requests)
  fuzz(
    'a body is read or refused by any request',
    tuple(oneof(anyBytes(600), uint8Array({ maxLength: 30 })), types, aRequest),
    ([body, type, request]) => {
      const message: Message = { api: 2, type, error: 0, id: 1, body }
      answerOf(() => parseEvent(message))
      answerOf(() => parseAnswer(request, { ...message, type: request.answer }, [message, message]))
    },
  )

  fuzz('memory that is read has the length that was asked for', tuple(anyBytes(64), nat(40)), ([body, length]) => {
    const bytes = answerOf(() => readMemory(0, 0x1000, 0x1000 + length).parse(body, []))
    if (bytes) expect(bytes).toEqual(body.slice(2, 3 + length))
    expect(bytes !== undefined).toBe(body.length === length + 3)
  })

  const header = record({
    length: oneof(constantFrom(13, 43), nat(60)),
    width: oneof(constantFrom(384, 504, 8, 100), nat(0xffff)),
    height: oneof(constantFrom(247, 272, 312, 4, 30), nat(0xffff)),
    inner: tuple(nat(0xffff), nat(0xffff), nat(0xffff), nat(0xffff)),
    bits: oneof({ weight: 5, arbitrary: constantFrom(8) }, { weight: 1, arbitrary: nat(0xff) }),
    missing: nat(6),
    borders: nat(4),
  })
  fuzz(
    'a picture is whole and within its bounds, or refused',
    header,
    ({ length, width, height, inner, bits, missing, borders }) => {
      const count = Math.min(width * height, 200_000)
      const head = Buffer.alloc(4 + Math.max(length, 21))
      head.writeUInt32LE(length, 0)
      const fields = [width, height, ...inner]
      const start = length === 43 ? 12 : 4
      fields.forEach((field, index) => head.writeUInt16LE(field, start + 2 * index))
      head.writeUInt8(bits, start + 12)
      const body = Buffer.concat([
        head.subarray(0, 4 + length),
        Buffer.alloc(4),
        Buffer.alloc(Math.max(0, count - missing), 5),
      ])
      const display = answerOf(() => readDisplay().parse(body, []))
      if (!display) return
      expect(display.pixels.length).toBe(display.width * display.height)
      expect(display.pixels.length).toBeLessThanOrEqual(MAX_BODY_BYTES)
      const picture = cropDisplay(display, borders)
      expect(picture.pixels.length).toBe((picture.width * picture.height) / 2)
    },
  )

  fuzz(
    'requests are as long as they say',
    tuple(nat(requests.length - 1), nat(0xffff), string()),
    ([which, id, name]) => {
      for (const request of [requests[which] ?? ping(), answerOf(() => getResource(name)) ?? ping()]) {
        const bytes = Buffer.from(encodeRequest(request, id, 2))
        expect([bytes[0], bytes[1], bytes.readUInt32LE(2), bytes.readUInt32LE(6)]).toEqual([
          2,
          2,
          bytes.length - 11,
          id,
        ])
      }
    },
  )

  it('keeps no more than one message, however much comes', () => {
    const decoder = new Decoder()
    const before = memoryInUse()
    // The longest message over and over, cut where it is worst, between stretches of noise.
    const longest = encode({ api: 2, type: 1, error: 0, id: 1, body: new Uint8Array(MAX_BODY_BYTES) })
    let messages = 0
    for (let round = 0; round < 20; round++) {
      messages += decoder.push(longest.subarray(0, -1)).length
      messages += decoder.push(longest.subarray(-1)).length
      decoder.push(noise(round + 1, 0x10000).map((byte) => (byte === 2 ? 0 : byte)))
    }
    expect(messages).toBe(20)
    expect(memoryInUse() - before).toBeLessThan(8 * MAX_BODY_BYTES)
  })
})
