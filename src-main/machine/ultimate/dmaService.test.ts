import { assert, constantFrom, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeCommand,
  loadPrg,
  mountImage,
  pressKeys,
  resetC64,
  runCartridge,
  startStream,
  stopStream,
  writeMemory,
} from './dmaService'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('commands of the DMA service', () => {
  it.each([
    ['reset', resetC64(), '04ff 0000'],
    ['identify', encodeCommand('identify'), '0eff 0000'],
    ['a write of two bytes to $C000', writeMemory(0xc000, Uint8Array.of(1, 2)), '06ff 0400 00c0 0102'],
    ['a PRG', loadPrg(Uint8Array.of(1, 8, 0x60)), '01ff 0300 0108 60'],
    ['keys', pressKeys(Buffer.from('RUN\r')), '03ff 0400 52554e0d'],
    ['video for one second', startStream('video', 200, ''), '20ff 0200 c800'],
    ['debug for ever', startStream('debug', 0, '1.2.3.4:9'), '22ff 0b00 0000 312e322e332e343a39'],
    ['no more audio', stopStream('audio'), '31ff 0000'],
    ['a password', encodeCommand('authenticate', Buffer.from('abc')), '1fff 0300 616263'],
    ['a cartridge, with a length of three bytes', runCartridge(Uint8Array.of(9)), '0dff 010000 09'],
  ])('%s', (_name, bytes, expected) => {
    expect(hex(bytes)).toBe(expected.replaceAll(' ', ''))
  })

  it('a disk image of 174,848 bytes counts in 24 bits', () => {
    expect(hex(mountImage(new Uint8Array(174_848)).subarray(0, 5))).toBe('0aff00ab02')
  })

  it('no more than ten keys go out: the device would write on behind its buffer', () => {
    expect(pressKeys(new Uint8Array(50)).length).toBe(4 + 10)
  })

  it('too much for one command is refused', () => {
    expect(() => loadPrg(new Uint8Array(0x10000))).toThrow('exceed')
    expect(() => mountImage(new Uint8Array(200_001))).toThrow('exceed')
  })

  it('say their length, and hold their payload unchanged', () => {
    assert(
      property(
        constantFrom('load', 'write', 'mountImage', 'runImage', 'runCartridge'),
        uint8Array({ maxLength: 300 }),
        (command, payload) => {
          const bytes = encodeCommand(command, payload)
          const isLong = bytes.length - payload.length === 5
          const length = (bytes[2] ?? 0) | ((bytes[3] ?? 0) << 8) | (isLong ? (bytes[4] ?? 0) << 16 : 0)
          expect(length).toBe(payload.length)
          expect(bytes[1]).toBe(0xff)
          expect([...bytes.subarray(isLong ? 5 : 4)]).toEqual([...payload])
        },
      ),
    )
  })
})
