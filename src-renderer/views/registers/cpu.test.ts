import { describe, expect, it } from 'vitest'
import { flagsOf, parseRegister, registerText } from './cpu'

const register = (name: string, value: number, bits: number) => ({ name, value, bits })

describe('a CPU register', () => {
  it('is shown in hexadecimal by its size, the raster position in decimal', () => {
    expect(registerText(register('PC', 0xe5cd, 16))).toBe('$E5CD')
    expect(registerText(register('A', 7, 8))).toBe('$07')
    expect(registerText(register('LIN', 283, 16))).toBe('283')
  })

  it.each([
    ['1f', 0x1f],
    ['$1F', 0x1f],
    [' 0x7 ', 7],
    ['10', 0x10],
  ])('takes %j', (text, value) => {
    expect(parseRegister(text, { name: 'A', bits: 8 })).toBe(value)
  })

  it.each([
    ['', '“” is no value for A.'],
    ['xyz', '“xyz” is no value for A.'],
    ['100', '$100 is too large for A, which has 8 bits.'],
  ])('refuses %j with the reason', (text, message) => {
    expect(() => parseRegister(text, { name: 'A', bits: 8 })).toThrow(
      expect.objectContaining({ code: 'INVALID', message }),
    )
  })

  it('has flags from N to C', () => {
    expect(
      flagsOf(0b1010_0101)
        .map(({ letter, isSet }) => (isSet ? letter : '.'))
        .join(''),
    ).toBe('N.-..I.C')
    expect(flagsOf(0).map(({ bit }) => bit)).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
  })
})
