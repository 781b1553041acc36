import type { CheckRecord } from '../../../formats/hostChecks'
import type { PhaseChange } from '../../../formats/maestro/session/phaseChange'
import type { TaskReport } from '../../../formats/maestro/session/taskReport'
import { failureOf, type HostChecks } from '../../hostChecks'

export function checkOf(
  checks: HostChecks,
  keys: readonly string[],
  changes: readonly Pick<PhaseChange, 'status'>[],
  report?: TaskReport,
  workFolder?: string,
): Promise<CheckRecord | null> {
  const done = keys.filter((_key, index) => changes[index]?.status === 'completed')
  const validation = report?.validation
  const claimed = validation === 'pass' ? true : validation === 'fail' ? false : null
  return checks.checkOwn(done, claimed, workFolder)
}

export function withCheck(
  agent: string,
  change: Omit<PhaseChange, 'phase'>,
  record: CheckRecord | null,
): Omit<PhaseChange, 'phase'> {
  const failure = change.status === 'completed' ? failureOf('The check', record) : null
  if (failure === null) return change
  const printed = record?.output.trim().replaceAll(/\s+/g, ' ').slice(-MAX_TOLD_CHARACTERS) ?? ''
  const message = printed === '' ? `${failure}.` : `${failure}. It printed: ${printed}`
  return { ...change, status: 'failed', errors: [...(change.errors ?? []), { agent, type: 'validation', message }] }
}

/** Characters from the end of a check's output. */
const MAX_TOLD_CHARACTERS = 1_000
