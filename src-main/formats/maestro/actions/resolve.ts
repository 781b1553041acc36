import type { Offer, Refusal } from '../../edit/offer'
import { field } from '../../text/located'
import { needAt, SessionDraft, type MaestroRun, type SessionError, type SessionPhase } from './maestroRun'

export function resolve(run: MaestroRun, phase: SessionPhase, error: SessionError): (Offer | Refusal)[] {
  if (!error.open)
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is resolved already.',
        hint: 'Change what is written of it in an editor.',
      },
    ]
  if (error.node.kind !== 'map')
    return [
      {
        name: 'resolve',
        target: error.target,
        because: 'The error is a sentence alone, with no place for what was done about it.',
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
      effect: 'Resolves the error with your text. The status of the phase stays.',
      fields: [{ name: 'resolution', label: 'What was done about it', kind: 'line', value: '' }],
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
