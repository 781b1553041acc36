import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors'
import {
  describeAddress,
  formatAddress,
  formatByte,
  formatChange,
  formatRange,
  parseAddress,
  parseAddressRange,
  parseHexBytes,
  parseHexValue,
  parseTypedAddress,
  parseUnambiguousAddress,
} from './address'
import { LabelTable } from './labels/labelTable'
import { namesOf } from './labels/names'
import type { ProgramLabel } from './labels/programLabel'

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
    ['+1024', 1024],
    ['0d020', 0xd020],
  ])('%j is understood', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })

  it.each([
    ['border+1', 0xd021],
    ['VIC.BORDER - 32', 0xd000],
    ['chrout+$10', 0xffe2],
    ['my-label+2', 0xc002],
    ['my-label', 0xc000],
    ['face-1', 0x080f],
  ])('%j is understood as so far from a name', (text, address) => {
    const labels: readonly ProgramLabel[] = [
      { name: 'my-label', scope: null, address: 0xc000, size: null, kind: 'label' },
      { name: 'face', scope: null, address: 0x0810, size: null, kind: 'label' },
    ]
    expect(parseAddress(text, namesOf(new LabelTable(labels)))).toBe(address)
    expect(parseTypedAddress(text, namesOf(new LabelTable(labels)))).toBe(address)
  })

  it('is decimal when it has digits alone', () => {
    expect(parseAddress('1024')).toBe(1024)
  })

  it.each([
    ['', 'There is no address.'],
    ['$10000', '“$10000” is past the end of memory.'],
    ['65536', '“65536” is past the end of memory.'],
    ['chrout+999999999', '“chrout+999999999” is past the end of memory.'],
    ['chrout-99999', '“chrout-99999” is before the beginning of memory.'],
    ['chrout+c', '“chrout+c” is not an address, a label or a register.'],
    ['chrout+1+1', '“chrout+1+1” is not an address, a label or a register.'],
    ['$d020+1', '“$d020+1” is not an address, a label or a register.'],
    ['$', '“$” is not an address, a label or a register.'],
    ['-1', '“-1” is not an address, a label or a register.'],
    ['$d0g0', '“$d0g0” is not an address, a label or a register.'],
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

describe('an address typed in the window', () => {
  it.each([
    ['0427', 0x0427],
    ['a2', 0xa2],
    ['0', 0],
    ['1024', 0x1024],
    ['9', 9],
    ['10', 0x10],
    ['00427', 0x0427],
    ['0d020', 0xd020],
    ['+1024', 1024],
    ['+0427', 427],
    ['53280', 53280],
    ['$0400', 0x0400],
    ['%101', 5],
    ['border', 0xd020],
  ])('%j is understood', (text, address) => {
    expect(parseTypedAddress(text)).toBe(address)
  })

  it.each(['65536', '065535', '+65536', '', '+', '+a2', '12345678901234567890'])('%j is refused', (text) => {
    expect(refusal(() => parseTypedAddress(text))).not.toBe('accepted')
  })

  it('reads every address back from four hex digits without a sign, unless a name is spelt so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), (address) => {
        expect(parseTypedAddress(formatAddress(address).slice(1))).toBe(address)
        expect(parseTypedAddress(`+${address}`)).toBe(address)
      }),
    )
  })
})

describe('an address that has to be unambiguous', () => {
  it.each([
    ['1024', 1024],
    ['0', 0],
    ['07', 7],
    ['+0427', 427],
    ['$0427', 0x0427],
    ['0a27', 0x0a27],
    ['53280', 53280],
  ])('%j is understood', (text, address) => {
    expect(parseUnambiguousAddress(text)).toBe(address)
  })

  it.each(['0427', '010', '00053280', '09999'])('%j is refused with both readings', (text) => {
    const message = refusal(() => parseUnambiguousAddress(text))
    expect(message).toContain(`$${text}`)
    expect(message).toContain(String(Number(text)))
  })

  it('is refused in one short sentence however long it is', () => {
    expect(refusal(() => parseUnambiguousAddress('0'.repeat(10_000) + '42')).length).toBeLessThan(250)
  })
})

describe('a range of addresses', () => {
  it.each([
    ['$0400-$07e7', '$0400-$07E7'],
    ['$0400 .. $07E7', '$0400-$07E7'],
    ['$0400+1000', '$0400-$07E7'],
    ['$0400+$10', '$0400-$040F'],
    ['1024-2023', '$0400-$07E7'],
    ['+1024-+2023', '$0400-$07E7'],
    [' $d020 ', '$D020'],
    ['VIC.BORDER', '$D020'],
    ['border..border+1', '$D020-$D021'],
    ['border-1 .. border+1', '$D01F-$D021'],
    ['border+2', '$D020-$D021'],
  ])('%j is understood', (text, meant) => {
    expect(formatRange(parseAddressRange(text))).toBe(meant)
  })

  it.each([
    ['0400-07e7', '$0400-$07E7'],
    ['0400+0010', '$0400-$0409'],
    ['+1024', '$0400'],
  ])('%j is understood as it is typed in the window', (text, meant) => {
    expect(formatRange(parseAddressRange(text, parseTypedAddress))).toBe(meant)
  })

  it.each([
    ['SID', '$D400-$D7FF'],
    ['zero page', '$0000-$00FF'],
    ['VIC-II', '$D000-$D3FF'],
    ['screen', '$0400-$07FF'],
  ])('%j is a region of the memory map', (text, meant) => {
    expect(formatRange(parseAddressRange(text))).toBe(meant)
  })

  it('a label of the program comes before a region of its name', () => {
    const names = namesOf(new LabelTable([{ name: 'screen', scope: null, address: 0xc000, size: null, kind: 'label' }]))
    expect(formatRange(parseAddressRange('screen', parseAddress, names))).toBe('$C000')
  })

  it.each(['', '-', '$0401-$0400', '$FFFF+2', '-5', '$0400-', '$0400+0', '1-2-3', '1..2..3', '0427-'])(
    '%j is refused',
    (text) => {
      expect(refusal(() => parseAddressRange(text))).not.toBe('accepted')
    },
  )
})

it('an address is told in all its spellings', () => {
  expect(describeAddress(0xc000)).toBe('$C000 = 49152')
  expect(describeAddress(0x0427)).toBe('$0427 = 1063 = SCREEN+39')
  expect(describeAddress(0xd020)).toBe('$D020 = 53280 = VIC.BORDER')
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

it('A change of a byte has both values, and says where the first is not known', () => {
  expect(formatChange({ from: 0, to: 6 })).toBe('$00 → $06')
  expect(formatChange({ from: null, to: 0xff })).toBe('? → $FF')
})

describe('a value typed in place of another', () => {
  it.each([
    ['1f', 0x1f],
    ['$1F', 0x1f],
    [' 0x7 ', 7],
    ['10', 0x10],
  ])('takes %j', (text, value) => {
    expect(parseHexValue(text, { name: 'A', bits: 8 })).toBe(value)
  })

  it.each([
    ['', '“” is no value for A.'],
    ['xyz', '“xyz” is no value for A.'],
    ['100', '$100 is too large for A, which has 8 bits.'],
  ])('refuses %j with the reason', (text, message) => {
    expect(() => parseHexValue(text, { name: 'A', bits: 8 })).toThrow(
      expect.objectContaining({ code: 'INVALID', message }),
    )
  })
})
