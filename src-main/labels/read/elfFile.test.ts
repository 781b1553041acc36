import { describe, expect, it } from 'vitest'
import { elfFile } from '../../../test/support/elfFile'
import { readElfFile } from './elfFile'

const symbols = [
  { name: 'main', address: 0x880, size: 12, type: 2, section: 1 },
  { name: 'counter', address: 0x900, size: 2, type: 1, section: 1 },
  { name: 'loop', address: 0x884, size: 0, type: 0, section: 1 },
  { name: '__stack', address: 0xd000, size: 0, type: 0, section: 0xfff1 },
  { name: 'elsewhere', address: 0, size: 0, type: 0, section: 0 },
  { name: 'main.c', address: 0, size: 0, type: 4, section: 0xfff1 },
  { name: '.Ltmp0', address: 0x882, size: 0, type: 0, section: 1, isLocal: true },
] as const

describe('an ELF file', () => {
  it('has functions, objects and labels; not sections, source files and what is elsewhere', () => {
    const { labels, problem } = readElfFile(elfFile(symbols))
    expect(labels).toEqual([
      { name: 'main', scope: null, address: 0x880, size: 12, kind: 'code' },
      { name: 'counter', scope: null, address: 0x900, size: 2, kind: 'data' },
      { name: 'loop', scope: null, address: 0x884, size: null, kind: 'label' },
      { name: '__stack', scope: null, address: 0xd000, size: null, kind: 'constant' },
    ])
    expect(problem).toBeNull()
  })

  it('leaves out what lies outside of the C64’s memory', () => {
    const far = { name: 'far', address: 0x1_0000, size: 0, type: 2, section: 1 }
    expect(readElfFile(elfFile([...symbols, far])).problem).toBe(
      '1 entry was left out, the first at symbol 8: expected an address from $0000 to $FFFF.',
    )
  })

  it('is refused for another processor', () => {
    expect(() => readElfFile(elfFile(symbols, 3))).toThrow('it is for machine 3, and MOS 6502 has 6502')
  })

  it('is refused, never read past its end, however it is cut', () => {
    const whole = elfFile(symbols)
    for (let length = 4; length < whole.length; length += 3)
      expect(() => readElfFile(whole.subarray(0, length))).toThrow('This ELF file cannot be read')
  })
})
