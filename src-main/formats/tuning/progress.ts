import { field, numberOf, timeOf } from '../text/located'
import type { Fix } from './details'
import { ROLLED_BACK } from './schema'
import { isDecisive, type TuningState } from './state'

export const actionNames = {
  init: 'action-init',
  analyse: 'action-gemini-analysis',
  report: 'action-generate-report',
  propose: 'action-propose-fixes',
  select: 'action-select-fixes',
  apply: 'action-apply-fix',
  verify: 'action-verify',
  complete: 'action-complete',
  abort: 'action-abort',
} as const

const DIAGNOSE = /^action-(?:diagnose-|gemini-analysis$)/

const completed = ({ details }: TuningState): (string | null)[] => details.completedActions.map(({ value }) => value)

export function isDoneInRound(state: TuningState, action: string): boolean {
  const names = completed(state)
  return names.lastIndexOf(action) > names.findLastIndex((name) => DIAGNOSE.test(name ?? ''))
}

export const roundsBefore = ({ root }: TuningState): number => numberOf(field(root, 'iteration_count')) ?? 0

const isOpen = ({ applied }: Fix): boolean => applied.length === 0

export const openFixes = ({ details: { fixes } }: TuningState): Fix[] => fixes.filter(isOpen)

export const unverifiedFixes = ({ details: { fixes } }: TuningState): Fix[] =>
  fixes.filter(({ applied }) => applied.at(-1)?.verification.value === 'pending')

export function unfixedIssues({ details: { issues, fixes } }: TuningState): string[] {
  const inEffect = fixes.filter(({ applied }) => {
    const result = applied.at(-1)?.verification.value
    return result !== 'fail' && result !== ROLLED_BACK
  })
  const fixed = new Set(inEffect.flatMap((fix) => fix.issues.map(({ value }) => value)))
  return issues.flatMap((issue) => {
    const id = issue.id.value
    return id === null || fixed.has(id) || !isDecisive(issue) ? [] : [id]
  })
}

/** ms; an analysis that claims to run for longer was cut off. */
const ANALYSIS_LIMIT_MS = 5 * 60_000

/** @param now ms since 1970 */
export function isAnalysedElsewhere({ root, details: { analysis } }: TuningState, now?: number): boolean {
  const { status, startedAt } = analysis
  if (status.value !== 'running') return false
  const since = startedAt.value ?? timeOf(field(root, 'started_at'))
  const until = now ?? timeOf(field(root, 'updated_at'))
  return since === undefined || until === undefined || until - since < ANALYSIS_LIMIT_MS
}

export const isAnalysed = (state: TuningState): boolean => completed(state).includes(actionNames.analyse)

export const awaitsChoice = (state: TuningState): boolean =>
  completed(state).at(-1) === actionNames.propose &&
  openFixes(state).length > 0 &&
  !state.details.fixes.some(({ pending }) => pending)

export const canIterate = ({ root, details }: TuningState): boolean =>
  (numberOf(field(root, 'iteration_count')) ?? 0) < (numberOf(field(root, 'max_iterations')) ?? Infinity) &&
  details.diagnoses.some(({ state }) => state === 'done')

export function needsIteration(state: TuningState): boolean {
  const { issuesBySeverity, score } = state.details
  const { critical, high } = issuesBySeverity.decisive
  return score.gate.value !== 'pass' && critical + high > 0 && canIterate(state)
}

export function isRoundOver(state: TuningState): boolean {
  const last = completed(state).at(-1)
  const isLastOfRound =
    last === actionNames.verify ||
    last === actionNames.select ||
    (last === actionNames.propose && openFixes(state).length === 0)
  return isLastOfRound && unverifiedFixes(state).length === 0 && !state.details.fixes.some(({ pending }) => pending)
}
