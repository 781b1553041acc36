import { answeredSummary, type Offer } from '../../edit/offer'
import { recommendedOption } from '../../recommendedOption'
import { field, textOf } from '../../text/located'
import { checkpointAnswer, variable } from '../state'
import { SessionDraft } from './sessionDraft'
import type { SessionRun } from './sessionRun'

export function answer(run: SessionRun): Offer[] {
  const { files, session, state, need, view, tasks, cursor } = run
  if (view.state.value !== 'waiting' || need?.kind !== 'question') return []
  const kept = variable(state, 'pending_checkpoint', 'checkpoint')
  const node = kept?.kind === 'map' ? kept : state.summaries.get(tasks[cursor ?? -1]?.id ?? '')?.root
  const taskId = textOf(field(node, 'task_id')) ?? tasks[cursor ?? -1]?.id ?? ''
  const resumeId = textOf(field(node, 'resume_id')) ?? taskId
  const recommended = recommendedOption(need.options)
  return [
    {
      name: 'answer',
      target: '',
      title: `Answer the question of task ${taskId}`,
      effect: 'Stores your answer in the session; the host restarts the task with it.',
      fields: [{ name: 'answer', label: 'Answer', kind: 'text', value: '', suggestions: need.options }],
      source: need.source,
      answersNeed: true,
      ...(recommended === undefined ? {} : { unattended: { answer: recommended } }),
      plan: (values) => {
        const draft = new SessionDraft({ ...run, files })
        if (kept?.kind === 'map') draft.set(session, kept, undefined)
        draft.setVariable(checkpointAnswer, {
          checkpoint_id: resumeId,
          task_id: taskId,
          question: need.title,
          user_input: values.text('answer') ?? '',
        })
        draft.setStatus('executing')
        return { summary: answeredSummary(need.title), changes: draft.draft.changes, warnings: [] }
      },
    },
  ]
}
