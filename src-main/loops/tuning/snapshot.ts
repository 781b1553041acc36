import { idsOf } from '../../formats/tuning/actions/tuningRun'
import { unclearLimits } from '../../formats/tuning/limits'
import { actionNames, awaitsChoice, canIterate, isDoneInRound, unverifiedFixes } from '../../formats/tuning/progress'
import { diagnosisAreas } from '../../formats/tuning/schema'
import type { TuningState } from '../../formats/tuning/state'
import { field, numberOf } from '../../formats/text/located'

/** What the loop decides by: the run as it is in its state. */
export interface Snapshot {
  readonly status: string | null
  readonly errors: number
  readonly maxErrors: number
  readonly iterations: number
  readonly maxIterations: number
  /** Why a limit cannot be read, in a sentence. */
  readonly unclear: string | undefined
  readonly asksForClarity: boolean
  /** By another program. */
  readonly isAnalysed: boolean
  /** In focus, and without a result. */
  readonly openAreas: readonly string[]
  /** In this iteration. */
  readonly hasReport: boolean
  /** In this iteration. */
  readonly hasProposals: boolean
  readonly issues: number
  /** Critical and high ones. */
  readonly urgent: number
  readonly awaitsChoice: boolean
  /** Ids, in their order. */
  readonly pending: readonly string[]
  /** Ids of applied fixes. */
  readonly unverified: readonly string[]
  readonly gate: string | null
  readonly canIterate: boolean
}

export function snapshotOf(state: TuningState): Snapshot {
  const { root, details } = state
  const number = (name: string, without: number) => numberOf(field(root, name)) ?? without
  const { critical, high } = details.issuesBySeverity.counted
  const [unclear] = unclearLimits(state)
  return {
    status: details.status.value,
    errors: number('error_count', 0),
    maxErrors: number('max_errors', 3),
    iterations: number('iteration_count', 0),
    maxIterations: number('max_iterations', 5),
    unclear: unclear?.text,
    asksForClarity: details.requirements.status.value === 'needs_clarification',
    isAnalysed: details.analysis.status.value === 'running',
    openAreas: diagnosisAreas.filter((area) =>
      details.diagnoses.some((one) => one.area === area && one.state === 'open'),
    ),
    hasReport: isDoneInRound(state, actionNames.report),
    hasProposals: isDoneInRound(state, actionNames.propose),
    issues: details.issues.length,
    urgent: critical + high,
    awaitsChoice: awaitsChoice(state),
    pending: idsOf(field(root, 'pending_fixes')),
    unverified: unverifiedFixes(state).flatMap(({ id }) => id.value ?? []),
    gate: details.score.gate.value,
    canIterate: canIterate(state),
  }
}
