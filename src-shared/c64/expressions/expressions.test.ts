import { describe, expect, it } from 'vitest'
import { compileExpression, type ExpressionMachine } from './compileExpression'
import type { ExpressionRegister } from './expression'
import { parseExpression, requireCondition, requireExpression } from './parseExpression'

const registers: Readonly<Record<ExpressionRegister, number>> = {
  A: 5,
  X: 0x80,
  Y: 0,
  SP: 0xf6,
  PC: 0x0810,
  FL: 0b1010_0001,
  RL: 300,
  CY: 12,
}
const memory = new Map([
  ['cpu d020', 0x0e],
  ['io d011', 0x9b],
  ['cpu d011', 0x9b],
  ['ram a000', 0x11],
  ['cpu a000', 0x94],
  ['cpu 0314', 0x31],
  ['cpu 0315', 0xea],
  ['cpu ffff', 0xff],
  ['cpu 0000', 0x2f],
])
const machine: ExpressionMachine = {
  register: (name) => registers[name],
  peek: (bank, address) => memory.get(`${bank} ${address.toString(16).padStart(4, '0')}`) ?? 0,
}
const valueOf = (text: string): number => compileExpression(requireExpression(text))(machine)
const problemOf = (text: string) => {
  const parsed = parseExpression(text)
  return parsed.ok ? undefined : `${parsed.problem.position + 1}: ${parsed.problem.message}`
}

describe('an expression', () => {
  it.each([
    ['$d020', 0xd020],
    ['0xD020', 0xd020],
    ['%1010', 10],
    ['53280', 53280],
    ['010', 10],
    ['a', 5],
    ['PC', 0x0810],
    ['RL + CY', 312],
    ['LIN', 300],
    ['N', 1],
    ['Z', 0],
    ['C', 1],
    ['V or D or I or B', 0],
    ['VIC.BORDER', 0xd020],
    ['.border', 0xd020],
    ['@$d020', 14],
    ['@($d000 + $20)', 14],
    ['@border', 14],
    ['@:border', 14],
    ['@ram:$a000', 0x11],
    ['@ram:($a000)', 0x11],
    ['@$a000', 0x94],
    ['word($0314)', 0xea31],
    ['word($ffff)', 0x2fff],
    ['word(ram:$a000)', 0x11],
    ['@io:$d011.7', 1],
    ['@$d011.2', 0],
    ['A.2', 1],
    ['(A - 4).0', 1],
    ['-A', -5],
    ['-1 < A', 1],
    ['2 + 3 * 4', 14],
    ['10 - 2 - 3', 5],
    ['17 / 5', 3],
    ['-17 / 5', -3],
    ['A / Y', 0],
    ['A & 4 == 4', 1],
    ['A | $80 ^ $80', 5],
    ['$ffff * $ffff', -131071],
    ['A == 5', 1],
    ['A = 5', 1],
    ['A <> 5', 0],
    ['A != 5 || X >= $80', 1],
    ['A == 5 and not X == 1', 1],
    ['!Z && C', 1],
    ['not not A', 1],
    ['1 or 1 and 0', 1],
    ['(1 or 1) and 0', 0],
  ])('%s is %d', (text, value) => {
    expect(valueOf(text)).toBe(value)
  })

  it('takes names of a program before it asks what they mean, registers first', () => {
    const names = { find: (name: string) => (name === 'lives' ? [{ name, address: 0xd020 }] : []) }
    const parsed = parseExpression('@lives == A + 9', names)
    expect(parsed.ok && compileExpression(parsed.expression)(machine)).toBe(1)
  })

  it('takes names with letters of any alphabet', () => {
    const names = { find: (name: string) => (name === 'größe.länge_2' ? [{ name, address: 0xd020 }] : []) }
    const parsed = parseExpression('@größe.länge_2 == 14', names)
    expect(parsed.ok && compileExpression(parsed.expression)(machine)).toBe(1)
    expect(problemOf('A == größe')).toBe('6: “größe” is no register, flag or name of an address.')
  })

  it.each([
    ['', '1: Expected a number, a register, a name, @ or (, found the end.'],
    ['A ==', '5: Expected a number, a register, a name, @ or (, found the end.'],
    ['A == )', '6: Expected a number, a register, a name, @ or (, found “)”.'],
    ['(A == 5', '8: Expected an operator or ), found the end.'],
    ['A 5', '3: Expected an operator or the end, found “5”.'],
    ['A == $', '6: Expected hexadecimal digits after $, found “$”.'],
    ['A == $5g', '6: Expected hexadecimal digits after $, found “$5g”.'],
    ['A == %12', '6: Expected binary digits after %, found “%12”.'],
    ['A == 0f', '6: Expected decimal digits, or $ before hexadecimal ones, found “0f”.'],
    ['A == $10000', '6: $10000 is larger than $FFFF (65535).'],
    ['A == 1000000000000', '6: 1000000000000 is larger than $FFFF (65535).'],
    [`A == ${'9'.repeat(200)}`, `6: ${'9'.repeat(40)}… is larger than $FFFF (65535).`],
    ['A == nowhere', '6: “nowhere” is no register, flag or name of an address.'],
    ['@ICR', '2: “ICR” is the name of 2 addresses.'],
    ['@drive8:$1000', '2: Expected one of the banks cpu, ram, io, found “drive8”.'],
    ['A.16', '3: Expected a bit’s number, 0 to 15, found “16”.'],
    ['1 < A < 5', '7: Comparisons cannot follow each other; join them with “and”.'],
    ['A == 💾', '6: “💾” has no meaning here.'],
    ['A ; B', '3: “;” has no meaning here.'],
    [`${'('.repeat(33)}A`, '34: It is nested more than 32 deep.'],
    [`A${' '.repeat(255)}`, '256: It is longer than 255 characters.'],
  ])('%s is refused with the column and what was expected', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  it('as a condition reads something of the machine', () => {
    expect(requireCondition('@BORDER == 5').kind).toBe('binary')
    expect(() => requireCondition('BORDER == 5')).toThrow('“BORDER == 5” is always the same')
    expect(() => requireCondition('A ==')).toThrow('“A ==”, column 5: Expected')
  })
})
