import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { takeRequests, wireAnswer } from '../../../test/peers/viceMonitorWire'
import {
  Decoder,
  encodeRequest,
  endsAnswer,
  EVENT_ID,
  MAX_BODY_BYTES,
  parseAnswer,
  type Message,
  type Request,
} from './codec'
import {
  advance,
  autostart,
  exit,
  feedKeyboard,
  getResource,
  listCheckpoints,
  nameBanks,
  nameRegisters,
  readDisplay,
  readMemory,
  readPalette,
  readRegisters,
  readVersion,
  reset,
  setCheckpoint,
  setCondition,
  setJoyport,
  setResource,
  toggleCheckpoint,
  writeMemory,
  writeRegister,
} from './commands'
import { parseEvent } from './events'

const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bodyOf = (request: Request<unknown>): string => toHex(request.body)

function decode(...chunks: Uint8Array[]): Message[] {
  const decoder = new Decoder()
  return chunks.flatMap((chunk) => decoder.push(chunk).map((message) => ({ ...message, body: message.body.slice() })))
}

/** What the request makes of messages with these bodies, the last of which ends its answer. */
function answerTo<Reply>(request: Request<Reply>, body: string, ...items: string[]): Reply {
  const message = (hexBody: string, kind: number): Message => ({
    api: 2,
    type: kind,
    error: 0,
    id: 1,
    body: fromHex(hexBody),
  })
  return parseAnswer(
    request,
    message(body, request.answer),
    items.map((item) => message(item, 0x11)),
  )
}

describe('requests', () => {
  it('are written as in the protocol’s examples', () => {
    const memory = encodeRequest(readMemory(0, 0x0400, 0x0401), 7, 2)
    expect(toHex(memory)).toBe(toHex(fromHex('02 02 08000000 07000000 01 00 0004 0104 00 0000')))
    expect(toHex(encodeRequest(exit(), 8, 2))).toBe(toHex(fromHex('02 02 00000000 08000000 AA')))
    expect(encodeRequest(exit(), 8, 1)[1]).toBe(1)
  })

  it('carry each command’s fields', () => {
    expect(bodyOf(writeMemory(1, 0xd020, Uint8Array.of(1, 2)))).toBe('0020d021d00001000102')
    const checkpoint = {
      start: 0x1000,
      end: 0x1fff,
      stop: true,
      enabled: false,
      operations: ['load', 'exec'],
      temporary: true,
    } as const
    expect(bodyOf(setCheckpoint({ ...checkpoint, operations: [...checkpoint.operations] }))).toBe('0010ff1f01000501')
    expect(bodyOf(toggleCheckpoint(258, true))).toBe('0201000001')
    expect(bodyOf(setCondition(1, 'A == 5'))).toBe(`0100000006${Buffer.from('A == 5').toString('hex')}`)
    expect(bodyOf(writeRegister(3, 0xc000))).toBe('000100030300c0')
    expect(bodyOf(setResource('Speed', 1000))).toBe('01055370656564' + '04e8030000')
    expect(bodyOf(setResource('Speed', -50))).toBe('01055370656564' + '04ceffffff')
    expect(bodyOf(setResource('A', 'bc'))).toBe('000141026263')
    expect(bodyOf(advance(300, true))).toBe('012c01')
    expect(bodyOf(feedKeyboard(Uint8Array.of(0x41, 0x0d)))).toBe('02410d')
    expect(bodyOf(autostart('/a'))).toBe('010000022f61')
    expect(bodyOf(reset('power'))).toBe('01')
    expect(bodyOf(setJoyport(2, 0x1e))).toBe('01001e00')
  })

  it('refuse text that does not fit a length byte', () => {
    expect(() => autostart('ä'.repeat(128))).toThrow(/255/)
  })

  it('arrive whole at a reader written apart from ours, however they are joined', () => {
    const numbered = fc.record({
      id: fc.nat(0xffff_fffe),
      address: fc.nat(0xffff),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 50 }),
    })
    fc.assert(
      fc.property(fc.array(numbered, { maxLength: 5 }), (list) => {
        const bytes = list.map(({ id, address, bytes }) => encodeRequest(writeMemory(3, address, bytes), id, 2))
        const { requests, rest } = takeRequests(Buffer.concat(bytes), [1, 2])
        expect(rest.length).toBe(0)
        expect(
          requests.map(({ id, body }) => ({
            id,
            address: body.readUInt16LE(1),
            bytes: Uint8Array.from(body.subarray(8)),
          })),
        ).toEqual(list)
      }),
    )
  })
})

