import { describe, expect, it } from 'vitest'
import { builtInNames } from '@shared/c64/labels/names'
import { operandText } from './operandText'

const text = (code: number[], memory: Record<number, number> = {}) => {
  const read = (address: number) => code[address - 0x1000] ?? memory[address] ?? 0
  return operandText(read, 0x1000, { x: 3, y: 4 }, builtInNames)
}

describe('the value of an operand', () => {
  it.each([
    ['LDA $02', [0xa5, 0x02], { 0x02: 7 }, /= \$07 \(7\)$/],
    ['LDA $FE,X, which wraps', [0xb5, 0xfe], { 0x01: 8 }, /= \$08 \(8\)$/],
    ['LDX $FE,Y, which wraps', [0xb6, 0xfe], { 0x02: 9 }, /= \$09 \(9\)$/],
    ['STA $D020', [0x8d, 0x20, 0xd0], { 0xd020: 14 }, /^VIC\.BORDER = \$0E \(14\)$/],
    ['LDA $C000,X', [0xbd, 0x00, 0xc0], { 0xc003: 255 }, /^\$C003 = \$FF \(255\)$/],
    ['LDA $FFFE,Y, which wraps', [0xb9, 0xfe, 0xff], { 0x02: 1 }, /= \$01 \(1\)$/],
    ['LDA ($FC,X), whose pointer wraps', [0xa1, 0xfc], { 0xff: 0x10, 0x00: 0xc0, 0xc010: 2 }, /^\$C010 = \$02 \(2\)$/],
    ['LDA ($FB),Y', [0xb1, 0xfb], { 0xfb: 0x10, 0xfc: 0xc0, 0xc014: 3 }, /^\$C014 = \$03 \(3\)$/],
  ])('is that of the byte that %s means', (_, code, memory, expected) => {
    expect(text(code, memory)).toMatch(expected)
  })

  it.each([
    ['an immediate', [0xa9, 1]],
    ['none', [0xe8]],
    ['a branch', [0xd0, 2]],
    ['JSR', [0x20, 0, 0xc0]],
    ['JMP', [0x4c, 0, 0xc0]],
    ['JMP by a pointer', [0x6c, 0, 0xc0]],
  ])('is not shown for %s', (_, code) => expect(text(code)).toBeNull())
})
