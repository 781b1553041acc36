/** A change of files as the values and lines that it is about: whether two are the same, whether one was dropped, and its way back. */
import { createHash } from 'node:crypto'
import { applyPatch, diffArrays, reversePatch, structuredPatch } from 'diff'
import type { Json } from '@shared/json'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { isSecret, partsOf, type Parts } from '../journal/observe'

/** A value that became another; null where there is none. */
interface ValueChange {
  /** JSON pointer. */
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

interface TextChange {
  readonly values: readonly ValueChange[]
  /** Lines of what is no JSON or YAML. */
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
  const lines = diffArrays([...old.lines], [...now.lines])
  return {
    values,
    removed: lines.flatMap(({ removed, value }) => (removed ? value : [])),
    added: lines.flatMap(({ added, value }) => (added ? value : [])),
  }
}

/** What has no values, such as broken JSON, has lines. */
function readable(file: string, text: string): Parts {
  const parts = partsOf(file, text)
  return parts.values.size > 0 || parts.lines.length > 0 ? parts : { ...parts, lines: text.split(/\r?\n/) }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const instant = /\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b1[5-9]\d{11}\b/g
/** Two plans of the same thing are of different moments. */
const timeless = (text: string): string => text.replace(instant, '<time>')
const isInstant = (text: string | null): boolean => text !== null && /^["']?<time>["']?$/.test(timeless(text))

/**
 * The same for two plans that change the same values and lines from the same to the same, wherever in their lists and files
 * these stand, and whatever else the files hold.
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

function signatureOfFile({ file, before, after }: FileChange): Json {
  if (before === null || after === null || isSecret(file)) {
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
  const inTime = new Set(removed.map(timeless).filter((line) => added.some((other) => timeless(other) === line)))
  const decided = (lines: readonly string[]) => lines.filter((line) => !inTime.has(timeless(line)))
  return [file, changed.sort(), decided(removed), decided(added).map(timeless)]
}

/** What stood in the files before. */
export const basesOf = ({ changes }: ActionPlan): string =>
  hash(JSON.stringify(changes.map(({ file, before }) => [file, before === null ? null : hash(before)])))

/** Whether something of the change is again as it was before it. What became a third thing, or went on, was not dropped. */
export function isDropped({ file, before, after }: FileChange, now: string | null): boolean {
  if (now === after) return false
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

/** Lines around a change that have to be the same for it to be taken back; the more the surer. */
const CONTEXT_LINES = [3, 1, 0]

/**
 * The text without a change that was made before, with all that came since; undefined where that is not certain.
 * @param now null when the file is not there
 */
export function takenBack(
  { file, before, after }: FileChange,
  now: string | null,
): { readonly after: string | null } | undefined {
  if (now === after) return { after: before }
  if (now === null || before === null || after === null) return undefined
  const wanted = changeOf(file, after, before)
  for (const context of CONTEXT_LINES) {
    // Without lines around it, only values show that the right place was found.
    if (context === 0 && wanted.added.length + wanted.removed.length > 0) continue
    const patch = reversePatch(structuredPatch(file, file, before, after, undefined, undefined, { context }))
    const result = applyPatch(now, patch, { autoConvertLineEndings: false })
    if (result === false) continue
    const done = changeOf(file, now, result)
    if (isSame(done, wanted)) return { after: result }
  }
  return undefined
}

function isSame(a: TextChange, b: TextChange): boolean {
  const textOf = ({ values, removed, added }: TextChange) =>
    JSON.stringify([values.map(({ field, from, to }) => JSON.stringify([field, from, to])).sort(), removed, added])
  return textOf(a) === textOf(b)
}