describe('the decoder', () => {
  it('reads the protocol’s examples', () => {
    const messages = decode(
      fromHex('02 02 04000000 01 00 07000000 0200 20 08'),
      fromHex('02 02 00000000 AA 00 08000000 02 02 02000000 63 00 FFFFFFFF CFE5'),
      fromHex('02 02 02000000 62 00 FFFFFFFF cf e5'),
      fromHex('02 02 00000000 00 81 09000000'),
    )
    expect(messages.map(({ id }) => id)).toEqual([7, 8, EVENT_ID, EVENT_ID, 9])
    const [memory, , resumed, stopped, refused] = messages
    if (!memory || !resumed || !stopped || !refused) throw new Error('messages are missing')
    expect(parseAnswer(readMemory(0, 0x400, 0x401), memory, [])).toEqual(Uint8Array.of(0x20, 0x08))
    expect(parseEvent(resumed)).toEqual({ kind: 'resumed', pc: 0xe5cf })
    expect(parseEvent(stopped)).toEqual({ kind: 'stopped', pc: 0xe5cf })
    expect(() => parseAnswer(readMemory(9, 0, 1), refused, [])).toThrow(
      'VICE could not read memory $0000-$0001: a value',
    )
  })

  const message = fc.record({
    api: fc.constantFrom<1 | 2>(1, 2),
    type: fc.nat(255),
    error: fc.nat(255),
    id: fc.nat(0xffff_ffff),
    body: fc.uint8Array({ maxLength: 300 }),
  })

  it('gives the same messages however the bytes are cut, with garbage between them', () => {
    const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.filter((byte) => byte !== 2))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, message), { maxLength: 6 }),
        fc.array(fc.nat(400), { maxLength: 30 }),
        (parts, cuts) => {
          const bytes = Buffer.concat(parts.flatMap(([garbage, sent]) => [garbage, wireAnswer(sent)]))
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
          expect(decode(...chunks)).toEqual(parts.map(([, sent]) => sent))
        },
      ),
    )
  })

  it('takes any bytes without an error and finds the message after them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), message, (garbage, sent) => {
        const decoder = new Decoder()
        decoder.push(garbage)
        // What looks like the head of a message may swallow up to its announced length, which is bounded.
        const found = decoder.push(Buffer.concat([Buffer.alloc(MAX_BODY_BYTES + 12), wireAnswer(sent)]))
        expect(found.at(-1)).toEqual(sent)
      }),
      { numRuns: 30 },
    )
  })

  it('does not wait for a body longer than any real one', () => {
    const huge = fromHex('02 02 01001000 01 00 01000000')
    const next = wireAnswer({ api: 2, type: 0x81, id: 5 })
    expect(decode(huge, next).map(({ id }) => id)).toEqual([5])
  })

  it('counts what it skips', () => {
    const decoder = new Decoder()
    decoder.push(new TextEncoder().encode('HTTP/1.1 400 Bad Request\r\n'))
    expect(decoder.skipped).toBe(26)
  })

  it('keeps up with 64 KiB in small pieces', () => {
    const bytes = wireAnswer({ api: 2, type: 1, id: 1, body: new Uint8Array(65538).fill(7) })
    const decoder = new Decoder()
    const messages: Message[] = []
    for (let at = 0; at < bytes.length; at += 100) messages.push(...decoder.push(bytes.subarray(at, at + 100)))
    expect(messages.map(({ body }) => body.length)).toEqual([65538])
  })
})

