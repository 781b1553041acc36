import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cobsDecode,
  cobsEncode,
  crc16,
  decodeFrame,
  encodeFrame,
  FrameDecoder,
  hello,
  hold,
  jump,
  lineBytes,
  MAX_BODY_BYTES,
  partOffsets,
  readAnswer,
  readBytes,
  readRegisters,
  sumPages,
  writeBytes,
  type Frame,
} from './codec'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))

const anyFrame = fc.record({
  type: fc.integer({ min: 1, max: 255 }),
  sequence: fc.integer({ min: 1, max: 255 }),
  body: fc.uint8Array({ maxLength: MAX_BODY_BYTES }),
})

const reply = (type: number, sequence: number, part: number, ...data: number[]): Frame => ({
  type,
  sequence,
  body: Uint8Array.of(part, ...data),
})

describe('the CRC', () => {
  it('is CRC-16/XMODEM', () => {
    expect(crc16(new TextEncoder().encode('123456789'))).toBe(0x31c3)
  })

  it('is 0 over bytes that end with it', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        const crc = crc16(data)
        expect(crc16(Uint8Array.of(...data, crc >> 8, crc & 0xff))).toBe(0)
      }),
    )
  })
})

describe('COBS', () => {
  it.each([
    ['00', '0101'],
    ['0000', '010101'],
    ['11220033', '0311220233'],
    ['11223344', '0511223344'],
    ['11000000', '0211010101'],
  ])('stuffs %s as %s', (plain, stuffed) => {
    expect(hex(cobsEncode(bytes(plain)))).toBe(stuffed)
    expect(cobsDecode(bytes(stuffed))).toEqual(bytes(plain))
  })

  it('has a block of 254 bytes without a zero behind it', () => {
    const run = Uint8Array.from({ length: 255 }, (_, index) => index + 1)
    expect(hex(cobsEncode(run.subarray(0, 254)))).toBe(`ff${hex(run.subarray(0, 254))}`)
    expect(hex(cobsEncode(run))).toBe(`ff${hex(run.subarray(0, 254))}02ff`)
    expect(cobsDecode(cobsEncode(run))).toEqual(run)
  })

  it('brings back any bytes, and never has a zero', () => {
    const zeroish = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 })), { maxLength: 700 })
    fc.assert(
      fc.property(zeroish, (list) => {
        const plain = Uint8Array.from(list)
        const stuffed = cobsEncode(plain)
        expect(stuffed.includes(0)).toBe(false)
        expect(cobsDecode(stuffed)).toEqual(plain)
      }),
    )
  })

  it('refuses a block that is longer than what is there', () => {
    expect(cobsDecode(bytes('051122'))).toBeUndefined()
  })
})

describe('a frame', () => {
  it('is what the specification says', () => {
    // hello: type, sequence, 00, CRC
    const crc = crc16(bytes('010700'))
    const content = `010700${crc.toString(16).padStart(4, '0')}`
    expect(hex(encodeFrame({ type: 1, sequence: 7, body: new Uint8Array(0) }, 2))).toBe(
      `0000${hex(cobsEncode(bytes(content)))}00`,
    )
  })

  it('comes out of the decoder as it went in, in whatever pieces it arrives', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (frames, cuts) => {
          const stream = Uint8Array.from(frames.flatMap((frame, index) => [...encodeFrame(frame, 1 + (index % 3))]))
          const decoder = new FrameDecoder()
          const seen: (Frame | null)[] = []
          for (let at = 0, cut = 0; at < stream.length; cut++) {
            const end = at + (cuts[cut % cuts.length] ?? 1)
            seen.push(...decoder.push(stream.subarray(at, end)))
            at = end
          }
          expect(seen).toEqual(frames)
        },
      ),
    )
  })

  it('with a changed, lost or doubled byte is damaged, and the one behind it is not', () => {
    const damage = fc.constantFrom(
      (byte: number) => [byte ^ 0x01],
      (byte: number) => [byte ^ 0xff],
      () => [],
      (byte: number) => [byte, byte],
      () => [0x00],
    )
    fc.assert(
      fc.property(anyFrame, anyFrame, fc.nat(), damage, (frame, next, place, change) => {
        const encoded = [...encodeFrame(frame, 0)]
        const at = place % (encoded.length - 1)
        const before = encoded[at] ?? 0
        const changed = change(before)
        fc.pre(changed.length !== 1 || changed[0] !== before)
        encoded.splice(at, 1, ...changed)
        const seen = new FrameDecoder().push(Uint8Array.from([...encoded, ...encodeFrame(next)]))
        expect(seen.at(-1)).toEqual(next)
        expect(seen.slice(0, -1).filter((one) => one !== null)).toEqual([])
      }),
      { seed: 6502, numRuns: 2_000 },
    )
  })

  it('is found behind any garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), anyFrame, (garbage, frame) => {
        const decoder = new FrameDecoder()
        decoder.push(garbage)
        expect(decoder.push(encodeFrame(frame, 2)).at(-1)).toEqual(frame)
      }),
    )
  })

  it('that is too long, or shorter than its own frame, is none', () => {
    const long = { type: 1, sequence: 1, body: new Uint8Array(MAX_BODY_BYTES + 1) }
    expect(decodeFrame(encodeFrame(long, 0).slice(0, -1))).toBeUndefined()
    expect(decodeFrame(bytes('0101'))).toBeUndefined()
    expect(decodeFrame(bytes(''))).toBeUndefined()
  })
})

