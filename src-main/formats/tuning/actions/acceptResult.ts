import type { Offer } from '../../edit/offer'
import { acceptedResult, ACCEPTED_RESULT } from '../limits'
import { needOf, type TuningRun } from './tuningRun'

export function acceptResult(run: TuningRun): Offer[] {
  const need = needOf(run, 'atLimit')
  if (!need) return []
  return [
    {
      name: 'accept-result',
      target: '',
      title: 'Accept the result',
      effect: 'Stores in Bridgedeck that the run is done although its quality gate is not passed. No file changes.',
      fields: [],
      source: need.source,
      answersNeed: true,
      plan: () => ({
        summary: 'Accepted the result',
        changes: [],
        warnings: [],
        remember: { [ACCEPTED_RESULT]: acceptedResult(run.state) },
      }),
    },
  ]
}
