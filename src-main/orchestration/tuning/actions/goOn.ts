import type { Offer } from '../../edits/offer'
import { diagnosisAreas } from '../schema'
import { answers, StateDraft, type Run } from './tuningRun'

/** Another iteration, or none. */
export function goOn(run: Run): Offer[] {
  const need = answers(run, 'question', 'Go on with another iteration')
  if (!need) return []
  return [
    {
      name: 'continue',
      target: '',
      title: 'Go on with another iteration, or end here',
      effect: 'Going on empties the four diagnoses, so that the skill is looked at anew. Ending sets the run to completed as it stands.',
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
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('go') === 'yes') {
          for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
          return draft.finish('Went on with another iteration', ['Issues that are found again are added to the list beside those from before.'])
        }
        draft.set(['status'], 'completed')
        draft.set(['completed_at'], values.time)
        return draft.finish('Ended the run')
      },
    },
  ]
}
