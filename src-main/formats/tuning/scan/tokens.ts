import { wordSet } from './names'

export const WORD = 1
export const MARK = 2
export const STRING = 3
export const TEMPLATE = 4
const NUMBER = 5

export interface Fence {
  readonly start: number
  readonly end: number
  readonly language: string
}

export class Tokens {
  kinds: Uint8Array
  starts: Int32Array
  ends: Int32Array
  length = 0

  constructor(characters: number) {
    const size = 16 + (characters >> 2)
    this.kinds = new Uint8Array(size)
    this.starts = new Int32Array(size)
    this.ends = new Int32Array(size)
  }

  add(kind: number, start: number, end: number): void {
    if (this.length === this.kinds.length) {
      this.kinds = grown(this.kinds, new Uint8Array(2 * this.length))
      this.starts = grown(this.starts, new Int32Array(2 * this.length))
      this.ends = grown(this.ends, new Int32Array(2 * this.length))
    }
    this.kinds[this.length] = kind
    this.starts[this.length] = start
    this.ends[this.length] = end
    this.length++
  }
}

function grown<List extends Uint8Array | Int32Array>(from: List, to: List): List {
  to.set(from)
  return to
}

export function readTokens(text: string, fences: readonly Fence[]): Tokens {
  const tokens = new Tokens(fences.reduce((sum, { start, end }) => sum + end - start, 0))
  for (const fence of fences) {
    new Tokenizer(text, fence, tokens).read()
    tokens.add(0, fence.end, fence.end)
  }
  return tokens
}

/** Languages with hash comments, whose backticks are no templates. */
const hashLanguages: ReadonlySet<string> = wordSet('python py bash sh shell zsh yaml yml ruby')

const marks = ['...', '===', '!==', '=>', '+=', '?.', '??', '||', '&&', '==', '!=', '<=', '>=', '${']
const markStarts: ReadonlySet<string> = new Set(marks.map((mark) => mark.charAt(0)))

const MAX_REGEX = 300

class Tokenizer {
  /** Only the fence: a search must not run through the rest of the file. */
  readonly #text: string
  readonly #end: number
  readonly #offset: number
  readonly #hasHashes: boolean
  readonly #tokens: Tokens
  readonly #first: number
  #at = 0
  #lineEnd = -1
  readonly #interpolations: number[] = []
  #isBad = false
  /** Quotes and regular expressions that start before these places are known not to end. */
  readonly #unclosed: Record<string, number> = {}

  constructor(text: string, { start, end, language }: Fence, tokens: Tokens) {
    this.#text = text.slice(start, end)
    this.#end = end - start
    this.#offset = start
    this.#hasHashes = hashLanguages.has(language)
    this.#tokens = tokens
    this.#first = tokens.length
  }

  read(): void {
    while (this.#at < this.#end) this.#next()
  }

  #next(): void {
    const char = this.#text[this.#at] ?? ''
    if (char === '\n') this.#newline()
    else if (isSpace(char)) this.#at++
    else if (isWordStart(char)) this.#run(WORD, isWordPart)
    else if (isDigit(char)) this.#run(NUMBER, isWordPart)
    else if (char === '"' || char === "'") this.#string(char)
    else if (char === '`' && !this.#hasHashes) {
      this.#push(MARK, 1)
      this.#template()
    } else if (char === '/' || char === '#') this.#slashOrHash(char)
    else this.#mark(char)
  }

  #newline(): void {
    this.#at++
    // An example marked as bad ends with an empty line.
    if (/[\r\n]/.test(this.#text[this.#at] ?? '')) this.#isBad = false
  }

  #push(kind: number, length: number): void {
    const start = this.#offset + this.#at
    if (!this.#isBad) this.#tokens.add(kind, start, start + Math.min(length, this.#end - this.#at))
    this.#at += length
  }

  #run(kind: number, belongs: (char: string) => boolean): void {
    let to = this.#at + 1
    while (to < this.#end && belongs(this.#text[to] ?? '')) to++
    this.#push(kind, to - this.#at)
  }

  #string(quote: string): void {
    const length = this.#stringLength(quote)
    this.#push(length === 0 ? MARK : STRING, Math.max(1, length))
  }

