export type StatusWord = 'COMPLETE' | 'IN PROGRESS' | 'PENDING'
export const emoji: Readonly<Record<StatusWord, string>> = { COMPLETE: '✅', 'IN PROGRESS': '🔄', PENDING: '⏳' }

export const slug = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

export const phaseSlug = (text: string): string => slug(readHeading(text).name)

/** Limit of a heading's length: the patterns take more than linear time. */
const MAX_CHARACTERS = 400

const marks = /\*\*|__|`|~~/g

const word = '(COMPLETED?|IN[ _-]?PROGRESS|PENDING)'
/** At the end, followed only by marks and numbers: `(COMPLETE)`, `COMPLETE ✅`, `IN PROGRESS - 2/3`. */
const atEnd = new RegExp(`(?:^|[^A-Za-z0-9_])${word}(?![A-Za-z])[^A-Za-z]*$`, 'i')
const behindPhase = new RegExp(`(?<![^\\s])phase\\b.*[^A-Za-z0-9_]${word}(?![A-Za-z])`, 'i')

export function readHeading(text: string): { name: string; claimed: StatusWord | undefined } {
  const plain = text.slice(0, MAX_CHARACTERS).replaceAll(marks, '').trim()
  const status = atEnd.exec(plain)
  const claimed = statusWord((status ?? behindPhase.exec(plain))?.[1])
  const rest = status && status.index > 0 ? plain.slice(0, status.index) : plain
  return { name: nameIn(rest) || nameIn(plain) || plain, claimed }
}

const phaseWord = /(?<![^\s([])phase(?![A-Za-z])/i

export const isCalledPhase = (text: string): boolean =>
  phaseWord.test(text.slice(0, MAX_CHARACTERS).replaceAll(marks, ''))

function statusWord(word: string | undefined): StatusWord | undefined {
  if (word === undefined) return undefined
  const upper = word.toUpperCase()
  return upper.startsWith('COMPLETE') ? 'COMPLETE' : upper === 'PENDING' ? 'PENDING' : 'IN PROGRESS'
}

function nameIn(text: string): string {
  const [, before = '', after = ''] = /^(.*?)(?<![^\s([])phase(?![A-Za-z])(.*)$/i.exec(text) ?? []
  if (before === '' && after === '') return trimName(text)
  const named = trimName(before)
  if (named !== '') return named
  const [, number = '', name = ''] = /^[\s#]*(\d+(?:\.\d+)*|[IVX]+(?=\s*[:.)–—-]))?[\s:.)–—-]*(.*)$/s.exec(after) ?? []
  return trimName(name) || (number === '' ? '' : `Phase ${number}`)
}

const trimName = (text: string): string =>
  words(words(text.split(/\s+/)).reverse())
    .reverse()
    .join(' ')
    .replace(/^\d+[.):]\s+/, '')
    .replace(/\s*[([]\s*\d+\s*\/\s*\d+\s*[)\]]\s*$/, '')
    .replace(/[\s:|([{–—-]+$/, '')
    .trim()

function words(all: readonly string[]): string[] {
  const first = all.findIndex((one) => !isMark(one))
  return first < 0 ? [] : all.slice(first)
}

/** No letter or digit, or an emoji that was read in a wrong encoding. */
const isMark = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text) || /^[âğð][^\sA-Za-z0-9]+$/u.test(text)
