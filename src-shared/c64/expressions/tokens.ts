export type Token = {
  readonly position: number
  readonly text: string
} & ({ readonly kind: 'number'; readonly value: number } | { readonly kind: 'name' | 'symbol' | 'end' })

export interface ExpressionProblem {
  readonly position: number
  readonly message: string
}

export class ProblemFound extends Error {
  readonly problem: ExpressionProblem

  constructor(position: number, message: string) {
    super(message)
    this.problem = { position, message }
  }
}

const MAX_NUMBER = 0xffff

const token =
  /(?<space>\s+)|(?<hex>(?:\$|0x)[0-9a-z]*)|(?<binary>%[0-9a-z]*)|(?<decimal>[0-9][0-9a-z]*)|(?<name>\.?[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_]*)*)|(?<symbol>&&|\|\||[=!<>]=|<>|[-+*\/&|^<>=!()@.:])/iuy

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const position = token.lastIndex
    const found = token.exec(text)
    if (!found) throw new ProblemFound(position, `“${characterAt(text, position)}” has no meaning here.`)
    const { hex, binary, decimal, name, symbol } = found.groups ?? {}
    if (hex !== undefined) tokens.push(number(position, hex, hex.replace(/^\$|^0x/i, ''), 16))
    else if (binary !== undefined) tokens.push(number(position, binary, binary.slice(1), 2))
    else if (decimal !== undefined) tokens.push(number(position, decimal, decimal, 10))
    else if (name !== undefined) tokens.push({ kind: 'name', position, text: name })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', position, text: symbol })
  }
  return [...tokens, { kind: 'end', position: text.length, text: '' }]
}

const digitsOf = {
  2: { fit: /^[01]+$/, named: 'binary digits after %' },
  10: { fit: /^[0-9]+$/, named: 'decimal digits, or $ before hexadecimal ones' },
  16: { fit: /^[0-9a-f]+$/i, named: 'hexadecimal digits after $' },
} as const

function number(position: number, text: string, digits: string, base: 2 | 10 | 16): Token {
  const { fit, named } = digitsOf[base]
  if (!fit.test(digits)) throw new ProblemFound(position, `Expected ${named}, found “${shown(text)}”.`)
  const value = Number.parseInt(digits, base)
  if (value > MAX_NUMBER) throw new ProblemFound(position, `${shown(text)} is larger than $FFFF (65535).`)
  return { kind: 'number', position, text, value }
}

const MAX_SHOWN = 40
const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const characterAt = (text: string, position: number): string => String.fromCodePoint(text.codePointAt(position) ?? 0)
