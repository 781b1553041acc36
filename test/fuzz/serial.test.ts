import {
  array,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
  type Arbitrary,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as easyflash from '../../src-main/machine/easyflash/codec'
import {
  cobsDecode,
  cobsEncode,
  crc16,
  decodeFrame,
  encodeFrame,
  fillBytes,
  FrameDecoder,
  hello,
  hold,
  jump,
  MAX_BODY_BYTES,
  MAX_SUMMED_PAGES,
  partOffsets,
  readAnswer,
  readBytes,
  readRegisters,
  sumPages,
  writeBytes,
  type Frame,
  type Request,
} from '../../src-main/machine/stub/codec'
import * as teensyrom from '../../src-main/machine/teensyrom/codec'
import { memoryInUse } from '../support/memoryInUse'
import { answerOf, anyBytes, anyCuts, fuzz, inPieces, joined, mutated, noise } from './fuzz'

/** CRC-16/XMODEM, bit by bit. */
function slowCrc(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const isOut = ((crc >> 15) ^ (byte >> bit)) & 1
      crc = ((crc << 1) & 0xffff) ^ (isOut ? 0x1021 : 0)
    }
  }
  return crc
}

const anyFrame: Arbitrary<Frame> = record({
  type: nat(0xff),
  sequence: nat(0xff),
  body: oneof(
    uint8Array({ maxLength: 20 }),
    uint8Array({ maxLength: MAX_BODY_BYTES }).map((body) => body.map((byte) => byte & 1)),
  ),
})
const requests: readonly Request<unknown>[] = [
  hello(),
  readRegisters(),
  jump({ pc: 0xc000, a: 1, x: 2, y: 3, p: 4, sp: 5, port: 0x37, direction: 0x2f }),
  hold(true),
  fillBytes(0, 0x1000, 0x100, 0),
  writeBytes(0, 0x1000, Uint8Array.of(1)),
  sumPages(0, 0, MAX_SUMMED_PAGES),
  ...[1, 238, 239, 240, 478, 0x7fff].map((length) => readBytes(0, 0, length)),
]