describe('requests', () => {
  it.each([
    ['read', readBytes(5, 0x1234, 0x0210), '0534121002'],
    ['write', writeBytes(0, 0xd020, Uint8Array.of(1, 2)), '0020d00102'],
    ['sum', sumPages(5, 0xa0, 8), '05a008'],
    ['hold', hold(true), '01'],
    ['jump', jump({ pc: 0xfce2, a: 1, x: 2, y: 3, p: 4, sp: 5, port: 0x37, direction: 0x2f }), 'e2fc0102030405372f'],
  ])('%s has its body', (_name, request, body) => {
    expect(hex(request.body)).toBe(body)
  })

  it('read what hello says', () => {
    expect(hello().parse(bytes('0180010300c4ffcf0cc400de'))).toEqual({
      held: true,
      standard: 'ntsc',
      baud: 230_400,
      start: 0xc400,
      end: 0xd000,
      restart: 0xc40c,
      acia: 0xde00,
    })
  })

  it('refuse another version of the protocol', () => {
    expect(() => hello().parse(bytes('0200000000c4ffcf0cc400de'))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }),
    )
  })

  it('read registers and sums', () => {
    expect(readRegisters().parse(bytes('e2fc0102030405372f'))).toEqual({
      pc: 0xfce2,
      a: 1,
      x: 2,
      y: 3,
      p: 4,
      sp: 5,
      port: 0x37,
      direction: 0x2f,
    })
    expect(sumPages(5, 0, 2).parse(bytes('3412cdab'))).toEqual([0x1234, 0xabcd])
  })

  it('count what they and their answers take of the line', () => {
    const request = readBytes(5, 0, 240)
    const data = new Uint8Array(239)
    const sent = [
      encodeFrame({ ...request, sequence: 1 }),
      ...[data, data.subarray(0, 1)].map((part) =>
        encodeFrame({ type: 0x82, sequence: 1, body: Uint8Array.of(1, ...part) }),
      ),
    ]
    expect(lineBytes(request)).toBe(sent.reduce((sum, { length }) => sum + length, 0))
  })
})

describe('an answer', () => {
  const request = readBytes(5, 0x1000, 300)

  it('comes in parts', () => {
    expect(partOffsets(300)).toEqual([0, 239])
    expect(partOffsets(0)).toEqual([0])
    const first = Array.from({ length: 239 }, (_, index) => index)
    expect(readAnswer(request, 9, reply(0x82, 9, 1, ...first))).toMatchObject({ kind: 'part', offset: 0 })
    const rest = first.slice(0, 61)
    expect(readAnswer(request, 9, reply(0x82, 9, 2, ...rest))).toEqual({
      kind: 'part',
      offset: 239,
      data: Uint8Array.from(rest),
    })
  })

  it.each([
    ['to another request', reply(0x82, 8, 2, ...new Uint8Array(61))],
    ['of another type', reply(0x83, 9, 2, ...new Uint8Array(61))],
    ['with a part that there is not', reply(0x82, 9, 3, 0)],
    ['without a part', reply(0x82, 9, 0)],
    ['of another length', reply(0x82, 9, 2, ...new Uint8Array(60))],
    ['with nothing in it', { type: 0x82, sequence: 9, body: new Uint8Array(0) }],
  ])('%s is none', (_what, frame) => {
    expect(readAnswer(request, 9, frame)).toBeUndefined()
  })

  it('can be an error', () => {
    expect(readAnswer(request, 9, reply(0x7f, 9, 1, 3))).toMatchObject({ kind: 'error', error: { code: 'INVALID' } })
    expect(readAnswer(writeBytes(5, 0xc400, Uint8Array.of(0)), 9, reply(0x7f, 9, 1, 4))).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
    expect(readAnswer(request, 9, reply(0x7f, 255, 1, 1))).toEqual({ kind: 'damaged' })
    expect(readAnswer(request, 9, reply(0x7f, 8, 1, 3))).toBeUndefined()
  })
})
