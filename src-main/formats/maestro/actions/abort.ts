import type { Offer } from '../../edit/offer'
import { field } from '../../text/located'
import { SessionDraft, sourceOf, type MaestroRun } from './maestroRun'

export function abort(run: MaestroRun): Offer[] {
  return [
    {
      name: 'abort',
      target: '',
      title: 'Abort the session',
      effect: 'Marks the session as failed. Its phases and files stay as they are.',
      fields: [],
      source: sourceOf(run, field(run.session.root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.setTop('status', 'failed')
        const active = run.phases.filter(({ status }) => status === 'in_progress').map(({ title }) => `“${title}”`)
        return draft.finish(
          'Aborted the session',
          active.length === 0
            ? []
            : [`${active.join(', ')} ${active.length === 1 ? 'is' : 'are'} in progress: stop the agents yourself.`],
        )
      },
    },
  ]
}
