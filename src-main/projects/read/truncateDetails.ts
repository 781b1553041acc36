import { LONGEST_LINE, LONGEST_LIST, LONGEST_TEXT } from '@shared/contract/orchestration'

/** Characters of all texts together: beyond them, texts are cut to a line. */
const MOST_CHARACTERS = 2_000_000

/** Of where a value was read, and how it is written there. */
const shorter: Readonly<Record<string, number>> = { written: LONGEST_LINE, pointer: 1000 }
const LONGEST_FILE = 1000

/**
 * A copy of what a format has of its own, cut to the bounds of the contract: lists, texts, and numbers that JSON has none of.
 * `more` counts what was cut: entries of lists, and texts.
 */
export function truncateDetails<Details extends object>(details: Details): { details: Details; more: number } {
  const copy = structuredClone(details)
  let characters = 0
  let more = 0
  const cut = (text: string, most: number): string => {
    const longest = characters > MOST_CHARACTERS ? Math.min(most, LONGEST_LINE) : most
    characters += Math.min(text.length, longest)
    if (text.length <= longest) return text
    more++
    return `${text.slice(0, longest - 1)}…`
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      more += Math.max(0, node.length - LONGEST_LIST)
      node.splice(LONGEST_LIST)
    }
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'string')
        Reflect.set(node, name, cut(value, shorter[name] ?? (name === 'file' ? LONGEST_FILE : LONGEST_TEXT)))
      else if (typeof value === 'number' && !Number.isFinite(value)) Reflect.set(node, name, null)
      else walk(value)
    }
  }
  walk(copy)
  return { details: copy, more }
}
