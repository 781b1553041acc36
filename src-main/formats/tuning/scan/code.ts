import { MARK, readTokens, type Fence, type Tokens, WORD } from './tokens'

/**
 * The tokens of all fences of a file, an empty one between two fences. Comments, regular expressions and examples marked as bad
 * are left out. Numbers of tokens count from 0.
 */
export class Code {
  readonly #text: string
  readonly #tokens: Tokens
  /** The opening bracket around each token; -1 outside of all. */
  readonly #parents: Int32Array
  /** Of each bracket the other one; -1 without. */
  readonly #partners: Int32Array

  constructor(text: string, fences: readonly Fence[]) {
    this.#text = text
    this.#tokens = readTokens(text, fences)
    this.#parents = new Int32Array(this.length).fill(-1)
    this.#partners = new Int32Array(this.length).fill(-1)
    matchBrackets(this, this.#parents, this.#partners)
  }

  get length(): number {
    return this.#tokens.length
  }

  /** 0 between two fences, and outside the code. */
  kind(at: number): number {
    return at >= 0 && at < this.length ? (this.#tokens.kinds[at] ?? 0) : 0
  }

  /** In the file; past the last token, its end. */
  start(at: number): number {
    return this.#tokens.starts[Math.min(at, this.length - 1)] ?? 0
  }

  end(at: number): number {
    return this.#tokens.ends[Math.min(at, this.length - 1)] ?? 0
  }

  /** Empty outside the code. */
  text(at: number): string {
    return this.kind(at) === 0 ? '' : this.#text.slice(this.start(at), this.end(at))
  }

  is(at: number, text: string): boolean {
    if (this.kind(at) === 0) return false
    const start = this.start(at)
    return this.end(at) - start === text.length && this.#text.startsWith(text, start)
  }

  /** The code of a token’s first character. */
  character(at: number): number {
    return this.#text.charCodeAt(this.start(at))
  }

  isWord(at: number): boolean {
    return this.kind(at) === WORD
  }

  /** The opening bracket around a token; -1 outside of all. */
  parent(at: number): number {
    return this.#parents[at] ?? -1
  }

  /** Of an opening bracket the closing one, and the other way round; -1 without. */
  partner(at: number): number {
    return this.#partners[at] ?? -1
  }

  /** The brackets around a token, the innermost first. A deeper one than anybody writes is left out, so that walks stay linear. */
  *around(at: number): Generator<number> {
    let open = this.parent(at)
    for (let depth = 0; open >= 0 && depth < MAX_WALK; depth++, open = this.parent(open)) yield open
  }
}

const MAX_WALK = 24

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }

/** `(` `)` `[` `]` `{` `}` a backtick, and what starts with `$`. */
const isBracket = (character: number): boolean =>
  character === 40 ||
  character === 41 ||
  character === 91 ||
  character === 93 ||
  character === 123 ||
  character === 125 ||
  character === 96 ||
  character === 36

function matchBrackets(code: Code, parents: Int32Array, partners: Int32Array): void {
  let open: { at: number; closer: string }[] = []
  const expected: Record<string, number> = {}
  for (let at = 0; at < code.length; at++) {
    const around = open.at(-1)
    parents[at] = around?.at ?? -1
    const kind = code.kind(at)
    if (kind === 0) {
      open = []
      for (const closer of Object.keys(expected)) expected[closer] = 0
    }
    if (kind !== MARK || !isBracket(code.character(at))) continue
    const mark = code.text(at)
    const closer = mark === '`' ? (around?.closer === '`' ? undefined : '`') : closers[mark]
    if (closer !== undefined) {
      open.push({ at, closer })
      expected[closer] = (expected[closer] ?? 0) + 1
    } else if ((expected[mark] ?? 0) > 0) {
      // Brackets that nobody closed end with the one around them.
      for (let last = open.pop(); last; last = open.pop()) {
        expected[last.closer] = (expected[last.closer] ?? 1) - 1
        if (last.closer !== mark) continue
        partners[last.at] = at
        partners[at] = last.at
        break
      }
      parents[at] = open.at(-1)?.at ?? -1
    }
  }
}
