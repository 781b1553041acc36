/** In bounded time, whatever the texts are. */
import { diffArrays } from 'diff'

/** Old lines from `start` up to, but not including, `end`, counted from 0, become these. */
interface LineEdit {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

export interface LineDiff {
  readonly edits: readonly LineEdit[]
  /** False when the texts differ too much for more than one edit from the first change to the last. */
  readonly isFine: boolean
}

/** Limit of removed and inserted lines that are told apart one by one: the time grows with the square. */
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
 * Undefined where both change the same lines.
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

export interface Hunk {
  /** Number of the first line, from 1; for no lines, that of the line before. */
  readonly before: number
  readonly beforeLines: number
  readonly after: number
  readonly afterLines: number
  /** Each starts with its sign: ` `, `+`, `-`, or `\\` after a line without an end. */
  readonly lines: readonly string[]
}

export interface TextDiff {
  readonly hunks: readonly Hunk[]
  readonly added: number
  readonly removed: number
  readonly isFine: boolean
}

const CONTEXT_LINES = 3

export function diffTexts(before: string, after: string): TextDiff {
  const old = wholeLines(before)
  const { edits, isFine } = diffLines(old, wholeLines(after))
  const hunks: Hunk[] = []
  let shift = 0
  for (let from = 0; isFine && from < edits.length;) {
    let to = from + 1
    while ((edits[to]?.start ?? Infinity) - (edits[to - 1]?.end ?? 0) <= 2 * CONTEXT_LINES) to++
    const hunk = hunkOf(old, edits.slice(from, to), shift)
    hunks.push(hunk)
    shift += hunk.afterLines - hunk.beforeLines
    from = to
  }
  return {
    hunks,
    added: edits.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: edits.reduce((sum, { start, end }) => sum + end - start, 0),
    isFine,
  }
}

function hunkOf(old: readonly string[], edits: readonly LineEdit[], shift: number): Hunk {
  const start = Math.max(0, (edits[0]?.start ?? 0) - CONTEXT_LINES)
  const end = Math.min(old.length, (edits.at(-1)?.end ?? 0) + CONTEXT_LINES)
  const lines: string[] = []
  const add = (sign: string, whole: readonly string[]): void => {
    for (const line of whole)
      if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1))
      else lines.push(sign + line, '\\ No newline at end of file')
  }
  let at = start
  let afterLines = end - start
  for (const edit of edits) {
    add(' ', old.slice(at, edit.start))
    add('-', old.slice(edit.start, edit.end))
    add('+', edit.lines)
    afterLines += edit.lines.length - (edit.end - edit.start)
    at = edit.end
  }
  add(' ', old.slice(at, end))
  const first = (count: number, index: number) => (count === 0 ? index : index + 1)
  const beforeLines = end - start
  return {
    before: first(beforeLines, start),
    beforeLines,
    after: first(afterLines, start + shift),
    afterLines,
    lines,
  }
}

export const wholeLines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))
