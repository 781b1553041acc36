/** Which lines of a text became which: in bounded time, whatever the texts are. */
import { diffArrays } from 'diff'

/** The old lines from `start` to before `end`, counted from 0, become these. */
export interface LineEdit {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

export interface LineDiff {
  /** In their order, none touching another. */
  readonly edits: readonly LineEdit[]
  /** False when the texts differ too much for more than one edit of all that is between the first change and the last. */
  readonly isFine: boolean
}

/** Lines taken out and put in that are told apart one by one: the time grows with the square. */
const MAX_EDIT_LENGTH = 1_000

export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  if (old.length + now.length === 0) return { edits: [], isFine: true }
  const whole = [{ start: head, end: head + old.length, lines: now }]
  if (old.length === 0 || now.length === 0) return { edits: whole, isFine: true }
  const changes = diffArrays([...old], [...now], { maxEditLength: MAX_EDIT_LENGTH })
  if (!changes) return { edits: whole, isFine: false }
  const edits: LineEdit[] = []
  let at = head
  let isOpen = false
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      at += value.length
      isOpen = false
      continue
    }
    const last = isOpen ? edits.pop() : undefined
    const { start, lines } = last ?? { start: at, lines: [] }
    if (removed) at += value.length
    edits.push({ start, end: at, lines: added ? [...lines, ...value] : lines })
    isOpen = true
  }
  return { edits, isFine: true }
}

/**
 * A text with two changes of it: from `base` to `ours`, and from `base` to `theirs`; undefined where both change the same lines.
 * @param split into the pieces that are compared
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  split: (text: string) => string[] = wholeLines,
): string | undefined {
  const pieces = split(base)
  const [mine, other] = [ours, theirs].map((text) => diffLines(pieces, split(text)).edits)
  const edits = [...(mine ?? []), ...(other ?? [])].sort((a, b) => a.start - b.start || a.end - b.end)
  const result: string[] = []
  let at = 0
  let last: LineEdit | undefined
  for (const edit of edits) {
    if (last && (edit.start < last.end || (edit.start === last.start && edit.end === last.end))) return undefined
    result.push(...pieces.slice(at, edit.start), ...edit.lines)
    at = edit.end
    last = edit
  }
  return [...result, ...pieces.slice(at)].join('')
}

/** Each with its line end. */
export const wholeLines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))
