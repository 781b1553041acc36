/** Compiled for use at each instruction. Never throws; dividing by zero gives 0. */
import type { Expression, ExpressionBank, ExpressionRegister, Operator } from './expression'

export interface ExpressionMachine {
  register(name: ExpressionRegister): number
  /** Without side effects. */
  peek(bank: ExpressionBank, address: number): number
}

export type Evaluate = (machine: ExpressionMachine) => number

export function compileExpression(expression: Expression): Evaluate {
  switch (expression.kind) {
    case 'number': {
      const { value } = expression
      return () => value
    }
    case 'register': {
      const { register } = expression
      return (machine) => machine.register(register)
    }
    case 'memory':
      return compileMemory(expression)
    case 'bit': {
      const of = compileExpression(expression.of)
      const { bit } = expression
      return (machine) => (of(machine) >> bit) & 1
    }
    case 'not': {
      const of = compileExpression(expression.of)
      return (machine) => (of(machine) === 0 ? 1 : 0)
    }
    case 'minus': {
      const of = compileExpression(expression.of)
      return (machine) => -of(machine) | 0
    }
    case 'binary':
      return operations[expression.operator](compileExpression(expression.left), compileExpression(expression.right))
  }
}

function compileMemory({ bank, bytes, address }: Extract<Expression, { kind: 'memory' }>): Evaluate {
  const at = compileExpression(address)
  if (bytes === 1) return (machine) => machine.peek(bank, at(machine) & 0xffff)
  return (machine) => {
    const low = at(machine) & 0xffff
    return machine.peek(bank, low) | (machine.peek(bank, (low + 1) & 0xffff) << 8)
  }
}

const operations: Readonly<Record<Operator, (left: Evaluate, right: Evaluate) => Evaluate>> = {
  '||': (left, right) => (machine) => (left(machine) !== 0 || right(machine) !== 0 ? 1 : 0),
  '&&': (left, right) => (machine) => (left(machine) !== 0 && right(machine) !== 0 ? 1 : 0),
  '==': (left, right) => (machine) => (left(machine) === right(machine) ? 1 : 0),
  '!=': (left, right) => (machine) => (left(machine) !== right(machine) ? 1 : 0),
  '<': (left, right) => (machine) => (left(machine) < right(machine) ? 1 : 0),
  '<=': (left, right) => (machine) => (left(machine) <= right(machine) ? 1 : 0),
  '>': (left, right) => (machine) => (left(machine) > right(machine) ? 1 : 0),
  '>=': (left, right) => (machine) => (left(machine) >= right(machine) ? 1 : 0),
  '+': (left, right) => (machine) => (left(machine) + right(machine)) | 0,
  '-': (left, right) => (machine) => (left(machine) - right(machine)) | 0,
  '|': (left, right) => (machine) => left(machine) | right(machine),
  '^': (left, right) => (machine) => left(machine) ^ right(machine),
  '*': (left, right) => (machine) => Math.imul(left(machine), right(machine)),
  '/': (left, right) => (machine) => (left(machine) / right(machine)) | 0,
  '&': (left, right) => (machine) => left(machine) & right(machine),
}
