import type { CompositeScore, Score, SeverityCounts } from '../scores'
import { severities } from '../scores'
import type { ScannedIssue } from './issues'
import type { Area, Diagnosis } from './scan'

export interface Reported extends Score {
  readonly skill: string
  readonly problem: string
  readonly issuesBySeverity: SeverityCounts
  readonly composite: CompositeScore
  readonly diagnosis: Readonly<Partial<Record<Area, ReportedDiagnosis>>>
  readonly issues: readonly ReportedIssue[]
}

type ReportedDiagnosis = Pick<Diagnosis, 'severity' | 'issues_found'> & {
  readonly details: Pick<Diagnosis['details'], 'patterns_matched'>
}
export type ReportedIssue = Pick<
  ScannedIssue,
  'id' | 'severity' | 'confidence' | 'location' | 'description' | 'evidence' | 'root_cause' | 'impact' | 'suggested_fix'
>

const MAX_FIX_ORDER = 10

export function tuningReport(reported: Reported): string {
  const { skill, problem, issues, issuesBySeverity } = reported
  const sure = issues.filter(({ confidence }) => confidence !== 'low')
  const unsure = issues.filter(({ confidence }) => confidence === 'low')
  const urgent = sure.filter(({ severity }) => severity === 'critical' || severity === 'high')
  return [
    `# Tuning report: ${inline(skill)}`,
    ...(problem === '' ? [] : [`Reported problem: ${inline(problem)}`]),
    '## Score',
    scoreTable(reported),
    '## Issues',
    table(
      ['Severity', 'Issues'],
      severities.map((severity) => [severity, String(issuesBySeverity[severity])]),
    ),
    '## Diagnoses',
    diagnosisTable(reported.diagnosis),
    ...(urgent.length === 0 ? [] : ['## Critical and high issues', ...urgent.map(issueSection)]),
    '## Fix order',
    sure.length === 0
      ? 'Nothing to fix.'
      : sure
          .slice(0, MAX_FIX_ORDER)
          .map(
            ({ id, severity, location, suggested_fix }, at) =>
              `${at + 1}. ${id} (${severity}), ${code(location.file)}: ${suggested_fix}`,
          )
          .join('\n'),
    ...(unsure.length === 0
      ? []
      : [
          '## Low confidence',
          'These may be no faults. The score and the gate leave them out.',
          unsure
            .map(
              ({ id, severity, description, evidence: [first = ''] }) =>
                `- ${id} (${severity}): ${description}. ${code(first)}`,
            )
            .join('\n'),
        ]),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

const scoreTable = ({ score, gate, composite }: Reported): string =>
  table(
    ['Score', 'Value', 'Gate'],
    [
      ['Health (written to quality_score)', String(score), gate],
      ['Composite', String(composite.score), composite.gate],
    ],
  )

const diagnosisTable = (diagnosis: Reported['diagnosis']): string =>
  table(
    ['Area', 'Severity', 'Issues', 'Patterns found'],
    Object.entries(diagnosis).map(([area, { severity, issues_found, details }]) => [
      area,
      severity,
      String(issues_found),
      details.patterns_matched.join(', ') || 'none',
    ]),
  )

const issueSection = ({
  id,
  severity,
  description,
  evidence,
  root_cause,
  impact,
  suggested_fix,
}: ReportedIssue): string =>
  [
    `### ${id} (${severity}): ${description}`,
    `${root_cause} ${impact}`,
    evidence.map((line) => `- ${code(line)}`).join('\n'),
    `Suggested fix: ${suggested_fix}`,
  ].join('\n\n')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Puts texts of files and people on one line, so that they form nothing but text. */
const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|]/g, '\\$&')
    .slice(0, 500)

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
