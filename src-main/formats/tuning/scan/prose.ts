export interface Sentence {
  readonly start: number
  readonly text: string
}

/** Characters; a longer sentence is split. */
const MAX_SENTENCE = 400

export function* sentencesOf(text: string, start: number, end: number): Generator<Sentence> {
  let from = start
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const isEnd =
      code === 10 || ((code === 46 || code === 33 || code === 59 || code === 63) && text.charCodeAt(at + 1) <= 32)
    if (!isEnd) continue
    // A list number such as `1.` does not end a sentence.
    if (code === 46 && /^\s*\d{0,3}$/.test(text.slice(from, Math.min(at, from + 30)))) continue
    if (at - from > 3) yield* pieces(text, from, at)
    from = at + 1
  }
  if (end - from > 3) yield* pieces(text, from, end)
}

function* pieces(text: string, from: number, to: number): Generator<Sentence> {
  for (let at = from; at < to; at += MAX_SENTENCE)
    yield { start: at, text: text.slice(at, Math.min(to, at + MAX_SENTENCE)) }
}

const negation =
  /\b(?:do not|don['’]?t|never|avoid(?:s|ing)?|instead of|rather than|not|no longer|without|cannot|stop|forbidden|prohibited|unless|prevents?|no)\b|n['’]t\b/i

export const isNegated = (sentence: string): boolean => negation.test(sentence)

export const wordsIn = (sentence: string): string[] =>
  sentence.toLowerCase().match(/[\p{L}_$][\p{L}\p{N}_$'’-]*/gu) ?? []

/** Keeps the length. */
export const withoutInlineCode = (text: string): string =>
  text.replace(/`[^`\n]{1,200}`/g, (code) => ' '.repeat(code.length))
