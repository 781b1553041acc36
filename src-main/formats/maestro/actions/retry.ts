import type { ActionField } from '../../edit/action'
import type { Offer, Refusal } from '../../edit/offer'
import { field } from '../../text/located'
import { needAt, SessionDraft, sourceOf, type MaestroRun, type SessionPhase } from './maestroRun'

/** Keys of the phases that a phase waits for and that are not done. */
const waitsFor = ({ phases }: MaestroRun, { details }: SessionPhase): string[] =>
  details.blockedBy.flatMap(({ value }) => {
    const other = phases.find((phase) => phase.details.key === value)
    return value === null || other?.status === 'completed' || other?.status === 'skipped' ? [] : [value]
  })

export function retry(run: MaestroRun, phase: SessionPhase): (Offer | Refusal)[] {
  const { details, title, node } = phase
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'retry', target: details.key, because, hint }]
  if (phase.status !== 'failed')
    return refuse(
      `The phase “${title}” is ${phase.status ?? 'of unknown status'}.`,
      'Only a failed phase can be retried.',
    )
  const [waits] = waitsFor(run, phase)
  if (waits !== undefined)
    return refuse(`The phase “${title}” waits for phase ${waits}, which is not completed.`, 'Try that one again first.')
  const open = phase.errors.filter((error) => error.open)
  const retries = details.retries.value ?? 0
  const fields: ActionField[] =
    open.length === 0
      ? []
      : [
          {
            name: 'resolution',
            label: 'What was done about it',
            kind: 'line',
            value: 'Tried again by the person',
            help: open.map(({ message }) => message).join('\n'),
          },
        ]
  return [
    {
      name: 'retry',
      target: details.key,
      title: `Retry the phase “${title}”`,
      effect: 'Sets the phase to in_progress with one more retry, and resolves its open errors with your text.',
      fields,
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'in_progress')
        draft.set(node, 'retry_count', retries + 1)
        const id = field(node, 'id')
        if (id?.kind === 'scalar') draft.setTop('current_phase', id.value)
        for (const error of open) draft.resolve(error, values.text('resolution') ?? '')
        const most = run.state.maxRetries.value
        return draft.finish(`Retried the phase “${title}”`, [
          ...(most !== null && retries >= most ? [`All ${most} retries were used up: this is one more.`] : []),
          ...(phase.details.files.modified.length + phase.details.files.created.length > 0
            ? ['The changes of the failed attempt are still there; check them with git.']
            : []),
        ])
      },
    },
  ]
}
