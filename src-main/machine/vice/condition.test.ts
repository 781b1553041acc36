import { describe, expect, it } from 'vitest'
import { findAmong } from '@shared/c64/labels/names'
import { viceCondition } from './condition'

describe('a condition', () => {
  it.each([
    ['A == 5', '(A == $5)'],
    ['@BORDER & $0f = 5', '((@cpu:$d020 & $f) == $5)'],
    ['@io:($d000 + $20) != 0', '(@io:$d020 != $0)'],
    ['word(ram:$14) >= 1024', '((@ram:$0014 + (@ram:$0015 * $100)) >= $400)'],
    ['Z and not C', '(((FL & $2) != $0) && (((FL & $1) != $0) == $0))'],
    ['X or Y', '((X != $0) || (Y != $0))'],
    ['@$d011.7', '((@cpu:$d011 & $80) != $0)'],
    ['RL == 300 and CY < 10 or PC > 2 * $800', '(((RL == $12c) && (CY < $a)) || (PC > $1000))'],
    ['-X < -1', '(($0 - X) < ($0 - $1))'],
  ])('%s is %s for VICE', (text, condition) => {
    expect(viceCondition(text)).toBe(condition)
  })

  it('has the addresses of the program’s labels', () => {
    const names = findAmong([{ name: 'lives', address: 0x0c40 }])
    expect(viceCondition('@lives == 0 and @BORDER == 1', names)).toBe('((@cpu:$0c40 == $0) && (@cpu:$d020 == $1))')
  })

  it.each([
    ['@($0400 + X) == 1', 'UNSUPPORTED', 'fixed addresses only'],
    ['A ^ X == 1', 'UNSUPPORTED', 'no exclusive or'],
    [Array.from({ length: 24 }, (_, bit) => `A.${bit % 8}`).join(' and '), 'UNSUPPORTED', '255 characters'],
    ['A == (', 'INVALID', 'column 7'],
    ['1 == 1', 'INVALID', 'always the same'],
  ])('%s is refused with the reason', (text, code, message) => {
    expect(() => viceCondition(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
    )
  })
})