describe('answers', () => {
  it('of 65,536 bytes count 0', () => {
    const body = new Uint8Array(65538).fill(0xaa, 2)
    const bytes = parseAnswer(readMemory(1, 0, 0xffff), { api: 2, type: 1, error: 0, id: 1, body }, [])
    expect(bytes.length).toBe(0x10000)
    expect(bytes.buffer.byteLength).toBe(0x10000)
  })

  it('with fewer bytes than asked for are refused', () => {
    expect(() => answerTo(readMemory(1, 0, 3), '0400 010203')).toThrow(/answer to .read memory/)
  })

  it('list registers and their names', () => {
    expect(answerTo(readRegisters(), '0200 03 03 cfe5 03 00 4100')).toEqual([
      { id: 3, value: 0xe5cf },
      { id: 0, value: 0x41 },
    ])
    expect(answerTo(nameRegisters(), '0200 05 03 10 02 5043 05 37 08 02 3030')).toEqual([
      { id: 3, bits: 16, name: 'PC' },
      { id: 0x37, bits: 8, name: '00' },
    ])
  })

  it('name banks', () => {
    const banks = answerTo(nameBanks(), '0200 06 0100 03 72616d 05 0300 02 696f')
    expect([...banks]).toEqual([
      ['ram', 1],
      ['io', 3],
    ])
  })

  const checkpoint = '01000000 00 0010 ff1f 01 01 05 00 07000000 00000000 01'
  const described = {
    number: 1,
    start: 0x1000,
    end: 0x1fff,
    stop: true,
    enabled: true,
    temporary: false,
    hits: 7,
    hasCondition: true,
    operations: ['load', 'exec'],
  }

  it('describe checkpoints in 22 bytes (3.5) and in 23', () => {
    const request = setCheckpoint({
      start: 0,
      end: 0,
      stop: true,
      enabled: true,
      operations: ['exec'],
      temporary: false,
    })
    expect(answerTo(request, checkpoint)).toEqual(described)
    expect(answerTo(request, `${checkpoint} 00`)).toEqual(described)
  })

  it('list checkpoints as parts that come before the count', () => {
    const request = listCheckpoints()
    const part: Message = { api: 2, type: 0x11, error: 0, id: 1, body: fromHex(checkpoint) }
    expect(endsAnswer(part, request)).toBe(false)
    expect(endsAnswer({ ...part, type: 0x14 }, request)).toBe(true)
    expect(answerTo(request, '01000000', checkpoint)).toEqual([described])
  })

  it('hold resources as numbers, negative ones too, or text', () => {
    expect(answerTo(getResource('Speed'), '01 04 e8030000')).toBe(1000)
    expect(answerTo(getResource('Speed'), '01 04 ceffffff')).toBe(-50)
    expect(answerTo(getResource('Name'), '00 02 6263')).toBe('bc')
  })

  it('tell the version and the palette', () => {
    expect(answerTo(readVersion(), '04 03070100 04 00000000')).toEqual([3, 7, 1, 0])
    expect(answerTo(readPalette(), '0200 03 000000 03 ff8001')).toEqual([0, 0xff8001])
  })

  const sizes = '0400 0300 0100 0200 0200 0100 08'
  const pixels = '000102030405060708090a0b'
  const layout = { width: 4, height: 3, inner: { x: 1, y: 2, width: 2, height: 1 } }

  it('hold a picture in the layout of 3.5', () => {
    const reserved = '12000000' + '00'.repeat(18)
    const display = answerTo(readDisplay(), `2b000000 11000000 0c000000 ${sizes} ${reserved} ${pixels}`)
    expect(display).toEqual({ ...layout, pixels: fromHex(pixels) })
  })

  it('hold a picture in the layout of 3.6 and later, whole or without its last four pixels', () => {
    const head = `0d000000 ${sizes} 0c000000`
    expect(answerTo(readDisplay(), `${head} ${pixels}`)).toEqual({ ...layout, pixels: fromHex(pixels) })
    expect(answerTo(readDisplay(), `${head} ${pixels.slice(0, -8)}`)).toEqual({
      ...layout,
      pixels: fromHex(pixels.slice(0, -8) + '07070707'),
    })
    expect(() => answerTo(readDisplay(), `${head} ${pixels.slice(0, -10)}`)).toThrow(/answer to .send its picture/)
  })

  it('of any bytes give a value or an AppError, never another error', () => {
    const requests: Request<unknown>[] = [
      readMemory(0, 0, 9),
      readRegisters(),
      nameRegisters(),
      nameBanks(),
      listCheckpoints(),
      setCheckpoint({ start: 0, end: 0, stop: true, enabled: true, operations: ['exec'], temporary: false }),
      getResource('X'),
      readDisplay(),
      readVersion(),
      readPalette(),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...requests),
        fc.uint8Array({ maxLength: 100 }),
        fc.nat(255),
        (request, body, error) => {
          const message: Message = { api: 2, type: request.answer, error, id: 1, body }
          try {
            parseAnswer(request, message, [message])
          } catch (thrown) {
            expect(thrown).toHaveProperty('name', 'AppError')
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('events', () => {
  const event = (kind: number, body: string): Message => ({
    api: 2,
    type: kind,
    error: 0,
    id: EVENT_ID,
    body: fromHex(body),
  })

  it('tell of a jam without a body', () => {
    expect(parseEvent(event(0x61, ''))).toEqual({ kind: 'jam' })
  })

  it('tell which checkpoint was hit', () => {
    expect(parseEvent(event(0x11, '02000000 01 0010 0010 01 01 04 00 01000000 00000000 00 00'))).toMatchObject({
      kind: 'checkpoint',
      checkpoint: { number: 2, start: 0x1000, hits: 1, operations: ['exec'] },
    })
  })

  it('of an unknown kind are passed over', () => {
    expect(parseEvent(event(0x77, '00'))).toBeUndefined()
  })
})
