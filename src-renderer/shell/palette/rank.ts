import type { PaletteItem } from './paletteItem'

export interface Indexed {
  readonly item: PaletteItem
  readonly title: string
  /** Each word of the title with a blank before it. */
  readonly words: string
  readonly initials: string
  readonly rest: string
}

const wordsOf = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}$+]+/gu, ' ')}`

export function indexed(items: readonly PaletteItem[]): Indexed[] {
  return items.map((item) => {
    const words = wordsOf(item.title)
    return {
      item,
      title: item.title.toLowerCase(),
      words,
      initials: words.replace(/ (.)\S*/gu, '$1'),
      rest: wordsOf(`${item.kind} ${item.detail} ${item.also ?? ''}`),
    }
  })
}

interface Word {
  readonly text: string
  readonly behindBlank: string
}

/** 0 is no match. */
function scoreOfWord({ title, words, initials, rest }: Indexed, { text, behindBlank }: Word): number {
  if (title.startsWith(text)) return 100
  if (words.includes(behindBlank)) return 80
  if (title.includes(text)) return 50
  if (text.length > 1 && initials.startsWith(text)) return 40
  if (rest.includes(behindBlank)) return 30
  return rest.includes(text) ? 10 : 0
}

/** The typed share of the title decides between equals. */
const SHARE_SCORE = 10
/** Gained by the item that was chosen last; those before it gain less. */
const RECENT_SCORE = 40
const LIMIT_SCORE = 60

function scoreOf(entry: Indexed, typed: string, words: readonly Word[], recentAt: number): number {
  let sum = 0
  for (const word of words) {
    const score = scoreOfWord(entry, word)
    if (score === 0) return 0
    sum += score
  }
  const whole = entry.title === typed ? 100 : entry.title.startsWith(typed) ? 50 : 0
  const recent = recentAt < 0 ? 0 : RECENT_SCORE / (1 + recentAt / 4)
  const share = (SHARE_SCORE * typed.length) / Math.max(typed.length, entry.title.length)
  return sum / words.length + whole + share + recent - (entry.item.limit === null ? 0 : LIMIT_SCORE)
}

export interface Found {
  readonly items: readonly PaletteItem[]
  readonly count: number
}

/**
 * Items that contain every typed word, best first; of equals the shorter title, then the earlier one. With nothing
 * typed all items, those chosen last first.
 */
export function rank(entries: readonly Indexed[], typed: string, recent: readonly string[], limit: number): Found {
  const text = typed.trim().toLowerCase()
  const words = text.split(/\s+/).map((word) => ({ text: word, behindBlank: ` ${word}` }))
  const places = new Map(recent.map((key, at) => [key, at]))
  const best: Scored[] = []
  let count = 0
  for (const entry of entries) {
    const recentAt = places.get(entry.item.key) ?? -1
    const score =
      text === '' ? (recentAt < 0 ? 1 : 2 + recent.length - recentAt) : scoreOf(entry, text, words, recentAt)
    if (score === 0) continue
    count++
    keepBest(best, entry.item, score, limit)
  }
  return { items: best.map(({ item }) => item), count }
}

interface Scored {
  readonly item: PaletteItem
  readonly score: number
}

/** Inserts behind its equals, where it is one of the best: sorting all of ten thousand takes longer. */
function keepBest(best: Scored[], item: PaletteItem, score: number, limit: number): void {
  const last = best.at(-1)
  if (best.length === limit && last && last.score >= score) return
  best.splice(best.findLastIndex((other) => other.score >= score) + 1, 0, { item, score })
  if (best.length > limit) best.pop()
}
