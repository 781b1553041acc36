import { describe, expect, it } from 'vitest'
import { codeAround, flagsOf, parseRegister, registerText } from './cpu'

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

describe('the code at the PC', () => {
  // LDA #$0E; STA $D020; JSR $FFD2; NOP …
  const code = [0xa9, 0x0e, 0x8d, 0x20, 0xd0, 0x20, 0xd2, 0xff]
  const read = (address: number) => code[address - 0x1000] ?? 0xea

  it('names what it uses', () => {
    const { lines } = codeAround(read, 0x1000, null, 4)
    expect(lines.map(({ text, comment }) => [text, comment])).toEqual([
      ['LDA #$0E', ''],
      ['STA $D020', 'VIC.BORDER'],
      ['JSR $FFD2', 'CHROUT'],
      ['NOP', ''],
    ])
    expect(lines.map(({ isNext }) => isNext)).toEqual([true, false, false, false])
  })

  it('keeps its place while the PC moves through it', () => {
    const { lines, anchor } = codeAround(read, 0x1002, 0x1000, 8)
    expect(anchor).toBe(0x1000)
    expect(lines.map(({ isNext }) => isNext).indexOf(true)).toBe(1)
  })

  it('starts anew when the PC left it or is between its instructions', () => {
    expect(codeAround(read, 0x2000, 0x1000, 8).anchor).toBe(0x2000)
    expect(codeAround(read, 0x1003, 0x1000, 8).anchor).toBe(0x1003)
    expect(codeAround(read, 0x1008, 0x1000, 5).anchor).toBe(0x1000)
    expect(codeAround(read, 0x1008, 0x1000, 4).anchor).toBe(0x1008)
  })

  it('goes on at $0000 behind $FFFF', () => {
    expect(codeAround(() => 0xea, 0xffff, null, 2).lines.map(({ address }) => address)).toEqual([0xffff, 0])
  })
})
