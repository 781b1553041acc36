/** Phases that were reported done, held against the person's own check. */
import type { CheckRecord } from '../../../formats/hostChecks'
import type { PhaseChange } from '../../../formats/maestro/session/phaseChange'
import type { TaskReport } from '../../../formats/maestro/session/taskReport'
import { failureOf, type HostChecks } from '../../hostChecks'

/** What the person's own check found, where it had anything to check. */
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

/** What is done fails where the check does, and the next attempt is told why. */
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

/** Of what a check printed, from its end. */
const MAX_TOLD_CHARACTERS = 1_000
