import type { PhaseError } from '../../../formats/maestro/session/phaseChange'
import type { GitView } from './gitView'
import type { TaskReport } from '../../../formats/maestro/session/taskReport'

export const strictnesses = ['strict', 'normal', 'lenient'] as const
export type Strictness = (typeof strictnesses)[number]

export interface Judgement {
  readonly status: 'completed' | 'failed'
  readonly error?: Pick<PhaseError, 'type' | 'message'>
  readonly warning?: string
}

export function judgeReport(
  report: TaskReport | undefined,
  { unfounded, absent }: Pick<GitView, 'unfounded' | 'absent'>,
  strictness: Strictness,
): Judgement {
  if (report?.status === 'failure') return failed('runtime', reasonOf(report, 'The agent reports a failure.'))
  if (report && report.blockers.length > 0) return failed('dependency', report.blockers.join('; '))
  const doubts = doubtsOf(report, unfounded, absent)
  const [first] = doubts
  if (!first) return { status: 'completed' }
  const message = doubts.map(({ text }) => text).join(' ')
  return doubts.some(({ stops }) => stops.includes(strictness))
    ? failed('validation', message)
    : { status: 'completed', warning: message }
}

interface Doubt {
  readonly text: string
  readonly stops: readonly Strictness[]
}

function doubtsOf(report: TaskReport | undefined, unfounded: readonly string[], absent: readonly string[]): Doubt[] {
  if (!report) return [{ text: 'The agent gave no readable Task Report.', stops: ['strict', 'normal'] }]
  return [
    ...(report.status === 'partial'
      ? [{ text: reasonOf(report, 'The agent reports a partial result.'), stops: ['strict', 'normal'] as const }]
      : []),
    ...(report.validation === 'fail'
      ? [{ text: reasonOf(report, 'The agent reports a failed validation.'), stops: ['strict', 'normal'] as const }]
      : []),
    ...(report.validation === 'skipped' || report.validation === null
      ? [{ text: 'The agent did not validate its work.', stops: ['strict'] as const }]
      : []),
    ...(absent.length > 0
      ? [{ text: `Claimed, but not there: ${absent.slice(0, 20).join(', ')}.`, stops: ['strict', 'normal'] as const }]
      : []),
    ...(unfounded.length > 0
      ? [{ text: `Claimed, but not changed: ${unfounded.slice(0, 20).join(', ')}.`, stops: ['strict'] as const }]
      : []),
  ]
}

const reasonOf = ({ errors }: TaskReport, sentence: string): string =>
  errors.length === 0 ? sentence : `${sentence} ${errors.join('; ')}`

const failed = (type: PhaseError['type'], message: string): Judgement => ({
  status: 'failed',
  error: { type, message },
})
