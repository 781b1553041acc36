import { describe, expect, it } from 'vitest'
import { assemble } from './assembler'
import { disassemble, opcodes } from './disassembler'
import { findAmong } from './labels/names'

const names = findAmong([
  { name: 'loop', address: 0xc000 },
  { name: 'zp', address: 0x02 },
])
const at = (text: string, address = 0xc010): number[] => [...assemble(text, address, names)]
const textOf = (bytes: readonly number[], address: number): string =>
  disassemble((each) => bytes[(each - address) & 0xffff] ?? 0, address).text

const operands = [
  [0x00, 0x00],
  [0x05, 0x00],
  [0x7f, 0x12],
  [0x80, 0xd0],
  [0xff, 0xff],
] as const

describe('the assembler of one line', () => {
  it.each(opcodes.map((opcode, code) => ({ ...opcode, code })))(
    'reads what the disassembler writes for $code.toString(16) $mnemonic $mode',
    ({ code, undocumented }) => {
      for (const address of [0x0000, 0x0801, 0xc000, 0xfffd])
        for (const operand of operands) {
          const bytes = [code, ...operand]
          const instruction = disassemble((each) => bytes[(each - address) & 0xffff] ?? 0, address)
          for (const text of [instruction.text, instruction.text.toLowerCase()]) {
            const assembled = [...assemble(text, address)]
            expect([text, textOf(assembled, address)]).toEqual([text, instruction.text])
            expect(assembled.slice(1)).toEqual(instruction.bytes.slice(1))
            if (!undocumented) expect(assembled).toEqual(instruction.bytes)
          }
        }
    },
  )

  it('resolves labels, with offsets and single bytes of them', () => {
    expect(at('bne loop')).toEqual([0xd0, 0xee])
    expect(at('JSR loop+3')).toEqual([0x20, 0x03, 0xc0])
    expect(at('lda #<loop')).toEqual([0xa9, 0x00])
    expect(at('lda #>loop')).toEqual([0xa9, 0xc0])
    expect(at('sta (zp),y')).toEqual([0x91, 0x02])
    expect(at('lda zp-1, x')).toEqual([0xb5, 0x01])
    expect(at('sta VIC.BORDER')).toEqual([0x8d, 0x20, 0xd0])
  })

  it('takes the short form for a value of one byte, unless it is written with four digits', () => {
    expect(at('lda $12')).toEqual([0xa5, 0x12])
    expect(at('lda $0012')).toEqual([0xad, 0x12, 0x00])
    expect(at('lda $12,y')).toEqual([0xb9, 0x12, 0x00])
    expect(at('jmp 18')).toEqual([0x4c, 0x12, 0x00])
    expect(at('lda #10')).toEqual([0xa9, 0x0a])
    expect(at('lda #%101')).toEqual([0xa9, 0x05])
  })

  it('knows the usual names of undocumented instructions, and both ways to write the accumulator', () => {
    expect(at('isb $12')).toEqual(at('isc $12'))
    expect(at('kil')).toEqual([0x02])
    expect(at('lax #$11')).toEqual([0xab, 0x11])
    expect([at('asl'), at('asl a'), at('nop')]).toEqual([[0x0a], [0x0a], [0xea]])
  })

  it.each([
    ['', /no instruction/],
    ['foo', /no instruction of the 6510/],
    ['lda', /needs an operand/],
    ['rts $12', /does not take/],
    ['sta #1', /does not take/],
    ['lda #256', /one byte/],
    ['stx $1234,y', /one byte/],
    ['bne $c0ff', /too far/],
    ['jmp nowhere', /no label/],
    ['lda 1-2', /outside/],
    ['lda #', /no value/],
    ['lda face', /no label/],
    ['lda $123456', /past the end/],
    [`lda #${'1'.repeat(90)}`, /too long/],
    ['lda 1e12', /no label/],
  ])('refuses “%s” with the reason', (text, reason) => {
    expect(() => at(text)).toThrow(reason)
  })
})
