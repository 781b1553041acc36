import { severities, type Severity } from '@shared/contract/orchestration'

/** In UTF-16 units; a byte order mark counts. Edits of one repair do not overlap. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** Offered only where the intended value is certain. */
export interface Repair {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

export interface Finding {
  readonly file: string
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
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

export const sortFindings = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )

const MAX_FINDINGS = 2_000

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

export function quote(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > 60 ? `${inner.slice(0, 60)}…` : inner,
  ) as string | undefined
  // JSON.stringify does not escape DEL, C1 controls and bidirectional marks.
  const plain = (text ?? 'nothing').replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}
