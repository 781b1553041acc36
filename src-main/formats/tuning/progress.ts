/** How far a run is in its round, which its completed actions tell: from its diagnoses to the verification of its fixes. */
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

/** What changes the list of issues: it is reported, and fixes are proposed, after that. */
const DIAGNOSE = /^action-(?:diagnose-|gemini-analysis$)/

const completed = ({ details }: TuningState): (string | null)[] => details.completedActions.map(({ value }) => value)

/** Whether an action was completed since the last diagnosis. */
export function isDoneInRound(state: TuningState, action: string): boolean {
  const names = completed(state)
  return names.lastIndexOf(action) > names.findLastIndex((name) => DIAGNOSE.test(name ?? ''))
}

/** How many rounds are over. */
export const roundsBefore = ({ root }: TuningState): number => numberOf(field(root, 'iteration_count')) ?? 0

const isOpen = ({ applied }: Fix): boolean => applied.length === 0

/** Proposed, and never applied. */
export const openFixes = ({ details: { fixes } }: TuningState): Fix[] => fixes.filter(isOpen)

/** Applied, and not yet verified. */
export const unverifiedFixes = ({ details: { fixes } }: TuningState): Fix[] =>
  fixes.filter(({ applied }) => applied.at(-1)?.verification.value === 'pending')

/** Ids of issues that no open fix is for, and none in effect, in the order of the list. What may be no fault needs none. */
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

/** An analysis gets as long; one that says longer that it is running was cut off. */
const ANALYSIS_LIMIT_MS = 5 * 60_000

/**
 * Whether another program is analysing the skill.
 * @param now ms since 1970; whoever goes on after the limit writes the state, whose time then tells the same
 */
export function isAnalysedElsewhere({ root, details: { analysis } }: TuningState, now?: number): boolean {
  const { status, startedAt } = analysis
  if (status.value !== 'running') return false
  const since = startedAt.value ?? timeOf(field(root, 'started_at'))
  const until = now ?? timeOf(field(root, 'updated_at'))
  return since === undefined || until === undefined || until - since < ANALYSIS_LIMIT_MS
}

/** Whether an agent has looked at the skill in this run. */
export const isAnalysed = (state: TuningState): boolean => completed(state).includes(actionNames.analyse)

/** Whether the person has yet to choose among the fixes that were just proposed. */
export const awaitsChoice = (state: TuningState): boolean =>
  completed(state).at(-1) === actionNames.propose &&
  openFixes(state).length > 0 &&
  !state.details.fixes.some(({ pending }) => pending)

/** Whether the iterations allow for another one, and there are diagnoses that it can repeat. */
export const canIterate = ({ root, details }: TuningState): boolean =>
  (numberOf(field(root, 'iteration_count')) ?? 0) < (numberOf(field(root, 'max_iterations')) ?? Infinity) &&
  details.diagnoses.some(({ state }) => state === 'done')

/** Whether another iteration would be about anything: the gate is not passed, and critical or high issues are left. */
export function needsIteration(state: TuningState): boolean {
  const { issuesBySeverity, score } = state.details
  const { critical, high } = issuesBySeverity.decisive
  return score.gate.value !== 'pass' && critical + high > 0 && canIterate(state)
}

/** Whether nothing is left to be done with the fixes of this round. */
export function isRoundOver(state: TuningState): boolean {
  const last = completed(state).at(-1)
  const isLastOfRound =
    last === actionNames.verify ||
    last === actionNames.select ||
    (last === actionNames.propose && openFixes(state).length === 0)
  return isLastOfRound && unverifiedFixes(state).length === 0 && !state.details.fixes.some(({ pending }) => pending)
}
