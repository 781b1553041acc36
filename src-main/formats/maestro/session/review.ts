/** As in the session's log: `## Code Review (blocked: 1 critical, 2 major)`. */
import type { ValueSource } from '@shared/contract/orchestration'
import { nameOf } from '../../listing'
import type { Draft } from '../../edit/draft'
import type { MaestroDetails } from '../details'
import type { MaestroState } from '../state'
import { appendSection } from './sessionLog'

export const severities = ['critical', 'major', 'minor', 'suggestion'] as const
type Severity = (typeof severities)[number]

export interface ReviewFinding {
  readonly severity: Severity
  readonly file: string
  readonly message: string
}

interface CodeReview {
  readonly verdict: 'passed' | 'blocked' | 'accepted'
  readonly counts: string
  readonly text: string
  readonly source: ValueSource
}

const TITLE = 'Code Review'
const heading = /^Code Review \((passed|blocked|accepted)(?:: ([^)]*))?\)$/

export function currentReview({ session, details }: MaestroState): CodeReview | undefined {
  if (!session) return undefined
  const last = session.headings.findLast(({ text, level }) => level === 2 && heading.test(text))
  const [, verdict, counts = ''] = heading.exec(last?.text ?? '') ?? []
  if (!last || (verdict !== 'passed' && verdict !== 'blocked' && verdict !== 'accepted')) return undefined
  const { text } = session.document.text
  const next = session.headings.find(({ start, level }) => start > last.start && level <= 2)
  const body = text.slice(last.end, next?.start ?? text.length).trim()
  const time = Date.parse(/^Reviewed at (\S+)$/m.exec(body)?.[1] ?? '')
  if (!(time >= Math.max(0, ...details.phases.map(({ completed }) => completed.value ?? 0)))) return undefined
  return { verdict, counts, text: body.slice(0, 2_000), source: { file: session.file, line: last.line } }
}

const documentEndings = /\.(?:md|markdown|txt|rst|adoc|pdf|license)$/i

export const changedCode = ({ phases }: MaestroDetails): string[] => [
  ...new Set(
    phases
      .flatMap(({ files }) => [...files.created, ...files.modified, ...files.deleted])
      .flatMap(({ value }) => value ?? [])
      .filter((path) => !documentEndings.test(path) && !/^(?:license|notice|changelog|readme)$/i.test(nameOf(path))),
  ),
]

/** @returns false for a critical or major finding */
export function logReview(draft: Draft, file: string, findings: readonly ReviewFinding[], time: string): boolean {
  const blocking = findings.filter(({ severity }) => severity === 'critical' || severity === 'major')
  const counts = (['critical', 'major'] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}`]
  })
  const word = blocking.length === 0 ? 'passed' : `blocked: ${counts.join(', ')}`
  const lines = findings.map(
    ({ severity, file: path, message }) =>
      `- ${severity}${path === '' ? '' : ` \`${path}\``}: ${message.replaceAll(/\s+/g, ' ')}`,
  )
  appendSection(draft, file, () => false, TITLE, word, [
    [`Reviewed at ${time}`, ...(lines.length === 0 ? [] : ['']), ...lines].join('\n'),
  ])
  return blocking.length === 0
}

export const logAcceptance = (draft: Draft, file: string, counts: string, reason: string): void =>
  appendSection(draft, file, ({ text }) => heading.test(text), TITLE, `accepted: ${counts}`, [
    `Accepted: ${reason.replaceAll(/\s+/g, ' ')}`,
  ])
