import { describe, expect, it } from 'vitest'
import { parseHexBytes } from './address'
import { byteListings, bytesAs } from './bytesAs'

const bytes = Uint8Array.of(0xa9, 0x00, 0x8d)

describe('bytes as source text', () => {
  it('are hexadecimal digits that can be read back', () => {
    expect(bytesAs('hex', bytes, 0xc000)).toBe('A9 00 8D\n')
    const many = Uint8Array.from({ length: 40 }, (_, index) => index * 7)
    expect(parseHexBytes(bytesAs('hex', many, 0))).toEqual(many)
  })

  it('are lines of .byte for an assembler', () => {
    expect(bytesAs('assembler', bytes, 0xc000)).toBe('* = $C000\n        .byte $A9, $00, $8D\n')
    expect(bytesAs('assembler', new Uint8Array(17), 0).split('\n')).toHaveLength(4)
  })

  it('are numbered DATA lines for BASIC, none longer than its editor takes', () => {
    expect(bytesAs('basic', bytes, 0xc000)).toBe('1000 data 169,0,141\n')
    const lines = bytesAs(
      'basic',
      Uint8Array.from({ length: 3_000 }, (_, index) => index),
      0,
    )
      .trimEnd()
      .split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(
      lines.flatMap((line) =>
        line
          .replace(/^\d+ data /, '')
          .split(',')
          .map(Number),
      ),
    ).toEqual(Array.from({ length: 3_000 }, (_, index) => index & 0xff))
    expect(lines.map((line) => Number.parseInt(line, 10)).slice(0, 3)).toEqual([1000, 1010, 1020])
  })

  it('are an array for C', () => {
    expect(bytesAs('c', bytes, 0xc000)).toBe(
      '/* $C000 */\nstatic const unsigned char bytes[3] = {\n  0xa9, 0x00, 0x8d,\n};\n',
    )
  })

  it.each(byteListings)('as %s can be as many as there are', (listing) => {
    expect(bytesAs(listing, new Uint8Array(0x10000), 0).length).toBeGreaterThan(0x10000)
  })
})
