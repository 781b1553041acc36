import type { Offer } from '../../edit/offer'
import { currentReview, logAcceptance } from '../session/review'
import { SessionDraft, type MaestroRun } from './maestroRun'

export function acceptReview(run: MaestroRun): Offer[] {
  const review = currentReview(run.state)
  if (review?.verdict !== 'blocked') return []
  return [
    {
      name: 'accept-review',
      target: '',
      title: `Accept what the code review found (${review.counts})`,
      effect: 'Notes in the session’s log that you accept the findings, so that it can be archived.',
      fields: [{ name: 'reason', label: 'Reason', kind: 'line', value: '' }],
      source: review.source,
      answersNeed: run.needs.some(
        ({ source }) => source.file === review.source.file && source.line === review.source.line,
      ),
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        logAcceptance(draft, run.session.file, review.counts, values.text('reason') ?? '')
        return draft.finish('Accepted the findings of the code review')
      },
    },
  ]
}
