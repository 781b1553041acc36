import { describe, expect, it } from 'vitest'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf } from '@shared/c64/labels/names'
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

  const none = new Set<number>()
  const from = (address: number, seen = none, anchor: number | null = null) => codeAround(read, address, seen, anchor)
  const next = ({ lines }: ReturnType<typeof from>) => lines.findIndex(({ isNext }) => isNext)

  it('names what it uses', () => {
    const { lines } = from(0x1000)
    const begin = next({ lines, anchor: 0 })
    expect(lines.slice(begin, begin + 4).map(({ text, comment }) => [text, comment])).toEqual([
      ['LDA #$0E', ''],
      ['STA $D020', 'VIC.BORDER'],
      ['JSR $FFD2', 'CHROUT'],
      ['NOP', ''],
    ])
    expect(lines.filter(({ isNext }) => isNext)).toHaveLength(1)
  })

  it('has the program’s labels in lines and operands, with the address beside them', () => {
    const label = (name: string, address: number) => ({
      name,
      address,
      scope: null,
      size: null,
      kind: 'label' as const,
    })
    const names = namesOf(new LabelTable([label('start', 0x1000), label('print', 0x1005), label('border', 0xd020)]))
    const { lines } = codeAround(read, 0x1000, none, 0x1000, names)
    expect(lines.slice(0, 3).map(({ labels, text, comment }) => [labels, text, comment])).toEqual([
      [['start'], 'LDA #$0E', ''],
      [[], 'STA border', '$D020'],
      [['print'], 'JSR $FFD2', 'CHROUT'],
    ])
  })

  it('begins above the PC, with lines that are certain only where the CPU was seen', () => {
    const { lines } = from(0x1005, new Set([0x1002]))
    const above = lines.slice(0, next({ lines, anchor: 0 }))
    expect(above.slice(-2).map(({ address, isCertain }) => [address, isCertain])).toEqual([
      [0x1000, false],
      [0x1002, true],
    ])
    expect(lines.slice(above.length).every(({ isCertain }) => isCertain)).toBe(true)
  })

  it('shows bytes where no instruction can lead to one that was seen', () => {
    // $20 and $D0 within STA $D020 are taken for JSR and BNE.
    const { lines } = from(0x1003, new Set([0x1003]), 0x1000)
    expect(lines.slice(0, 3).map(({ text }) => text)).toEqual(['LDA #$0E', '.byte $8D', 'JSR $20D0'])
  })

  it('keeps its place while the PC moves through it', () => {
    const code = from(0x1002, none, 0x1000)
    expect([code.anchor, next(code)]).toEqual([0x1000, 1])
  })

  it('begins elsewhere when the PC left it', () => {
    expect(from(0x2000, none, 0x1000).anchor).toBe(0x2000 - 96)
    expect(from(0x0ff0, none, 0x1000).anchor).toBeLessThan(0x0ff0)
  })

  it('has nothing above $0000, and goes on there behind $FFFF', () => {
    expect(from(0).lines[0]?.address).toBe(0)
    const { lines } = from(0xffff)
    expect(lines[next({ lines, anchor: 0 }) + 1]?.address).toBe(0)
  })
})
