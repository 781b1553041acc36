/** As in VICE's monitor: `FL` holds the flags, `RL` and `CY` are the raster's line and the cycle in it. */
export const expressionRegisters = ['A', 'X', 'Y', 'SP', 'PC', 'FL', 'RL', 'CY'] as const
export type ExpressionRegister = (typeof expressionRegisters)[number]

/** `cpu` is what the CPU sees at this moment. */
export const expressionBanks = ['cpu', 'ram', 'io'] as const
export type ExpressionBank = (typeof expressionBanks)[number]

/** Tightest last; operators of one row have the same precedence, as in Go. */
export const operatorRows = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-', '|', '^'],
  ['*', '/', '&'],
] as const
export type Operator = (typeof operatorRows)[number][number]

/** All values are signed 32-bit integers; a comparison is 1 or 0. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'register'; readonly register: ExpressionRegister }
  | { readonly kind: 'memory'; readonly bank: ExpressionBank; readonly bytes: 1 | 2; readonly address: Expression }
  | { readonly kind: 'bit'; readonly of: Expression; readonly bit: number }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }

export function banksOf(expression: Expression): ExpressionBank[] {
  switch (expression.kind) {
    case 'number':
    case 'register':
      return []
    case 'memory':
      return [expression.bank, ...banksOf(expression.address)]
    case 'binary':
      return [...banksOf(expression.left), ...banksOf(expression.right)]
    default:
      return banksOf(expression.of)
  }
}

export function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
      return true
    case 'register':
    case 'memory':
      return false
    case 'binary':
      return isConstant(expression.left) && isConstant(expression.right)
    default:
      return isConstant(expression.of)
  }
}
