/** What is wrong or doubtful in a file: where, by which rule, what is there and what was expected. */
import { severities, type Severity } from '@shared/contract/orchestration'

/** Replaces `length` UTF-16 units at `offset` of the file's text (a byte order mark counts). Edits of one repair do not overlap. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** Offered only where it is certain what was meant. */
export interface Repair {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

export interface Finding {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** From 1; 1:1 for the file as a whole. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** `metashell/dependency-exists`; `file/…` for what holds for any file. */
  readonly rule: string
  readonly severity: Severity
  readonly found: string
  readonly expected: string
  readonly repair?: Repair
}

export const fileFinding = (
  file: string,
  rule: string,
  severity: Severity,
  found: string,
  expected: string,
): Finding => ({
  file,
  line: 1,
  column: 1,
  rule,
  severity,
  found,
  expected,
})

export const printFinding = ({ file, line, column, severity, rule, found, expected }: Finding): string =>
  `${file || '.'}:${line}:${column}: ${severity} ${rule}: found ${found}; expected ${expected}`

/** By file and place, the worse first at one place. */
export const sortFindings = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )

/** Per run; nobody reads more. */
const MAX_FINDINGS = 2_000

/** In the order of their places; of too many the worst. */
export function boundFindings(findings: readonly Finding[], marker: string): Finding[] {
  const left = findings.length - MAX_FINDINGS
  if (left <= 0) return sortFindings(findings)
  const worst = severities
    .flatMap((severity) => findings.filter((finding) => finding.severity === severity))
    .slice(0, MAX_FINDINGS)
  return [
    ...sortFindings(worst),
    fileFinding(marker, 'project/findings', 'warning', `${left} more findings`, `at most ${MAX_FINDINGS} in a run`),
  ]
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = text
  for (const { offset, length, text: replacement } of [...edits].sort((a, b) => b.offset - a.offset)) {
    result = result.slice(0, offset) + replacement + result.slice(offset + length)
  }
  return result
}

/** Something out of a file, short and in one line, for a sentence of ours. Control characters are spelt out. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > 60 ? `${inner.slice(0, 60)}…` : inner,
  ) as string | undefined
  // JSON leaves DEL, the C1 controls and the marks that turn the direction of writing as they are.
  const plain = (text ?? 'nothing').replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}
