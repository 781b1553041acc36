import { describe, expect, it } from 'vitest'
import { flagsOf, registerText } from './cpu'

const register = (name: string, value: number, bits: number) => ({ name, value, bits })

describe('a CPU register', () => {
  it('is shown in hexadecimal by its size, the raster position in decimal', () => {
    expect(registerText(register('PC', 0xe5cd, 16))).toBe('$E5CD')
    expect(registerText(register('A', 7, 8))).toBe('$07')
    expect(registerText(register('LIN', 283, 16))).toBe('283')
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
