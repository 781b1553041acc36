/** Conditions in the syntax of VICE's monitor, fully parenthesised, as it has one precedence for all operators. */
import { compileExpression } from '@shared/c64/expressions/compileExpression'
import { isConstant, type Expression } from '@shared/c64/expressions/expression'
import { builtInNames } from '@shared/c64/labels/names'
import { requireCondition, type AddressNames } from '@shared/c64/expressions/parseExpression'
import { AppError } from '@shared/contract/errors'

/** VICE counts a condition's characters in a byte. */
const MAX_CONDITION_BYTES = 255

/** @throws AppError INVALID for an unreadable condition, UNSUPPORTED for one that VICE cannot express */
export function viceCondition(text: string, names: AddressNames = builtInNames): string {
  const condition = translate(requireCondition(text, names))
  if (condition.length > MAX_CONDITION_BYTES)
    throw unsupported(`VICE takes conditions of ${MAX_CONDITION_BYTES} characters, and this one becomes longer.`)
  return condition
}

function translate(expression: Expression): string {
  if (isConstant(expression)) return number(valueOf(expression))
  switch (expression.kind) {
    case 'number':
      return number(expression.value)
    case 'register':
      return expression.register
    case 'memory':
      return memory(expression)
    case 'bit':
      return `((${translate(expression.of)} & ${number(1 << expression.bit)}) != $0)`
    case 'not':
      return `(${translate(expression.of)} == $0)`
    case 'minus':
      return `($0 - ${translate(expression.of)})`
    case 'binary': {
      const { operator, left, right } = expression
      const isLogical = operator === '&&' || operator === '||'
      const [first, second] = [left, right].map((side) => (isLogical ? truth(side) : translate(side)))
      if (operator === '^') throw unsupported('VICE has no exclusive or (^) in conditions.')
      return `(${first} ${operator} ${second})`
    }
  }
}

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=', '&&', '||']

function truth(expression: Expression): string {
  const { kind } = expression
  const isTruth = kind === 'bit' || kind === 'not' || (kind === 'binary' && comparisons.includes(expression.operator))
  return isTruth ? translate(expression) : `(${translate(expression)} != $0)`
}

function memory({ bank, bytes, address }: Extract<Expression, { kind: 'memory' }>): string {
  if (!isConstant(address))
    throw unsupported('VICE looks at fixed addresses only, and this condition computes one from the machine.')
  const low = valueOf(address) & 0xffff
  const byte = (at: number): string => `@${bank}:$${at.toString(16).padStart(4, '0')}`
  return bytes === 1 ? byte(low) : `(${byte(low)} + (${byte((low + 1) & 0xffff)} * $100))`
}

const number = (value: number): string => (value < 0 ? `($0 - ${number(-value)})` : `$${value.toString(16)}`)

const valueOf = (constant: Expression): number => compileExpression(constant)({ register: () => 0, peek: () => 0 })

const unsupported = (why: string): AppError =>
  new AppError('UNSUPPORTED', why, { hint: 'Write it otherwise, or use the built-in C64.' })
