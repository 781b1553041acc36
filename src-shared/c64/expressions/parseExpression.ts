/**
 * Syntax close to VICE's monitor: `A == $05 and @$d020 & $0f != 0`. Numbers are decimal without `$`, `0x` or `%`; `@`
 * is the byte at an address, `word(…)` two bytes, `.7` a bit; bit operators bind tighter than comparisons.
 */
import { AppError } from '../../contract/errors'
import { builtInNames, type Names } from '../labels/names'
import {
  expressionBanks,
  expressionRegisters,
  isConstant,
  operatorRows,
  type Expression,
  type ExpressionBank,
  type ExpressionRegister,
  type Operator,
} from './expression'
import { ProblemFound, tokensOf, type ExpressionProblem, type Token } from './tokens'

export const MAX_EXPRESSION_LENGTH = 255
const MAX_DEPTH = 32

export type AddressNames = Pick<Names, 'find'>

export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: ExpressionProblem }

export function parseExpression(text: string, names: AddressNames = builtInNames): ParsedExpression {
  if (text.length > MAX_EXPRESSION_LENGTH)
    return {
      ok: false,
      problem: { position: MAX_EXPRESSION_LENGTH, message: `It is longer than ${MAX_EXPRESSION_LENGTH} characters.` },
    }
  try {
    return { ok: true, expression: new Parser(tokensOf(text), names).whole() }
  } catch (error) {
    if (error instanceof ProblemFound) return { ok: false, problem: error.problem }
    throw error
  }
}

export function requireExpression(text: string, names: AddressNames = builtInNames): Expression {
  const parsed = parseExpression(text, names)
  if (parsed.ok) return parsed.expression
  const { position, message } = parsed.problem
  throw new AppError('INVALID', `“${text.slice(0, 60)}”, column ${position + 1}: ${message}`, {
    hint: 'Write it as A == $05 and @$d020 != 0.',
    details: { position },
  })
}

/**
 * As {@link requireExpression}; INVALID also for an expression that reads nothing of the machine and so never changes.
 */
export function requireCondition(text: string, names: AddressNames = builtInNames): Expression {
  const expression = requireExpression(text, names)
  if (!isConstant(expression)) return expression
  throw new AppError('INVALID', `“${text}” is always the same: it reads nothing of the machine.`, {
    hint: 'Write @ before an address to mean the byte there: @$d020 == 0.',
  })
}

const spelled = new Map<string, Operator>([
  ['and', '&&'],
  ['or', '||'],
  ['=', '=='],
  ['<>', '!='],
  ...operatorRows.flat().map((operator) => [operator, operator] as const),
])
const COMPARISON_ROW = 2

const registers = new Map<string, ExpressionRegister>([
  ...expressionRegisters.map((register) => [register, register] as const),
  ['LIN', 'RL'],
  ['CYC', 'CY'],
])

const flags = new Map(Object.entries({ C: 0, Z: 1, I: 2, D: 3, B: 4, V: 6, N: 7 }))

