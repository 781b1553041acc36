import type { Offer, Refusal } from '../../edit/offer'
import { needAt, SessionDraft, sourceOf, type MaestroRun, type SessionPhase } from './maestroRun'

const dependents = ({ phases }: MaestroRun, { details: { key } }: SessionPhase): string[] =>
  phases.filter(({ details }) => details.blockedBy.some(({ value }) => value === key)).map(({ title }) => `“${title}”`)

export function skip(run: MaestroRun, phase: SessionPhase): (Offer | Refusal)[] {
  const { details, title, node, status } = phase
  if (status !== 'pending' && status !== 'failed') {
    return [
      {
        name: 'skip',
        target: details.key,
        because: `Phase “${title}” cannot be skipped (status: ${status ?? 'unknown'}).`,
        hint: 'Only pending or failed phases can be skipped.',
      },
    ]
  }
  const failed = status === 'failed'
  return [
    {
      name: 'skip',
      target: details.key,
      title: `Skip phase “${title}”`,
      effect: failed
        ? 'Sets the phase to skipped and resolves its open errors with your reason.'
        : 'Sets the phase to skipped; it does not run.',
      fields: failed ? [{ name: 'reason', label: 'Reason', kind: 'line', value: '' }] : [],
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: failed && needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'skipped')
        if (failed)
          for (const error of phase.errors.filter(({ open }) => open))
            draft.resolve(error, `skipped by operator: ${values.text('reason') ?? ''}`)
        const waiting = dependents(run, phase)
        return draft.finish(`Skipped phase “${title}”`, [
          ...(waiting.length === 0
            ? []
            : [
                `${waiting.join(', ')} ${waiting.length === 1 ? 'needs' : 'need'} it completed: skip or unblock ${waiting.length === 1 ? 'that phase' : 'those phases'} too.`,
              ]),
          ...(failed ? ['The specification does not allow failed to skipped; you override it.'] : []),
        ])
      },
    },
  ]
}
