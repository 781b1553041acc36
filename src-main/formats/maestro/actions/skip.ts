import type { Offer, Refusal } from '../../edit/offer'
import { needAt, SessionDraft, sourceOf, type MaestroRun, type SessionPhase } from './maestroRun'

const dependents = ({ phases }: MaestroRun, { details: { key } }: SessionPhase): string[] =>
  phases.filter(({ details }) => details.blockedBy.some(({ value }) => value === key)).map(({ title }) => `“${title}”`)

/** A failed phase may be skipped by the person alone, who says why. */
export function skip(run: MaestroRun, phase: SessionPhase): (Offer | Refusal)[] {
  const { details, title, node, status } = phase
  if (status !== 'pending' && status !== 'failed') {
    return [
      {
        name: 'skip',
        target: details.key,
        because: `The phase “${title}” is ${status ?? 'of unknown status'}.`,
        hint: 'Only a pending or failed phase can be skipped.',
      },
    ]
  }
  const failed = status === 'failed'
  return [
    {
      name: 'skip',
      target: details.key,
      title: `Skip the phase “${title}”`,
      effect: failed
        ? 'The phase counts as skipped instead of failed, and its open errors say that you skipped it and why.'
        : 'The phase counts as skipped and is not executed.',
      fields: failed ? [{ name: 'reason', label: 'Why', kind: 'line', value: '' }] : [],
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: failed && needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'skipped')
        if (failed)
          for (const error of phase.errors.filter(({ open }) => open))
            draft.resolve(error, `skipped by operator: ${values.text('reason') ?? ''}`)
        const waiting = dependents(run, phase)
        return draft.finish(`Skipped the phase “${title}”`, [
          ...(waiting.length === 0
            ? []
            : [
                `${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'} for it: Maestro asks for a completed phase there, so skip or unblock ${waiting.length === 1 ? 'it' : 'them'} as well.`,
              ]),
          ...(failed ? ['The specification knows no step from failed to skipped: this is your override.'] : []),
        ])
      },
    },
  ]
}
