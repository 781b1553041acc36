import { AppError } from '@shared/contract/errors'

const part = /[^\s"']+|"[^"]*"|'[^']*'/y

/**
 * Quotes hold blanks together, unlike in Maestro's own dispatcher.
 * @throws AppError INVALID for a quote that does not end
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (let at = 0; at < text.length;) {
    const blanks = /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    at += blanks
    if (at >= text.length) break
    part.lastIndex = at
    const found = part.exec(text)?.[0]
    if (found === undefined)
      throw new AppError('INVALID', `MAESTRO_GEMINI_EXTRA_ARGS has a quote that does not end (got: ${text})`)
    const plain = /^["']/.test(found) ? found.slice(1, -1) : found
    if (blanks > 0 || words.length === 0) words.push(plain)
    else words.push(`${words.pop() ?? ''}${plain}`)
    at += found.length
  }
  return words
}
