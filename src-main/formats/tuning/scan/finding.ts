import type { Severity } from '../scores'
import type { SkillText } from './skillText'

/** Whether what was found is certainly a fault. Low: it may be none, and counts for no score or gate. */
export type Confidence = 'high' | 'low'

export const markOf = (confidence: Confidence): { readonly confidence?: 'low' } =>
  confidence === 'low' ? { confidence } : {}

export interface Place {
  readonly file: string
  readonly line?: number
  readonly context: string
}

export interface Found<Pattern extends string = string> {
  readonly pattern: Pattern
  readonly severity: Severity
  readonly confidence: Confidence
  readonly places: readonly Place[]
}

const MAX_PLACES = 3

export interface Offsets {
  readonly sure: readonly number[]
  readonly unsure: readonly number[]
}

export function foundAt<Pattern extends string>(
  pattern: Pattern,
  severity: Severity,
  file: SkillText,
  { sure, unsure }: Offsets,
): Found<Pattern>[] {
  const confidence = sure.length > 0 ? 'high' : 'low'
  const places: Place[] = []
  const lines = new Set<number>()
  for (const offset of [...new Set(confidence === 'high' ? sure : unsure)].sort((a, b) => a - b)) {
    const line = file.line(offset)
    if (lines.has(line)) continue
    lines.add(line)
    places.push({ file: file.path, line, context: file.excerpt(offset) })
    if (places.length === MAX_PLACES) break
  }
  return places.length === 0 ? [] : [{ pattern, severity, confidence, places }]
}

export const allSure = (offsets: readonly number[]): Offsets => ({ sure: offsets, unsure: [] })

export function offsetsOf<Item>(
  items: readonly Item[],
  offsetOf: (item: Item) => number,
  isSure: (item: Item) => boolean,
): Offsets {
  const [sure, unsure]: [number[], number[]] = [[], []]
  for (const item of items) (isSure(item) ? sure : unsure).push(offsetOf(item))
  return { sure, unsure }
}

export const missingIn = <Pattern extends string>(
  pattern: Pattern,
  severity: Severity,
  file: SkillText,
  context: string,
  confidence: Confidence = 'high',
): Found<Pattern> => ({ pattern, severity, confidence, places: [{ file: file.path, context }] })
