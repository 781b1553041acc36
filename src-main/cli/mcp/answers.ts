/** Long answers in parts: an agent gets the first one, and asks for the next by its name. */
import { AppError } from '@shared/contract/errors'

/** Characters of one part: some 1,500 tokens. */
export const PART_LENGTH = 6_000
/** How many long answers are kept. */
const MAX_KEPT = 20

export interface Part {
  readonly text: string
  /** What to ask for to read on; null at the end. */
  readonly more: string | null
}

/** Of a name to read on by, the answer that it belongs to. */
export const answerOf = (more: string): string => more.replace(/-\d+$/, '')

export class Answers {
  readonly #kept = new Map<string, string>()
  #count = 0

  /** The first part of an answer; the rest is kept. */
  begin(text: string): Part {
    if (text.length <= PART_LENGTH) return { text, more: null }
    const id = `a${++this.#count}`
    this.#kept.set(id, text)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return this.#part(id, text, 0)
  }

  /** A kept answer as a whole. */
  whole(id: string): string | undefined {
    return this.#kept.get(id)
  }

  /** @throws AppError NOT_FOUND */
  more(name: string): Part {
    const [, id = '', from = ''] = /^(a\d+)-(\d+)$/.exec(name) ?? []
    const text = this.#kept.get(id)
    if (text === undefined || Number(from) >= text.length)
      throw new AppError('NOT_FOUND', `There is nothing more as “${name.slice(0, 40)}”.`, {
        hint: 'Long answers are kept for a while only; ask again.',
      })
    return this.#part(id, text, Number(from))
  }

  /** Ends at the end of a line where there is one. */
  #part(id: string, text: string, from: number): Part {
    const limit = from + PART_LENGTH
    if (text.length <= limit) return { text: text.slice(from), more: null }
    const lineEnd = text.lastIndexOf('\n', limit)
    const end = lineEnd > from ? lineEnd + 1 : limit
    return { text: text.slice(from, end), more: `${id}-${end}` }
  }
}
