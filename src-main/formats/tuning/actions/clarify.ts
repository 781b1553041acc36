import type { Offer } from '../../edit/offer'
import { field, textOf } from '../../text/located'
import { needOf, StateDraft, type TuningRun } from './tuningRun'

export function clarify(run: TuningRun): Offer[] {
  const need = needOf(run, 'clarify')
  if (!need) return []
  const problem = textOf(field(run.state.root, 'user_issue_description')) ?? ''
  return [
    {
      name: 'clarify',
      target: '',
      title: 'Clarify the requirements',
      effect: 'Replaces the description of the problem and marks the requirements analysis as completed.',
      fields: [{ name: 'problem', label: 'Problem', kind: 'text', value: problem, help: need.detail }],
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('problem') !== problem) draft.set(['user_issue_description'], values.text('problem') ?? problem)
        draft.set(['requirement_analysis', 'status'], 'completed')
        return draft.finish('Clarified the requirements')
      },
    },
  ]
}
