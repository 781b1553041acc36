import type { Severity } from '../scores'
import type { SkillText } from './skillText'

/** One place where a pattern was found. */
export interface Place {
  readonly file: string
  /** From 1; undefined of what is missing from a file as a whole. */
  readonly line?: number
  /** What stands there, or is missing. */
  readonly context: string
}

/** A pattern that was found in a file, or once for the skill. */
export interface Found<Pattern extends string = string> {
  readonly pattern: Pattern
  readonly severity: Severity
  readonly places: readonly Place[]
}

/** Nobody reads more of one issue. */
const MAX_PLACES = 3

/** A pattern in a file at offsets of its text; undefined where there are none. */
export function foundAt<Pattern extends string>(
  pattern: Pattern,
  severity: Severity,
  file: SkillText,
  offsets: Iterable<number>,
): Found<Pattern>[] {
  const places: Place[] = []
  const lines = new Set<number>()
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    const line = file.line(offset)
    if (lines.has(line)) continue
    lines.add(line)
    places.push({ file: file.path, line, context: file.excerpt(offset) })
    if (places.length === MAX_PLACES) break
  }
  return places.length === 0 ? [] : [{ pattern, severity, places }]
}

/** Something that a whole file lacks. */
export const missingIn = <Pattern extends string>(
  pattern: Pattern,
  severity: Severity,
  file: SkillText,
  context: string,
): Found<Pattern> => ({ pattern, severity, places: [{ file: file.path, context }] })