describe('Serial stub', () => {
  fuzz('the checksum is CRC-16/XMODEM', anyBytes(300), (bytes) => {
    expect(crc16(bytes)).toBe(slowCrc(bytes))
  })

  const manyZeros = anyBytes(700).map((bytes) => bytes.map((byte) => (byte < 0xc0 ? byte : 0)))
  fuzz('what is stuffed has no zeros, is hardly longer, and comes back', oneof(anyBytes(700), manyZeros), (bytes) => {
    const encoded = cobsEncode(bytes)
    expect(encoded.includes(0)).toBe(false)
    expect(encoded.length).toBeLessThanOrEqual(bytes.length + 1 + Math.ceil(bytes.length / 254))
    expect(cobsDecode(encoded)).toEqual(bytes)
  })

  fuzz('any bytes are unstuffed or refused', anyBytes(700), (bytes) => {
    const decoded = cobsDecode(bytes)
    if (decoded) expect(decoded.length).toBeLessThanOrEqual(bytes.length)
  })

  fuzz(
    'frames come out as they went in, in whatever pieces',
    tuple(array(anyFrame, { maxLength: 4 }), anyCuts),
    ([frames, cuts]) => {
      const decoder = new FrameDecoder()
      const stream = joined(frames.map((frame) => encodeFrame(frame)))
      expect(inPieces(stream, cuts).flatMap((piece) => decoder.push(piece))).toEqual(frames)
    },
  )

  fuzz('a frame behind any bytes and a zero is found', tuple(anyBytes(700), anyFrame), ([before, frame]) => {
    const decoder = new FrameDecoder()
    expect(decoder.push(joined([before, Uint8Array.of(0), encodeFrame(frame, 0)])).at(-1)).toEqual(frame)
  })

  fuzz(
    'what is changed on the line comes out only where its checksum is right',
    tuple(
      mutated(
        array(anyFrame, { minLength: 1, maxLength: 3 }).map((frames) =>
          joined(frames.map((frame) => encodeFrame(frame))),
        ),
      ),
      anyCuts,
    ),
    ([bytes, cuts]) => {
      const decoder = new FrameDecoder()
      const frames = inPieces(bytes, cuts).flatMap((piece) => decoder.push(piece))
      expect(new FrameDecoder().push(bytes)).toEqual(frames)
      // Each came over the line with the checksum that its content has.
      const sound = Buffer.from(bytes.subarray(0, bytes.lastIndexOf(0) + 1))
        .toString('latin1')
        .split('\0')
        .slice(0, -1)
        .filter((part) => part !== '')
        .map((part) => cobsDecode(Buffer.from(part, 'latin1')))
      expect(frames).toHaveLength(sound.length)
      frames.forEach((frame, index) => {
        const content = sound[index]
        if (!frame) return
        if (!content) throw new Error('A frame came out of what cannot be unstuffed.')
        expect(slowCrc(content.subarray(0, -2))).toBe(Buffer.from(content).readUInt16BE(content.length - 2))
        expect([frame.type, frame.sequence, ...frame.body, 0]).toEqual([...content.subarray(0, -2)])
      })
    },
  )

  // The polynomial finds every burst of up to 16 bits.
  const burst = record({ frame: anyFrame, place: nat(0xffff), pattern: integer({ min: 1, max: 0xffff }) })
  fuzz('changes within 16 bits are always found', burst, ({ frame, place, pattern }) => {
    const content = cobsDecode(encodeFrame(frame, 0).subarray(0, -1)) ?? new Uint8Array(0)
    const bit = place % (content.length * 8 - 15)
    for (let index = 0; index < 16; index++) {
      const at = (bit + index) >> 3
      if (pattern & (1 << index)) content[at] = (content[at] ?? 0) ^ (0x80 >> ((bit + index) & 7))
    }
    expect(decodeFrame(cobsEncode(content))).toBeUndefined()
  })

  const answers = record({
    request: constantFrom(...requests),
    sequence: constantFrom(1, 2, 254, 255),
    frame: record({
      type: oneof(nat(0xff), constantFrom(0x7f, ...requests.map(({ type }) => type | 0x80))),
      sequence: constantFrom(1, 2, 254, 255),
      body: uint8Array({ maxLength: MAX_BODY_BYTES }),
    }),
  })
  fuzz('no part of an answer goes past its end', answers, ({ request, sequence, frame }) => {
    const answer = readAnswer(request, sequence, frame)
    if (answer?.kind !== 'part') return
    expect(answer.offset).toBeGreaterThanOrEqual(0)
    expect(answer.offset + answer.data.length).toBeLessThanOrEqual(request.replyLength)
  })

  fuzz(
    'an answer in parts is put together, in whatever order they come',
    tuple(integer(), integer({ min: 1, max: 2_000 }), array(nat(0xff), { maxLength: 10 })),
    ([seed, length, keys]) => {
      const request = readBytes(0, 0, length)
      const bytes = noise(seed, length)
      const frames = partOffsets(length).map((offset, index) => ({
        type: request.type | 0x80,
        sequence: 7,
        body: Uint8Array.of(index + 1, ...bytes.subarray(offset, offset + 239)),
      }))
      const shuffled = frames.map((frame, index) => ({ frame, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key)
      const data = new Uint8Array(length)
      for (const { frame } of shuffled) {
        const answer = readAnswer(request, 7, frame)
        if (answer?.kind !== 'part') throw new Error('A good part was refused.')
        data.set(answer.data, answer.offset)
      }
      expect(request.parse(data)).toEqual(bytes)
    },
  )

  fuzz(
    'an answer of the right length is read or refused',
    tuple(constantFrom(...requests), integer()),
    ([request, seed]) => {
      answerOf(() => request.parse(noise(seed, request.replyLength)))
    },
  )

  it('keeps no more than one frame, however much comes without an end', () => {
    const decoder = new FrameDecoder()
    const before = memoryInUse()
    const endless = noise(1, 0x10000).map((byte) => byte || 1)
    for (let round = 0; round < 200; round++) expect(decoder.push(endless)).toEqual([])
    expect(memoryInUse() - before).toBeLessThan(1 << 20)
    expect(decoder.push(Uint8Array.of(0))).toEqual([null])
  })
})

const line = string({ unit: constantFrom('"', ',', '{', '}', ':', 's', '1', ' ', '\\', '\n', '\r', 'é') })
const fileName = string({ unit: constantFrom('a', 'B', '.', ' ', '/', 'ö', '"'), minLength: 1 })

describe('TeensyROM', () => {
  fuzz('any two bytes are a token or none', tuple(nat(0xff), nat(0xff)), ([low, high]) => {
    const token = teensyrom.parseToken(Uint8Array.of(low, high))
    const known = [0x64cc, 0x9b7f, 0x9b7e, 0x9b80, 0x9b81, 0x64e1, 0x64e2, 0x5a5a, 0xa5a5]
    expect(token !== undefined).toBe(known.includes(low | (high << 8)))
  })

  fuzz(
    'a range goes out most significant byte first',
    tuple(nat(0xffff), integer({ min: 1, max: teensyrom.MAX_SEGMENT_BYTES })),
    ([address, length]) => {
      const bytes = Buffer.from(teensyrom.encodeRange(address, length))
      expect([bytes.length, bytes.readUInt16BE(0), bytes.readUInt16BE(2)]).toEqual([4, address, length])
    },
  )

  fuzz(
    'a path goes out whole with a zero behind it, or not at all',
    tuple(oneof(fileName, string({ unit: 'binary' }), string({ minLength: 250, maxLength: 350 })), anyBytes(600)),
    ([path, bytes]) => {
      const sent = answerOf(() => Buffer.from(teensyrom.encodeFileHeader('sd', path, bytes)))
      const text = Buffer.from(`${path}\0`)
      const isGood = text.indexOf(0) === text.length - 1 && text.length <= 300
      expect(sent !== undefined).toBe(isGood)
      if (!sent) return
      expect([sent.readUInt32BE(0), sent.readUInt16BE(4), sent[6]]).toEqual([
        bytes.length,
        bytes.reduce((sum, byte) => sum + byte, 0) & 0xffff,
        1,
      ])
      expect(sent.subarray(7)).toEqual(text)
    },
  )

  const entry = record({ folder: boolean(), name: fileName, size: nat(0x7fff_ffff) })
  fuzz(
    'a directory is listed as the device has it, quotation marks in names and all',
    array(entry, { maxLength: 5 }),
    (entries) => {
      // The device does not escape them.
      const text = entries
        .map(({ folder, name, size }) =>
          folder ? `{"type":"Directory","name":"${name}"}` : `{"type":"File","name":"${name}","size":${size}}`,
        )
        .join('\r\n')
      expect(teensyrom.parseDirectory(text)).toEqual(
        entries.map(({ folder, name, size }) => ({ folder, name, size: folder ? null : size })),
      )
    },
  )

  const listing = oneof(
    line,
    string({ unit: 'binary' }),
    tuple(line, constantFrom('1', '-1', '1.5', '1e400', '99999999999999999999', 'null')).map(
      ([name, size]) => `{"type":"File","name":"${name}","size":${size}}`,
    ),
    array(
      constantFrom(
        '{"type":"File","name":"',
        '"',
        '","size":',
        ',',
        '99999999999999999999',
        '1e400',
        '-1',
        '}',
        '\n',
        'x',
      ),
      { maxLength: 40 },
    ).map((parts) => parts.join('')),
  )
  fuzz('any listing is read, with sizes that are sizes', listing, (text) => {
    for (const { name, size } of teensyrom.parseDirectory(text)) {
      expect(name).toBeTypeOf('string')
      if (size !== null) expect(Number.isSafeInteger(size) && size >= 0, `size ${size}`).toBe(true)
    }
  })

  const words = array(
    oneof(
      constantFrom(
        'FW: ',
        'TeensyROM+ v0.7.2',
        'v',
        '.',
        '0',
        '99',
        'Boot: complete',
        'PAL',
        'NTSC',
        '\r\n',
        'Busy!',
        'not found',
        '\u0000',
      ),
      string({ unit: 'binary' }),
    ),
    { maxLength: 12 },
  )
  fuzz(
    'whatever it says of itself, or as a refusal, can be shown',
    words.map((parts) => parts.join('')),
    (text) => {
      const version = teensyrom.parseVersion(text)
      expect(version.text.length).toBeLessThanOrEqual(100)
      for (const number of version.numbers) expect(number).toBeGreaterThanOrEqual(0)
      teensyrom.isAtLeast(version, [0, 7, 2])
      expect(teensyrom.firstLine(text)).toMatch(/^[\x20-\x7e]{0,200}$/)
      const { code, message } = teensyrom.refusal('read memory', text)
      expect(['BUSY', 'NOT_FOUND', 'CONFLICT']).toContain(code)
      expect(message).toMatch(/^[\x20-\x7e“”]{10,300}$/)
    },
  )

  it('a long line that is no entry is done with at once', () => {
    const line = `{"type":"File","name":"${'",'.repeat(500_000)}`
    expect(teensyrom.parseDirectory(line)).toEqual([])
  })
})

describe('EasyFlash', () => {
  const answer = oneof(
    uint8Array({ minLength: 5, maxLength: 5 }),
    mutated(
      constantFrom('LOAD\0', 'WAIT\0', 'STOP\0', 'ETYP\0', 'BTYP\0').map((text) => new TextEncoder().encode(text)),
    ),
    anyBytes(20),
  )
  fuzz('an answer is one of those there are, or refused', answer, (bytes) => {
    const said = answerOf(() => easyflash.parseAnswer(bytes, 'PRG'))
    const text = Buffer.from(bytes).toString('latin1').split('\0')[0]
    expect(said).toBe(text === 'LOAD' ? 'load' : text === 'WAIT' ? 'wait' : undefined)
  })

  fuzz('a piece goes out with its size, as the C64 reads it', anyBytes(2_000), (bytes) => {
    const piece = easyflash.encodePiece(bytes)
    expect(easyflash.parseRequest(piece)).toBe(bytes.length)
    expect([...piece.subarray(2)]).toEqual([...bytes])
  })
})