  /** 0 where there is none. */
  #stringLength(quote: string): number {
    // An apostrophe in a word is no quote.
    if (quote === "'" && isWordPart(this.#text[this.#at - 1] ?? '')) return 0
    const long = quote.repeat(3)
    if (this.#text.startsWith(long, this.#at)) {
      const close = this.#text.indexOf(long, this.#at + 3)
      return (close < 0 ? this.#end : close + 3) - this.#at
    }
    if (this.#at < (this.#unclosed[quote] ?? 0)) return 0
    let to = this.#at + 1
    for (let char = this.#text[to]; to < this.#end && char !== '\n'; char = this.#text[to]) {
      if (char === quote) return to + 1 - this.#at
      to += char === '\\' ? 2 : 1
    }
    this.#unclosed[quote] = to
    return 0
  }

  #template(): void {
    let to = this.#at
    for (; to < this.#end; to++) {
      const char = this.#text[to]
      if (char === '\\') to++
      else if (char === '`' || (char === '$' && this.#text[to + 1] === '{')) break
    }
    to = Math.min(to, this.#end)
    if (to > this.#at) this.#push(TEMPLATE, to - this.#at)
    if (this.#text[this.#at] === '`') this.#push(MARK, 1)
    else if (this.#at < this.#end) {
      this.#push(MARK, 2)
      this.#interpolations.push(0)
    }
  }

  #slashOrHash(char: string): void {
    const comment = this.#commentEnd(char)
    const expression = comment === undefined && char === '/' && this.#startsExpression() ? this.#regexLength() : 0
    if (comment !== undefined) this.#comment(comment)
    else if (expression > 0) this.#at += expression
    else this.#push(MARK, 1)
  }

  #commentEnd(char: string): number | undefined {
    const next = this.#text[this.#at + 1] ?? ''
    const before = this.#text[this.#at - 1] ?? '\n'
    if (char === '#') return isSpace(before) && (this.#hasHashes || isSpace(next)) ? this.#endOfLine() : undefined
    // Not the slashes of an address such as https://
    if (next === '/') return before === ':' ? undefined : this.#endOfLine()
    if (next !== '*') return undefined
    const close = this.#text.indexOf('*/', this.#at + 2)
    return close < 0 ? this.#end : close + 2
  }

  #comment(to: number): void {
    const [, mark = ''] =
      /^\W*(❌|✗|✅|✓|[\p{L}'’-]+)/u.exec(this.#text.slice(this.#at, Math.min(to, this.#at + 60))) ?? []
    if (badMark.test(mark)) this.#isBad = true
    else if (goodMark.test(mark)) this.#isBad = false
    this.#at = to
  }

  #endOfLine(): number {
    if (this.#lineEnd < this.#at) {
      const newline = this.#text.indexOf('\n', this.#at)
      this.#lineEnd = newline < 0 ? this.#end : newline
    }
    return this.#lineEnd
  }

  #startsExpression(): boolean {
    const { kinds, starts, ends, length } = this.#tokens
    if (length === this.#first) return true
    const last = this.#text.slice((starts[length - 1] ?? 0) - this.#offset, (ends[length - 1] ?? 0) - this.#offset)
    if (kinds[length - 1] === MARK) return ![')', ']', '}', '`'].includes(last)
    return last === 'return'
  }

  #regexLength(): number {
    const limit = Math.min(this.#endOfLine(), this.#at + MAX_REGEX)
    if (this.#at < (this.#unclosed['/'] ?? 0)) return 0
    let isInClass = false
    for (let to = this.#at + 1; to < limit; to++) {
      const char = this.#text[to]
      if (char === '\\') to++
      else if (char === '[') isInClass = true
      else if (char === ']') isInClass = false
      else if (char === '/' && !isInClass) return to + 1 - this.#at
    }
    this.#unclosed['/'] = limit
    return 0
  }

  #mark(char: string): void {
    const mark =
      (markStarts.has(char) ? marks.find((known) => this.#text.startsWith(known, this.#at)) : undefined) ?? char
    const braces = this.#interpolations.length - 1
    const depth = this.#interpolations[braces]
    this.#push(MARK, mark.length)
    if (depth === undefined) return
    if (mark === '{' || mark === '${') this.#interpolations[braces] = depth + 1
    else if (mark === '}' && depth > 0) this.#interpolations[braces] = depth - 1
    else if (mark === '}') {
      this.#interpolations.pop()
      this.#template()
    }
  }
}

const badMark = /^(?:❌|✗|bad|wrong|incorrect|avoid|anti-?patterns?|don['’]?t|never)$/i
const goodMark = /^(?:✅|✓|good|right|correct|better|instead|do)$/i

const isSpace = (char: string): boolean =>
  char === ' ' || char === '\t' || char === '\r' || char === '\n' || char === ''
const isDigit = (char: string): boolean => char >= '0' && char <= '9'
const isWordStart = (char: string): boolean =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_' || char > '\u00bf'
const isWordPart = (char: string): boolean => isWordStart(char) || isDigit(char) || char === '$'
