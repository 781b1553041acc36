/** Expressions of conditions and watches with anything in them: each is a number at once, or says where it is wrong. */
import { array, constantFrom, oneof, string } from 'fast-check'
import { describe, expect } from 'vitest'
import { compileExpression } from '@shared/c64/expressions/compileExpression'
import { parseExpression } from '@shared/c64/expressions/parseExpression'
import { fuzz } from './fuzz'

const piece = oneof(
  constantFrom('A', 'PC', 'FL', 'RL', 'Z', 'BORDER', 'ICR', '.name', 'word(', '@', '@io:', '(', ')', '.7', '.'),
  constantFrom('+', '-', '*', '/', '&', '|', '^', '==', '=', '<', '>=', '<>', '&&', ' or ', ' and ', ' not ', '!'),
  constantFrom('0', '1', '$d020', '%1', '65535', '65536', '0x', '1e9', '$', '__proto__', 'constructor', ' '),
  string({ maxLength: 3 }),
)
const expressions = oneof(
  array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
  array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' ')),
  constantFrom('(', '@', '-', 'not ', '!').map((opening) => opening.repeat(300)),
  constantFrom('+A', '.0', '==A', '&&A').map((following) => `A${following.repeat(80)}`),
)

const machine = { register: () => 0xff, peek: (_bank: string, address: number) => address & 0xff }

describe('an expression', () => {
  fuzz('of anything has a value, or a problem within its text', expressions, (text) => {
    const parsed = parseExpression(text)
    if (parsed.ok) {
      const value = compileExpression(parsed.expression)(machine)
      expect(value).toBe(value | 0)
    } else {
      expect(parsed.problem.position).toBeGreaterThanOrEqual(0)
      expect(parsed.problem.position).toBeLessThanOrEqual(text.length)
      expect(parsed.problem.message).toMatch(/\.$/)
    }
  })
})