class Parser {
  readonly #tokens: readonly Token[]
  readonly #names: AddressNames
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[], names: AddressNames) {
    this.#tokens = tokens
    this.#names = names
  }

  whole(): Expression {
    const expression = this.#row(0)
    const { kind } = this.#token
    if (kind !== 'end') throw this.#expected('an operator or the end')
    return expression
  }

  get #token(): Token {
    const token = this.#tokens[this.#next]
    if (!token) throw new Error('An expression has tokens after its end.')
    return token
  }

  #row(row: number): Expression {
    const operators: readonly Operator[] | undefined = operatorRows[row]
    if (operators === undefined) return this.#unary()
    if (row === COMPARISON_ROW && this.#takes('not', '!')) {
      return this.#nested(() => ({ kind: 'not', of: this.#row(COMPARISON_ROW) }))
    }
    let left = this.#row(row + 1)
    for (let operator = this.#operator(operators); operator; operator = this.#operator(operators)) {
      left = { kind: 'binary', operator, left, right: this.#row(row + 1) }
      if (row === COMPARISON_ROW && this.#isOperator(operators))
        throw this.#problem('Comparisons cannot follow each other; join them with “and”.')
    }
    return left
  }

  #isOperator(operators: readonly Operator[]): Operator | undefined {
    const operator = this.#token.kind === 'number' ? undefined : spelled.get(this.#token.text.toLowerCase())
    return operator !== undefined && operators.includes(operator) ? operator : undefined
  }

  #operator(operators: readonly Operator[]): Operator | undefined {
    const operator = this.#isOperator(operators)
    if (operator !== undefined) this.#next++
    return operator
  }

  #unary(): Expression {
    if (this.#takes('-')) return this.#nested(() => ({ kind: 'minus', of: this.#unary() }))
    return this.#bits(this.#primary())
  }

  #bits(of: Expression): Expression {
    if (!this.#takes('.')) return of
    const { kind } = this.#token
    const bit = kind === 'number' ? this.#token.value : -1
    if (bit < 0 || bit > 15) throw this.#expected('a bit’s number, 0 to 15')
    this.#next++
    return { kind: 'bit', of, bit }
  }

  #primary(): Expression {
    const token = this.#token
    if (token.kind === 'number') {
      this.#next++
      return { kind: 'number', value: token.value }
    }
    if (this.#takes('(')) return this.#parenthesised()
    if (this.#takes('@')) {
      const bank = this.#bank()
      return { kind: 'memory', bank, bytes: 1, address: this.#nested(() => this.#primary()) }
    }
    if (token.kind === 'name') {
      this.#next++
      return this.#named(token)
    }
    throw this.#expected('a number, a register, a name, @ or (')
  }

  #parenthesised(): Expression {
    return this.#nested(() => {
      const expression = this.#row(0)
      if (!this.#takes(')')) throw this.#expected('an operator or )')
      return expression
    })
  }

  /** `io:`; VICE’s `@:` is what the CPU sees. */
  #bank(): ExpressionBank {
    if (this.#takes(':')) return 'cpu'
    if (this.#tokens[this.#next + 1]?.text !== ':') return 'cpu'
    const bank = expressionBanks.find((known) => known === this.#token.text.toLowerCase())
    if (bank === undefined) throw this.#expected(`one of the banks ${expressionBanks.join(', ')}`)
    this.#next += 2
    return bank
  }

  #named({ position, text }: Token): Expression {
    const known = text.toUpperCase()
    if (known === 'WORD' && this.#takes('(')) {
      const bank = this.#bank()
      return { kind: 'memory', bank, bytes: 2, address: this.#parenthesised() }
    }
    const register = registers.get(known)
    if (register !== undefined) return { kind: 'register', register }
    const flag = flags.get(known)
    if (flag !== undefined) return { kind: 'bit', of: { kind: 'register', register: 'FL' }, bit: flag }
    const name = text.replace(/^\./, '')
    const [found, ...others] = this.#names.find(name)
    if (found === undefined) throw new ProblemFound(position, `“${name}” is no register, flag or name of an address.`)
    if (others.length > 0) throw new ProblemFound(position, `“${name}” is the name of ${others.length + 1} addresses.`)
    return { kind: 'number', value: found.address }
  }

  #takes(...texts: readonly string[]): boolean {
    const { kind, text } = this.#token
    if (kind === 'end' || !texts.includes(text.toLowerCase())) return false
    this.#next++
    return true
  }

  #nested(parse: () => Expression): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#problem(`It is nested more than ${MAX_DEPTH} deep.`)
    const expression = parse()
    this.#depth--
    return expression
  }

  #problem(message: string): ProblemFound {
    return new ProblemFound(this.#token.position, message)
  }

  #expected(what: string): ProblemFound {
    const { kind, text } = this.#token
    return this.#problem(`Expected ${what}, found ${kind === 'end' ? 'the end' : `“${text}”`}.`)
  }
}
