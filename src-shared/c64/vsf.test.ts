import { describe, expect, it } from 'vitest'
import {
  padded,
  viceHeader as header,
  viceMemory,
  viceModule as module,
  viceSnapshot,
  viceVersion as version,
} from '../../test/support/viceSnapshot'
import { readVsfRam } from './vsf'

const RAM = Uint8Array.from({ length: 0x10000 }, (_, index) => index * 7)

const memory = viceMemory(RAM)
const file = (...parts: number[][]) => Uint8Array.from(parts.flat())

describe('the RAM in a snapshot of VICE', () => {
  it.each([
    ['with the version of VICE', viceSnapshot(RAM)],
    ['of an old VICE', file(header, memory)],
  ])('is found by the sizes of the modules, %s', (_, bytes) => {
    expect(readVsfRam(bytes)).toEqual(RAM)
  })

  it('is read from a part of a larger buffer', () => {
    const whole = file([1, 2, 3], header, memory)
    expect(readVsfRam(whole.subarray(3))).toEqual(RAM)
  })

  it.each([
    ['nothing', file(), 'does not begin with'],
    ['another file', file(padded('P00', 100)), 'does not begin with'],
    ['a part of a header', file(header.slice(0, 30)), 'ends within its header, at byte 30'],
    ['a header alone', file(header), 'ends at byte 37 without a module C64MEM'],
    ['a snapshot of a drive', file(header, version, module('DRIVE', [1])), 'without a module C64MEM'],
    [
      'one of another machine',
      file(header.slice(0, 21), padded('C128', 16), version, module('C128MEM', [1])),
      'This VICE snapshot is of another machine: C128. Expected C64 or C64SC.',
    ],
    ['a module without a size', file(header, padded('MAINCPU', 16), [1, 0, 0, 0, 0, 0]), 'byte 37 has 0 bytes'],
    ['a module past the end', file(header, memory.slice(0, 1000)), 'of a file of 1037'],
    ['memory that is cut', file(header, module('C64MEM', RAM.subarray(0, 100))), 'ends within the RAM'],
  ])('is refused in %s, with what was expected', (_, bytes, reason) => {
    expect(() => readVsfRam(bytes)).toThrow(reason)
  })
})
