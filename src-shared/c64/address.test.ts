import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors'
import { formatAddress, formatByte, parseAddress, parseHexBytes } from './address'

const refusal = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return error.message
    throw error
  }
  return 'accepted'
}

describe('an address', () => {
  it.each([
    ['$d020', 0xd020],
    ['$D020', 0xd020],
    ['0xd020', 0xd020],
    ['53280', 0xd020],
    ['%1101000000100000', 0xd020],
    ['d020', 0xd020],
    ['  $0 ', 0],
    ['65535', 0xffff],
    ['VIC.BORDER', 0xd020],
    ['border', 0xd020],
    ['cia1.icr', 0xdc0d],
    ['chrout', 0xffd2],
    ['c000', 0xc000],
  ])('%j is understood', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })

  it('is decimal when it has digits alone', () => {
    expect(parseAddress('1024')).toBe(1024)
  })

  it.each([
    ['', 'There is no address.'],
    ['$10000', '“$10000” is past the end of memory.'],
    ['65536', '“65536” is past the end of memory.'],
    ['$', '“$” is no address, and no label or register is called so.'],
    ['-1', '“-1” is no address, and no label or register is called so.'],
    ['$d0g0', '“$d0g0” is no address, and no label or register is called so.'],
    ['ICR', '“ICR” could be CIA1.ICR or CIA2.ICR.'],
  ])('%j is refused with the reason', (text, message) => {
    expect(refusal(() => parseAddress(text))).toBe(message)
  })

  it('comes back from its own form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), (address) => {
        expect(parseAddress(formatAddress(address))).toBe(address)
      }),
    )
  })

  it('is refused in one short sentence however long the text is', () => {
    expect(refusal(() => parseAddress('z'.repeat(10_000))).length).toBeLessThan(200)
  })
})

describe('bytes in hexadecimal', () => {
  it.each([
    ['a9008d20d0', [0xa9, 0x00, 0x8d, 0x20, 0xd0]],
    ['a9 00 8D 20 D0', [0xa9, 0x00, 0x8d, 0x20, 0xd0]],
    ['$a9,$00, $8d', [0xa9, 0x00, 0x8d]],
    ['$a9$00', [0xa9, 0x00]],
    ['0xA9 0x00', [0xa9, 0x00]],
    ['1 2 30', [0x01, 0x02, 0x30]],
  ])('%j are understood', (text, bytes) => {
    expect([...parseHexBytes(text)]).toEqual(bytes)
  })

  it.each([
    ['', 'There are no bytes.'],
    [' , ', 'There are no bytes.'],
    ['a90', '“a90” has an odd number of hex digits, and a byte takes two.'],
    ['a9 0g', '“0g” is not hexadecimal: “g” is no hex digit.'],
  ])('%j are refused with the reason', (text, message) => {
    expect(refusal(() => parseHexBytes(text))).toBe(message)
  })

  it('come back from their own form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        expect(parseHexBytes(Array.from(bytes, formatByte).join(' '))).toEqual(bytes)
      }),
    )
  })
})
