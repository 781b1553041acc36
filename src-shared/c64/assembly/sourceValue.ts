import { AppError } from '../../contract/errors'
import { encodeText } from './sourceText'

export type LabelValue = (name: string) => number | null

const NAME = /[A-Za-z_.@][\w.@]*/y
const NUMBER = /\$[0-9a-f]+|0x[0-9a-f]+|%[01]+|\d+/iy
const CHARACTER = /'(.)'|"(.)"/uy
const OPERATOR = /<<|>>|[-+*/&|^]/y

const rows: readonly (readonly string[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/']]
const MAX_DEPTH = 50

/**
 * `table+2`, `<(end-start)`, `*+3`, `'a'`: null while a label in it has no value. `<` and `>` in front take the low and
 * high byte of all that follows. Throws INVALID.
 * @param here what `*` stands for
 */
export function sourceValue(text: string, here: number, label: LabelValue): number | null {
  const reader = new Reader(text, here, label)
  const value = reader.whole()
  reader.end()
  return value
}

class Reader {
  readonly #text: string
  readonly #here: number
  readonly #label: LabelValue
  #at = 0
  #depth = 0

  constructor(text: string, here: number, label: LabelValue) {
    this.#text = text
    this.#here = here
    this.#label = label
  }

  whole(): number | null {
    this.#enter()
    const part = this.#take(/[<>]/y)?.[0]
    const value = part === undefined ? this.#row(0) : this.whole()
    this.#depth--
    if (value === null || part === undefined) return value
    return part === '<' ? value & 0xff : (value >> 8) & 0xff
  }

  end(): void {
    this.#blanks()
    if (this.#at < this.#text.length) throw this.#unreadable()
  }

  #row(index: number): number | null {
    const operators = rows[index]
    if (operators === undefined) return this.#term()
    let left = this.#row(index + 1)
    for (;;) {
      const before = this.#at
      const operator = this.#take(OPERATOR)?.[0]
      if (operator === undefined || !operators.includes(operator)) {
        this.#at = before
        return left
      }
      const right = this.#row(index + 1)
      left = left === null || right === null ? null : this.#apply(operator, left, right)
    }
  }

  #apply(operator: string, left: number, right: number): number {
    switch (operator) {
      case '+':
        return left + right
      case '-':
        return left - right
      case '*':
        return left * right
      case '/':
        if (right === 0) throw new AppError('INVALID', 'Something is divided by zero.')
        return Math.trunc(left / right)
      case '<<':
        return left << right
      case '>>':
        return left >> right
      case '&':
        return left & right
      case '^':
        return left ^ right
      default:
        return left | right
    }
  }

  #term(): number | null {
    this.#enter()
    const value = this.#signed()
    this.#depth--
    return value
  }

  #signed(): number | null {
    if (this.#take(/\+/y)) return this.#term()
    if (this.#take(/-/y)) return negated(this.#term())
    const number = this.#take(NUMBER)?.[0]
    if (number !== undefined) return numberOf(number)
    if (this.#take(/\*/y)) return this.#here
    const character = this.#take(CHARACTER)
    if (character) return encodeText(character[1] ?? character[2] ?? '', 'keys')[0] ?? 0
    const opening = this.#take(/[([]/y)?.[0]
    if (opening !== undefined) {
      const value = this.whole()
      if (!this.#take(opening === '(' ? /\)/y : /\]/y)) throw this.#unreadable()
      return value
    }
    const name = this.#take(NAME)?.[0]
    if (name === undefined) throw this.#unreadable()
    return this.#label(name)
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new AppError('INVALID', 'The expression has too many brackets.')
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    this.#blanks()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at += found[0].length
    return found
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #unreadable(): AppError {
    const rest = this.#text.slice(this.#at).trim()
    return new AppError(
      'INVALID',
      rest === '' ? 'A value is missing.' : `“${rest.slice(0, 40)}” cannot be read as a value.`,
      {
        hint: 'Write numbers as 10, $0a or %1010, and labels, with + - * / & | ^ << >>, < and > for the low and high byte.',
      },
    )
  }
}

const negated = (value: number | null): number | null => (value === null ? null : -value)

function numberOf(text: string): number {
  if (text.startsWith('$')) return Number.parseInt(text.slice(1), 16)
  if (text.startsWith('%')) return Number.parseInt(text.slice(1), 2)
  return Number(text)
}
