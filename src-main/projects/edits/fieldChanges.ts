import { createHash } from 'node:crypto'
import type { Json } from '@shared/json'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { isSecret, partsOf, type Parts } from '../journal/observe'
import { diffLines, mergeTexts, wholeLines } from '../lineDiff'

interface ValueChange {
  /** JSON pointer. */
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

interface TextChange {
  readonly values: readonly ValueChange[]
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function changeOf(file: string, before: string, after: string): TextChange {
  const [old, now] = [readable(file, before), readable(file, after)]
  const values: ValueChange[] = []
  for (const [field, to] of now.values) {
    const from = old.values.get(field) ?? null
    if (from !== to) values.push({ field, from, to })
  }
  for (const [field, from] of old.values) if (!now.values.has(field)) values.push({ field, from, to: null })
  const { edits } = diffLines(old.lines, now.lines)
  return {
    values,
    removed: edits.flatMap(({ start, end }) => old.lines.slice(start, end)),
    added: edits.flatMap(({ lines }) => lines),
  }
}

function readable(file: string, text: string): Parts {
  const parts = partsOf(file, text)
  return parts.values.size > 0 || parts.lines.length > 0 ? parts : { ...parts, lines: text.split(/\r?\n/) }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const instant = /\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b1[5-9]\d{11}\b/g
const timeless = (text: string): string => text.replace(instant, '<time>')
const isInstant = (text: string | null): boolean => text !== null && /^["']?<time>["']?$/.test(timeless(text))

/**
 * Equal for two plans that change the same values and lines in the same way, wherever these stand and whatever else the
 * files hold.
 */
export function signatureOf({ changes, git, remember }: ActionPlan): string {
  const files = changes.filter(({ before, after }) => before !== after).map(signatureOfFile)
  return hash(
    JSON.stringify([
      files,
      git ?? null,
      Object.entries(remember ?? {}).map(([name, value]) => [name, value === null ? null : timeless(value)]),
    ]),
  )
}

function signatureOfFile({ file, before, after, encoding }: FileChange): Json {
  if (before === null || after === null || encoding !== undefined || isSecret(file)) {
    return [file, before === null ? null : hash(before), after === null ? null : hash(timeless(after))]
  }
  const { values, removed, added } = changeOf(file, before, after)
  const changed = values.map(({ field, from, to }) =>
    JSON.stringify([
      field.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
      isInstant(to) ? null : from,
      to === null ? null : timeless(to),
    ]),
  )
  // A line in which only a time changed is no decision.
  const addedTimeless = new Set(added.map(timeless))
  const inTime = new Set(removed.map(timeless).filter((line) => addedTimeless.has(line)))
  const decided = (lines: readonly string[]) => lines.filter((line) => !inTime.has(timeless(line)))
  return [file, changed.sort(), decided(removed), decided(added).map(timeless)]
}

/**
 * Undefined where it would be another change by now. A program that read the file during the write may have saved it
 * with the change: then it is already made.
 */
export function mergedChange(change: FileChange, now: string): FileChange | undefined {
  const { file, before, after, encoding } = change
  if (before === null || after === null || encoding !== undefined || isSecret(file)) return undefined
  const wanted = JSON.stringify(signatureOfFile(change))
  for (const split of file.endsWith('.json') ? [wholeLines, jsonPieces] : [wholeLines]) {
    const merged = mergeTexts(before, after, now, split)
    if (merged === undefined) continue
    const found = { file, before: now, after: merged }
    if (JSON.stringify(signatureOfFile(found)) === wanted) return found
  }
  const made = { file, before: takenBack(change, now)?.after ?? null, after: now }
  return made.before !== null && JSON.stringify(signatureOfFile(made)) === wanted ? made : undefined
}

const jsonPieces = (text: string): string[] => text.split(/(?<=[\n,{}[\]])/)

export const basesOf = ({ changes }: ActionPlan): string =>
  hash(JSON.stringify(changes.map(({ file, before }) => [file, before === null ? null : hash(before)])))

/**
 * True also where only part of the change was reverted. A third value is not a drop. Not reported for files that are
 * not text.
 */
export function isDropped({ file, before, after, encoding }: FileChange, now: string | null): boolean {
  if (now === after || encoding !== undefined) return false
  if (before === null) return now === null
  if (after === null) return now !== null
  if (now === null) return false
  const { values, removed, added } = changeOf(file, before, after)
  const present = readable(file, now)
  const decided = values.filter(({ from, to }) => !(isInstant(from) && isInstant(to)))
  if (decided.some(({ field, from }) => (present.values.get(field) ?? null) === from)) return true
  const distinct = (lines: readonly string[], other: string): string[] => {
    const known = new Set(readable(file, other).lines)
    return lines.filter((line) => line.trim() !== '' && !known.has(line))
  }
  const lines = new Set(present.lines)
  const [ours, theirs] = [distinct(added, before), distinct(removed, after)]
  return (
    ours.length + theirs.length > 0 && ours.every((line) => !lines.has(line)) && theirs.every((line) => lines.has(line))
  )
}

/**
 * Undoes a change but keeps everything since; undefined where that is not certain.
 * @param now null when the file is not there
 */
export function takenBack(
  { file, before, after, encoding }: FileChange,
  now: string | null,
): { readonly after: string | null } | undefined {
  if (now === after) return { after: before }
  if (encoding !== undefined || now === null || before === null || after === null) return undefined
  const result = mergeTexts(after, before, now)
  return result !== undefined && isSame(changeOf(file, now, result), changeOf(file, after, before))
    ? { after: result }
    : undefined
}

export const movedTo = (file: string, changes: readonly FileChange[]): string | undefined =>
  changes.find(({ from }) => from === file)?.file

function isSame(a: TextChange, b: TextChange): boolean {
  const textOf = ({ values, removed, added }: TextChange) =>
    JSON.stringify([values.map(({ field, from, to }) => JSON.stringify([field, from, to])).sort(), removed, added])
  return textOf(a) === textOf(b)
}
