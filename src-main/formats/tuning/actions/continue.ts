import type { Offer } from '../../edit/offer'
import { field, numberOf, textOf } from '../../text/located'
import { diagnosisAreas } from '../schema'
import { answers, latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Another iteration, or none: when the run asks for it, and once every fix that was applied is verified. */
export function continueRun(run: TuningRun): Offer[] {
  const need = answers(run, 'question', 'Go on with another iteration')
  if (!need && !isVerified(run)) return []
  return [
    {
      name: 'continue',
      target: '',
      title: 'Go on with another iteration, or end here',
      effect:
        'Going on empties the four diagnoses, so that the skill is diagnosed again. Ending sets the run to completed as it stands.',
      fields: [
        {
          name: 'go',
          label: 'Another iteration',
          kind: 'choice',
          value: 'yes',
          options: [
            { value: 'yes', label: 'Yes, diagnose again' },
            { value: 'no', label: 'No, this is enough' },
          ],
        },
      ],
      source: need?.source ?? placeOf(run, field(run.state.root, 'applied_fixes')),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('go') === 'yes') {
          for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
          return draft.finish('Went on with another iteration', [
            'Issues that are found again are added to the list beside those from before.',
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
  const { root, details } = run.state
  const results = latestApplied(run).map(({ node }) => textOf(field(node, 'verification_result')))
  const isLeft = (numberOf(field(root, 'iteration_count')) ?? 0) < (numberOf(field(root, 'max_iterations')) ?? Infinity)
  const isDiagnosed = details.diagnoses.some(({ state }) => state === 'done')
  return (
    run.status === 'running' &&
    details.currentAction.value === null &&
    results.length > 0 &&
    !results.includes('pending') &&
    isLeft &&
    isDiagnosed
  )
}
