import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import {
  checksum,
  encodeCommand,
  encodeDirectory,
  encodeDriveAndPath,
  encodeFileHeader,
  encodeRange,
  firstLine,
  isAtLeast,
  parseDirectory,
  parseToken,
  parseVersion,
  refusal,
} from './codec'

const toHex = (...parts: Uint8Array[]): string => Buffer.concat(parts).toString('hex')

describe('what goes to a TeensyROM', () => {
  it('is written as in the protocol’s examples', () => {
    expect(toHex(encodeCommand('writeMemory'), encodeRange(0xd020, 1), Uint8Array.of(0x0e))).toBe('64fbd02000010e')
    expect(toHex(encodeCommand('readMemory'), encodeRange(0xfffc, 2))).toBe('64fdfffc0002')
  })

  it('has numbers with the most significant byte first', () => {
    expect(toHex(encodeFileHeader('sd', '/a', Uint8Array.of(0xff, 0xff)))).toBe('00000002' + '01fe' + '01' + '2f6100')
    expect(toHex(encodeDirectory('usb', '/', 0x1388))).toBe('00' + '0000' + '1388' + '2f00')
    expect(toHex(encodeDriveAndPath('sd', '/x.prg'))).toBe('012f782e70726700')
  })

  it('has no path that the device could not take', () => {
    expect(() => encodeDriveAndPath('sd', '/a\0b')).toThrow(AppError)
    expect(() => encodeDriveAndPath('sd', `/${'ä'.repeat(200)}`)).toThrow(AppError)
  })

  it('sums up a file in 16 bits', () => {
    expect(checksum(new Uint8Array(0x10000).fill(0xff))).toBe((0x10000 * 0xff) & 0xffff)
  })
})

describe('what a TeensyROM answers', () => {
  it('is a token with the least significant byte first', () => {
    expect(parseToken(Uint8Array.of(0xcc, 0x64))).toBe('ack')
    expect(parseToken(Uint8Array.of(0x7f, 0x9b))).toBe('fail')
    expect(parseToken(Uint8Array.of(0xe1, 0x64))).toBe('minimal')
    expect(parseToken(Uint8Array.of(0x64, 0xcc))).toBeUndefined()
    expect(parseToken(Uint8Array.of(0xcc))).toBeUndefined()
  })

  it('tells its version, its machine and whether its menu is up', () => {
    const full =
      '  FW: TeensyROM+ v0.7.2\r\n      Jul 27 2026, 09:41:32\r\n  Teensy: 816MHz  59.1C  UID: 19307720\r\n  C128  NTSC Vid  60 Hz\r\n  Boot: complete\r\n'
    expect(parseVersion(full)).toEqual({
      text: 'TeensyROM+ v0.7.2',
      numbers: [0, 7, 2],
      standard: 'ntsc',
      isC128: true,
      booted: true,
    })
    expect(parseVersion('  FW: TeensyROM+ v0.7.2(minimal)\n')).toMatchObject({
      numbers: [0, 7, 2],
      standard: null,
      isC128: false,
      booted: null,
    })
    expect(parseVersion('')).toEqual({ text: '', numbers: [], standard: null, isC128: false, booted: null })
  })

  it('has versions that compare by their numbers', () => {
    const version = parseVersion('FW: TeensyROM v0.7.10')
    expect(isAtLeast(version, [0, 7, 2, 5])).toBe(true)
    expect(isAtLeast(version, [0, 7, 10])).toBe(true)
    expect(isAtLeast(version, [0, 7, 10, 1])).toBe(false)
    expect(isAtLeast(version, [0, 8])).toBe(false)
  })

  it('lists a directory a line an entry, also with names that are no JSON', () => {
    const list =
      '{"type":"dir","name":"games"}\r\n{"type":"file","name":"a "b".prg","size":123}\r\nnoise\r\n{"type":"file","name":"c.crt","size":8}\r\n'
    expect(parseDirectory(list)).toEqual([
      { name: 'games', size: null, folder: true },
      { name: 'a "b".prg', size: 123, folder: false },
      { name: 'c.crt', size: 8, folder: false },
    ])
  })

  it('has no entries in lines that are none', () => {
    const endless = `{"type":"file","name":"${'",'.repeat(100_000)}`
    expect(parseDirectory([endless, '{"type":"file"}', 'Busy!', ''].join('\n'))).toEqual([])
  })

  it('is refused in words, with being busy as a kind of its own', () => {
    expect(refusal('store /a', 'Busy!\n')).toMatchObject({ code: 'BUSY' })
    expect(refusal('delete /a', 'File not found: /a\r\n')).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('“File not found: /a”') as string,
    })
    expect(refusal('read memory', 'No memory to stage 4096 bytes')).toMatchObject({ code: 'CONFLICT' })
    expect(refusal('read memory', '')).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('did not read memory') as string,
    })
  })

  it('is shown without control characters', () => {
    expect(firstLine('\r\n\x1b[2J \x07Hello\nthere')).toBe('[2J Hello')
  })

  it('is never believed to be more than it is, whatever comes', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ maxLength: 4 }), (text, bytes) => {
        parseToken(bytes)
        expect(parseVersion(text).text.length).toBeLessThanOrEqual(100)
        expect(refusal('read memory', text)).toBeInstanceOf(AppError)
        for (const { name, size } of parseDirectory(text)) {
          expect(name.length).toBeLessThanOrEqual(text.length)
          if (size !== null) expect(size).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
