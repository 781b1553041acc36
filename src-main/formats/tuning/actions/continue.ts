import type { Offer } from '../../edit/offer'
import { field, textOf } from '../../text/located'
import { canIterate } from '../needs'
import { diagnosisAreas } from '../schema'
import { latestApplied, needOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Another iteration or the end: when the run asks for it, and once every applied fix is verified. */
export function continueRun(run: TuningRun): Offer[] {
  const need = needOf(run, 'iterate')
  if (!need && !isVerified(run)) return []
  return [
    {
      name: 'continue',
      target: '',
      title: 'Start another iteration or end the run',
      effect:
        'Another iteration clears the four diagnoses, so that the skill is diagnosed again. Otherwise the run is set to completed.',
      fields: [
        {
          name: 'go',
          label: 'Another iteration',
          kind: 'choice',
          value: 'yes',
          options: [
            { value: 'yes', label: 'Yes, diagnose again' },
            { value: 'no', label: 'No, end the run' },
          ],
        },
      ],
      source: need?.source ?? placeOf(run, field(run.state.root, 'applied_fixes')),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('go') === 'yes') {
          for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
          return draft.finish('Started another iteration', [
            'The original skill tuning lists issues that it finds again twice; “Diagnose the skill” does not.',
          ])
        }
        draft.set(['status'], 'completed')
        draft.set(['completed_at'], values.time)
        return draft.finish('Ended the run')
      },
    },
  ]
}

function isVerified(run: TuningRun): boolean {
  const { currentAction } = run.state.details
  const results = latestApplied(run).map(({ node }) => textOf(field(node, 'verification_result')))
  return (
    run.status === 'running' &&
    currentAction.value === null &&
    results.length > 0 &&
    !results.includes('pending') &&
    canIterate(run.state)
  )
}
