import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import type { Remembered } from '../format'
import { unclearStatus } from '../run'
import { field, timeOf } from '../text/located'
import { unclearAmount } from '../unclearAmounts'
import { USER_EXIT } from './schema'
import { acceptedResult, ACCEPTED_RESULT, reachedLimit, unclearValues } from './limits'
import { awaitsChoice, isAnalysedElsewhere, isRoundOver, needsIteration, openFixes } from './progress'
import type { TuningState } from './state'

/** An action finds the need that it answers by these texts. */
export const needTitles = {
  start: 'Name the skill and its problem',
  resumeFailed: 'Run aborted',
  resumeLeft: 'Resume the run',
  clarify: 'Clarify the requirements',
  afterAnalysis: 'Restart the run after the Gemini analysis',
  chooseFixes: 'Choose the fixes to apply',
  iterate: 'Start another iteration',
  atLimit: 'Iterations used up, quality gate not passed',
} as const

/** The questions themselves are on no disk: they are derived from where the run stands. */
export function readNeeds(state: TuningState, remembered: Remembered): RunNeed[] {
  const { status, currentAction } = state.details
  switch (status.value) {
    case 'pending': {
      const detail =
        'The run starts once it knows the skill’s folder, the problem and, optionally, the areas to diagnose.'
      return [need(state, 'question', needTitles.start, status.source, { detail })]
    }
    case 'failed':
      return [
        need(state, 'failure', needTitles.resumeFailed, status.source, {
          detail: 'Fix the cause and resume the run, or restore the backup.',
          options: ['Resume', 'Restore the backup'],
        }),
      ]
    case USER_EXIT:
      return [
        need(state, 'question', needTitles.resumeLeft, status.source, {
          detail: 'It was left before it completed.',
          options: ['Resume'],
        }),
      ]
    case 'running': {
      const doubts = unclearValues(state).map((doubt) => unclearAmount(doubt))
      return doubts.length === 0 && currentAction.value === null ? betweenActions(state) : doubts
    }
    case 'completed': {
      const limit = reachedLimit(state)
      return limit === undefined || remembered.get(ACCEPTED_RESULT) === acceptedResult(state)
        ? []
        : [
            need(state, 'limit', needTitles.atLimit, limit.source, {
              detail: `${limit.text} Resume the run with more iterations, or accept its result.`,
              options: ['Resume', 'Accept'],
            }),
          ]
    }
    default:
      return [unclearStatus(status.value ?? status.written, status.source ?? { file: state.file })]
  }
}

function need(
  { document, root, file }: TuningState,
  kind: RunNeed['kind'],
  title: string,
  source: ValueSource | null,
  { detail, options = [] }: { readonly detail: string; readonly options?: readonly string[] },
): RunNeed {
  const since = document.fact(field(root, 'updated_at'), timeOf)
  return { kind, title, detail, options, source: source ?? { file }, since, unblocks: [] }
}

function betweenActions(state: TuningState): RunNeed[] {
  const { completedActions, requirements, analysis, issuesBySeverity, score } = state.details
  if (requirements.status.value === 'needs_clarification') {
    const detail = requirements.unclear.flatMap(({ value }) => value ?? []).join('\n')
    return [need(state, 'question', needTitles.clarify, requirements.status.source, { detail })]
  }
  if (isAnalysedElsewhere(state)) {
    return [
      need(state, 'question', needTitles.afterAnalysis, analysis.status.source, {
        detail: 'The analysis runs on its own; the run does not wait for it.',
        options: ['Resume'],
      }),
    ]
  }
  const source = completedActions.at(-1)?.source ?? null
  if (awaitsChoice(state)) {
    const options = openFixes(state).map(({ id, description }) =>
      [id.value, description.value].filter(Boolean).join(': '),
    )
    return [need(state, 'approval', needTitles.chooseFixes, source, { detail: options.join('\n'), options })]
  }
  const { critical, high } = issuesBySeverity.decisive
  if (isRoundOver(state) && needsIteration(state)) {
    return [
      need(state, 'question', needTitles.iterate, source, {
        detail: `Open: ${critical} critical and ${high} high issues; the score is ${score.recorded.value ?? 'unknown'}.`,
        options: ['Yes', 'No'],
      }),
    ]
  }
  return []
}
