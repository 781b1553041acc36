import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { field, textOf } from '../../text/located'
import { isLeft, rememberLeft } from '../left'
import { reachedLimit } from '../limits'
import { diagnosisAreas, USER_EXIT } from '../schema'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

export function resume(run: TuningRun): Offer[] {
  const { status, need, state } = run
  const limit = reachedLimit(state)
  if (status !== 'failed' && status !== USER_EXIT && !limit) return []
  const node = field(state.root, 'status')
  return [
    {
      name: 'resume',
      target: '',
      title: 'Resume the run',
      effect:
        status === 'failed'
          ? 'Resets the error count and continues where the run stopped. Fix the cause first.'
          : limit
            ? 'Raises the limit and diagnoses the skill again.'
            : 'Continues where the run was left.',
      fields: limit
        ? [
            {
              name: 'iterations',
              label: 'Maximum iterations',
              kind: 'number',
              value: limit.used + 1,
              minimum: limit.used + 1,
              step: 1,
              help: `Used: ${limit.used}.`,
            },
          ]
        : [],
      source: need?.source ?? placeOf(run, node),
      answersNeed: need !== undefined,
      plan: (values) => planResume(run, values),
    },
  ]
}

/** A run that ended at its limit gets one more iteration, unless a number is given. */
export function planResume(run: TuningRun, values: Values): ActionPlan {
  const { status, state, files } = run
  const limit = reachedLimit(state)
  const draft = new StateDraft(run, values)
  draft.set(['status'], 'running')
  if (status === 'failed') draft.set(['error_count'], 0)
  if (limit) {
    draft.set(['max_iterations'], values.number('iterations') ?? limit.used + 1)
    for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
  }
  const action = textOf(field(state.root, 'current_action'))
  return draft.finish(
    'Resumed the run',
    action === undefined ? [] : [`${action} was running when it stopped.`],
    isLeft(files.remembered) ? rememberLeft(false) : undefined,
  )
}
