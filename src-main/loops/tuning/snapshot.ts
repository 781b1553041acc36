import type { Remembered } from '../../formats/format'
import { isPlacedByAgent } from '../../formats/tuning/actions/placeFix'
import { idsOf } from '../../formats/tuning/actions/tuningRun'
import { wantsAnalysis } from '../../formats/tuning/ask/analysisQuestion'
import { fixNode } from '../../formats/tuning/fix'
import { unclearValues } from '../../formats/tuning/limits'
import {
  actionNames,
  awaitsChoice,
  canIterate,
  isAnalysed,
  isAnalysedElsewhere,
  isDoneInRound,
  unfixedIssues,
  unverifiedFixes,
} from '../../formats/tuning/progress'
import { diagnosisAreas } from '../../formats/tuning/schema'
import type { TuningState } from '../../formats/tuning/state'
import { isUnplaced } from '../../formats/tuning/unplaced'
import { field, itemsOf, numberOf } from '../../formats/text/located'

export interface Snapshot {
  readonly status: string | null
  readonly errors: number
  readonly maxErrors: number
  readonly iterations: number
  readonly maxIterations: number
  readonly unclear: string | undefined
  readonly asksForClarity: boolean
  readonly isAnalysed: boolean
  readonly openAreas: readonly string[]
  readonly hasReport: boolean
  readonly hasProposals: boolean
  readonly issues: number
  readonly urgent: number
  readonly unfixed: readonly string[]
  readonly wantsAnalysis: boolean
  readonly isDeeplyAnalysed: boolean
  readonly awaitsChoice: boolean
  readonly pending: readonly string[]
  readonly unplaced: readonly string[]
  readonly placedByAgent: readonly string[]
  readonly unverified: readonly string[]
  readonly gate: string | null
  readonly canIterate: boolean
}

/** @param now ms since 1970 */
export function snapshotOf(state: TuningState, remembered: Remembered, now = Date.now()): Snapshot {
  const { root, details } = state
  const number = (name: string, without: number) => numberOf(field(root, name)) ?? without
  const { critical, high } = details.issuesBySeverity.decisive
  const [unclear] = unclearValues(state)
  const pending = idsOf(field(root, 'pending_fixes'))
  const unplaced = pending.filter((id) => itemsOf(field(fixNode(state, id), 'changes')).some(isUnplaced))
  return {
    status: details.status.value,
    errors: number('error_count', 0),
    maxErrors: number('max_errors', 3),
    iterations: number('iteration_count', 0),
    maxIterations: number('max_iterations', 5),
    unclear: unclear?.text,
    asksForClarity: details.requirements.status.value === 'needs_clarification',
    isAnalysed: isAnalysedElsewhere(state, now),
    openAreas: diagnosisAreas.filter((area) =>
      details.diagnoses.some((one) => one.area === area && one.state === 'open'),
    ),
    hasReport: isDoneInRound(state, actionNames.report),
    hasProposals: isDoneInRound(state, actionNames.propose),
    issues: details.issues.length,
    urgent: critical + high,
    unfixed: unfixedIssues(state),
    wantsAnalysis: wantsAnalysis(state),
    isDeeplyAnalysed: isAnalysed(state),
    awaitsChoice: awaitsChoice(state),
    pending,
    unplaced,
    placedByAgent: unplaced.filter((id) => isPlacedByAgent(remembered, id)),
    unverified: unverifiedFixes(state).flatMap(({ id }) => id.value ?? []),
    gate: details.score.gate.value,
    canIterate: canIterate(state),
  }
}
