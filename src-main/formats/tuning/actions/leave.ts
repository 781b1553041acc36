import type { Offer } from '../../edit/offer'
import { field } from '../../text/located'
import { rememberLeft } from '../left'
import { placeOf, type TuningRun } from './tuningRun'

export function leave(run: TuningRun): Offer[] {
  if (run.status !== 'running') return []
  return [
    {
      name: 'leave',
      target: '',
      title: 'Leave the run',
      effect: 'Stores in Bridgedeck that the run stops before its next action. It can be resumed. No file changes.',
      fields: [],
      source: placeOf(run, field(run.state.root, 'status')),
      answersNeed: false,
      plan: () => ({ summary: 'Left the run', changes: [], warnings: [], remember: rememberLeft(true) }),
    },
  ]
}
