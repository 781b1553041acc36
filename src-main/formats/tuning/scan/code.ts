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

const [DOLLAR, BACKTICK] = [36, 96]

/** By the first character of a mark that opens, the one that closes: `$` is that of `${`. */
const closers = new Uint8Array(128)
const isCloser = new Uint8Array(128)
for (const [opener, closer] of ['()', '[]', '{}', '$}'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)])) {
  if (opener === undefined || closer === undefined) continue
  closers[opener] = closer
  isCloser[closer] = 1
}

function matchBrackets(code: Code, parents: Int32Array, partners: Int32Array): void {
  /** The tokens that are open, and what closes each. */
  const open: number[] = []
  const closing: number[] = []
  const expected = new Uint32Array(128)
  for (let at = 0; at < code.length; at++) {
    parents[at] = open.at(-1) ?? -1
    if (code.kind(at) === 0) {
      open.length = closing.length = 0
      expected.fill(0)
    }
    const mark = code.kind(at) === MARK ? code.character(at) : 0
    const isTemplateEnd = mark === BACKTICK && closing.at(-1) === BACKTICK
    const opens = mark === BACKTICK ? (isTemplateEnd ? 0 : BACKTICK) : (closers[mark] ?? 0)
    if (opens !== 0 && (mark !== DOLLAR || code.end(at) - code.start(at) === 2)) {
      open.push(at)
      closing.push(opens)
      expected[opens] = (expected[opens] ?? 0) + 1
    } else if ((isTemplateEnd || isCloser[mark] === 1) && (expected[mark] ?? 0) > 0) {
      // Brackets that nobody closed end with the one around them.
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        const closer = closing.pop() ?? 0
        expected[closer] = (expected[closer] ?? 1) - 1
        if (closer !== mark) continue
        partners[last] = at
        partners[at] = last
        break
      }
      parents[at] = open.at(-1) ?? -1
    }
  }
}
