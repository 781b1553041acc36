import type { Offer } from '../../edit/offer'
import { field } from '../../text/located'
import { USER_EXIT } from '../schema'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Stops a run so that it can be resumed. */
export function leave(run: TuningRun): Offer[] {
  if (run.status !== 'running') return []
  return [
    {
      name: 'leave',
      target: '',
      title: 'Leave the run',
      effect: 'Stops the run before its next action. It can be resumed.',
      fields: [],
      source: placeOf(run, field(run.state.root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        draft.set(['status'], USER_EXIT)
        return draft.finish('Left the run')
      },
    },
  ]
}
