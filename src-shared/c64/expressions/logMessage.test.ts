import { describe, expect, it } from 'vitest'
import type { ExpressionMachine } from './compileExpression'
import { formatValue } from './formatValue'
import { requireLogMessage } from './logMessage'

const machine: ExpressionMachine = { register: () => 0xc1, peek: (_bank, address) => address & 0xff }

describe('a value', () => {
  it.each([
    [5, 'hex', '$05'],
    [0xd020, 'hex', '$D020'],
    [-1, 'hex', '$FFFFFFFF'],
    [0xff, 'decimal', '255'],
    [0xff, 'signed', '-1'],
    [0xffff, 'signed', '-1'],
    [0x7f, 'signed', '127'],
    [-70_000, 'signed', '-70000'],
    [5, 'binary', '%00000101'],
    [0x100, 'binary', '%0000000100000000'],
    [0x41, 'petscii', '“A”'],
    [0, 'petscii', '“·”'],
    [0x1234, 'petscii', '$1234'],
  ] as const)('%d as %s is %s', (value, format, text) => {
    expect(formatValue(value, format)).toBe(text)
  })
})

describe('a message to log', () => {
  it.each([
    ['here', 'here'],
    ['', ''],
    ['X is {X}', 'X is $C1'],
    ['{A, decimal}/{@($d000 + $12), binary}{A == 1}', '193/%00010010$00'],
  ])('%s is %s', (text, logged) => {
    expect(requireLogMessage(text).text(machine)).toBe(logged)
  })

  it.each([
    ['X is {X', 'a “{” without'],
    ['X} is', 'a “}” without'],
    ['{{X}}', 'a “{” without'],
    ['{}', 'column 1: Expected a number'],
    ['{X, octal}', 'no known format'],
    ['{X, hex, hex}', 'no known format'],
    ['{X +}', 'column 4: Expected a number'],
  ])('%s is refused with the reason', (text, message) => {
    expect(() => requireLogMessage(text)).toThrow(message)
  })
})
