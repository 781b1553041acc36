import type { Offer } from '../../edit/offer'
import { field, numberOf } from '../../text/located'
import { fieldNames } from '../state'
import { SessionDraft } from './sessionDraft'
import { answering, listTasks, statusOf, type SessionRun } from './sessionRun'

export function resetBreaker(run: SessionRun): Offer[] {
  const { session, status, need } = run
  const gaps = field(session.root, ...fieldNames.gapCount)
  if (status !== 'halted' || !gaps || numberOf(gaps) === 0) return []
  const answers = answering(run, 'limit')
  return [
    {
      name: 'reset-breaker',
      target: '',
      title: 'Allow re-plans again',
      effect: 'Resets the count of re-plans and plans the phase again with the gaps found.',
      fields: [],
      source: answers && need ? need.source : session.source(gaps),
      answersNeed: answers,
      plan: () => {
        const draft = new SessionDraft(run)
        draft.setField(gaps, fieldNames.gapCount, 0)
        draft.setStatus('planning')
        const failed = run.tasks.filter((task) => statusOf(task) === 'failed').map(({ id }) => id)
        return {
          summary: 'Allowed re-plans again',
          changes: draft.draft.changes,
          warnings: failed.length === 0 ? [] : [`${listTasks(failed)} failed; a new plan replaces this one.`],
        }
      },
    },
  ]
}
