import type { Offer } from '../../edit/offer'
import { field, textOf } from '../../text/located'
import { USER_EXIT } from '../schema'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Resumes a run that was left or that failed. */
export function resume(run: TuningRun): Offer[] {
  const { status, need, state } = run
  if (status !== 'failed' && status !== USER_EXIT) return []
  const node = field(state.root, 'status')
  const current = field(state.root, 'current_action')
  return [
    {
      name: 'resume',
      target: '',
      title: 'Resume the run',
      effect:
        status === 'failed'
          ? 'Resets the error count and continues where the run stopped. Fix the cause first.'
          : 'Continues where the run was left.',
      fields: [],
      source: need?.source ?? placeOf(run, node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        draft.set(['status'], 'running')
        if (status === 'failed') draft.set(['error_count'], 0)
        const action = textOf(current)
        return draft.finish('Resumed the run', action === undefined ? [] : [`${action} was running when it stopped.`])
      },
    },
  ]
}
