import { AppError } from '@shared/contract/errors'

/** Characters; some 1,500 tokens. */
export const PART_LENGTH = 6_000
const MAX_KEPT = 20

export interface Part {
  readonly text: string
  readonly more: string | null
}

export const answerOf = (more: string): string => more.replace(/-\d+$/, '')

export class Answers {
  readonly #kept = new Map<string, string>()
  #count = 0

  begin(text: string): Part {
    if (text.length <= PART_LENGTH) return { text, more: null }
    const id = `a${++this.#count}`
    this.#kept.set(id, text)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return this.#part(id, text, 0)
  }

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

  #part(id: string, text: string, from: number): Part {
    const limit = from + PART_LENGTH
    if (text.length <= limit) return { text: text.slice(from), more: null }
    const lineEnd = text.lastIndexOf('\n', limit)
    const end = lineEnd > from ? lineEnd + 1 : limit
    return { text: text.slice(from, end), more: `${id}-${end}` }
  }
}
