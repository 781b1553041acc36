import type { Offer, Refusal } from '../../edit/offer'
import { field } from '../../text/located'
import { needAt, SessionDraft, type MaestroRun, type SessionError, type SessionPhase } from './maestroRun'

export function resolve(run: MaestroRun, phase: SessionPhase, error: SessionError): (Offer | Refusal)[] {
  if (!error.open)
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is already resolved.',
        hint: 'To change its resolution, use an editor.',
      },
    ]
  if (error.node.kind !== 'map')
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is only a text, without a field for its resolution.',
        hint: 'Change it in an editor.',
      },
    ]
  const last = phase.errors.findLast(({ open }) => open) === error
  const resolved = field(error.node, 'resolved')
  const need =
    phase.status === 'failed' || !last
      ? undefined
      : needAt(run, 'failure', resolved ? run.session.document.source(resolved) : phase.details.status.source)
  return [
    {
      name: 'resolve',
      target: error.target,
      title: `Resolve the error “${error.message.slice(0, 120)}”`,
      effect: 'Marks the error as resolved, with your text. The status of the phase stays.',
      fields: [{ name: 'resolution', label: 'Resolution', kind: 'line', value: '' }],
      source: need?.source ?? run.session.document.source(error.node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.resolve(error, values.text('resolution') ?? '')
        return draft.finish(`Resolved an error of “${phase.title}”`)
      },
    },
  ]
}
