import { MARK, readTokens, type Fence, type Tokens, WORD } from './tokens'

/**
 * All fences of a file, with an empty token between two. Comments, regular expressions and examples marked as bad are
 * left out.
 */
export class Code {
  readonly #text: string
  readonly #tokens: Tokens
  /** By token; -1 outside of all brackets. */
  readonly #parents: Int32Array
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

  kind(at: number): number {
    return at >= 0 && at < this.length ? (this.#tokens.kinds[at] ?? 0) : 0
  }

  start(at: number): number {
    return this.#tokens.starts[Math.min(at, this.length - 1)] ?? 0
  }

  end(at: number): number {
    return this.#tokens.ends[Math.min(at, this.length - 1)] ?? 0
  }

  text(at: number): string {
    return this.kind(at) === 0 ? '' : this.#text.slice(this.start(at), this.end(at))
  }

  is(at: number, text: string): boolean {
    if (this.kind(at) === 0) return false
    const start = this.start(at)
    return this.end(at) - start === text.length && this.#text.startsWith(text, start)
  }

  character(at: number): number {
    return this.#text.charCodeAt(this.start(at))
  }

  isWord(at: number): boolean {
    return this.kind(at) === WORD
  }

  parent(at: number): number {
    return this.#parents[at] ?? -1
  }

  partner(at: number): number {
    return this.#partners[at] ?? -1
  }

  /** Innermost first. The depth is limited, so that walks stay linear. */
  *around(at: number): Generator<number> {
    let open = this.parent(at)
    for (let depth = 0; open >= 0 && depth < MAX_WALK; depth++, open = this.parent(open)) yield open
  }
}

const MAX_WALK = 24

const [DOLLAR, BACKTICK] = [36, 96]

const closers = new Uint8Array(128)
const isCloser = new Uint8Array(128)
for (const [opener, closer] of ['()', '[]', '{}', '$}'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)])) {
  if (opener === undefined || closer === undefined) continue
  closers[opener] = closer
  isCloser[closer] = 1
}

function matchBrackets(code: Code, parents: Int32Array, partners: Int32Array): void {
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
