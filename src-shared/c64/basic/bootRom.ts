/** The BASIC of Bridgedeck's own boot ROM: the statements of resources/c64/kernal/interpreter.asm, and no others. */
import type { Program } from '../prg'
import { FIRST_TOKEN, keywords } from './tokens'
import { BASIC_START } from './tokenise'

export interface MissingBasic {
  readonly line: number
  readonly word: string
}

interface Line {
  readonly number: number
  readonly text: Uint8Array
}

export function missingBasic(program: Program): MissingBasic | null {
  const { lines, isAll } = linesOf(program)
  for (const { number, text } of lines) {
    const reader = new StatementReader(text)
    // Machine code behind the lines takes over at the first SYS; otherwise the program goes on after it.
    for (let end: End | null = 'statement'; end === 'statement';) {
      end = reader.statement()
      if (end === null) return { line: number, word: reader.word }
      if (end === 'program' || (end === 'statement' && reader.called && !isAll)) return null
    }
  }
  return null
}

function linesOf({ loadAddress, bytes }: Program): { lines: Line[]; isAll: boolean } {
  const lines: Line[] = []
  if (loadAddress > BASIC_START) return { lines, isAll: false }
  let at = BASIC_START - loadAddress
  for (;;) {
    const [low = 0, high = 0, numberLow = 0, numberHigh = 0] = bytes.subarray(at, at + 4)
    // RUN takes a link below $0100 for the end of the program.
    if (high === 0) break
    const length = bytes.subarray(at + 4).indexOf(0)
    if (length < 0) break
    lines.push({ number: numberLow | (numberHigh << 8), text: bytes.subarray(at + 4, at + 4 + length) })
    at += 4 + length + 1
    if ((low | (high << 8)) !== at + loadAddress) return { lines: lines.slice(0, 1), isAll: false }
  }
  return { lines, isAll: bytes.length - at <= 2 }
}

type End = 'statement' | 'line' | 'program'

const token = (keyword: string): number => FIRST_TOKEN + keywords.indexOf(keyword)
const code = (character: string): number => character.charCodeAt(0)
const [END, RUN, NEW, REM, POKE, PRINT, LIST, CLR, SYS] = [
  token('END'),
  token('RUN'),
  token('NEW'),
  token('REM'),
  token('POKE'),
  token('PRINT'),
  token('LIST'),
  token('CLR'),
  token('SYS'),
]
const [PLUS, MINUS, TIMES, PEEK] = [token('+'), token('-'), token('*'), token('PEEK')]
const [SPACE, QUOTE, COLON, SEMICOLON, COMMA] = [code(' '), code('"'), code(':'), code(';'), code(',')]

class StatementReader {
  readonly #text: Uint8Array
  #at = 0
  called = false

  constructor(text: Uint8Array) {
    this.#text = text
  }

  statement(): End | null {
    while (this.#take(COLON));
    const first = this.#current
    if (first === undefined) return 'line'
    if (first === REM) return 'line'
    if (first === END || first === RUN || first === NEW) return 'program'
    if (!this.#body(first)) return null
    const next = this.#current
    if (next === undefined) return this.called ? 'statement' : 'line'
    return next === COLON ? 'statement' : null
  }

  get word(): string {
    const [first = 0] = this.#text.subarray(this.#at)
    if (first >= FIRST_TOKEN) return keywords[first - FIRST_TOKEN] ?? '?'
    return /^[A-Z][A-Z0-9]*[$%]?|^./.exec(String.fromCharCode(...this.#text.subarray(this.#at)))?.[0] ?? 'the end'
  }

  #body(first: number): boolean {
    const start = this.#at
    this.#at++
    switch (first) {
      case LIST:
      case CLR:
        return true
      case SYS:
        this.called = true
        return this.#expression()
      case POKE:
        return this.#expression() && this.#take(COMMA) && this.#expression()
      case PRINT:
        return this.#items()
      default:
        this.#at = start
        return false
    }
  }

  #items(): boolean {
    for (;;) {
      const next = this.#current
      if (next === undefined || next === COLON) return true
      if (this.#take(SEMICOLON) || this.#take(COMMA)) continue
      if (next === QUOTE) this.#string()
      else if (!this.#expression()) return false
    }
  }

  #string(): void {
    const end = this.#text.indexOf(QUOTE, this.#at + 1)
    this.#at = end < 0 ? this.#text.length : end + 1
  }

  #expression(): boolean {
    do if (!this.#factor()) return false
    while (this.#take(PLUS) || this.#take(MINUS) || this.#take(TIMES))
    return true
  }

  #factor(): boolean {
    if (this.#take(code('('))) return this.#expression() && this.#take(code(')'))
    if (this.#take(PEEK)) return this.#factor()
    const digits = this.#take(code('$')) ? /^[0-9A-F]+/ : /^[0-9]+/
    if (this.#current === undefined) return false
    const found = digits.exec(String.fromCharCode(...this.#text.subarray(this.#at)))
    this.#at += found?.[0].length ?? 0
    return found !== null
  }

  get #current(): number | undefined {
    while (this.#text[this.#at] === SPACE) this.#at++
    return this.#text[this.#at]
  }

  #take(wanted: number | undefined): boolean {
    if (this.#current !== wanted) return false
    this.#at++
    return true
  }
}
