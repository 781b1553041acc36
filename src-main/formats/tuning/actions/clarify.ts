import type { Offer } from '../../edit/offer'
import { field, textOf } from '../../text/located'
import { answers, StateDraft, type TuningRun } from './tuningRun'

/** Of later versions, which ask about what is not clear in the request. */
export function clarify(run: TuningRun): Offer[] {
  const need = answers(run, 'question', 'The requirements are not clear')
  if (!need) return []
  const problem = textOf(field(run.state.root, 'user_issue_description')) ?? ''
  return [
    {
      name: 'clarify',
      target: '',
      title: 'Make the request clear',
      effect:
        'What you write becomes the description of the problem, and the analysis of the requirements counts as completed.',
      fields: [
        { name: 'problem', label: 'What is wrong with the skill', kind: 'text', value: problem, help: need.detail },
      ],
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('problem') !== problem) draft.set(['user_issue_description'], values.text('problem') ?? problem)
        draft.set(['requirement_analysis', 'status'], 'completed')
        return draft.finish('Made the request clear')
      },
    },
  ]
}
