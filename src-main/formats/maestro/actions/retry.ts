import type { OfferedField } from '@shared/contract/edits'
import type { Offer, Refusal } from '../../edit/offer'
import { field, isNull, textOf } from '../../text/located'
import { needAt, SessionDraft, sourceOf, type MaestroRun, type SessionPhase } from './maestroRun'

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
      `Phase “${title}” is not failed (status: ${phase.status ?? 'unknown'}).`,
      'Only failed phases can be retried.',
    )
  const [waits] = waitsFor(run, phase)
  if (waits !== undefined)
    return refuse(`Phase “${title}” is blocked by phase ${waits}, which is not completed.`, 'Retry that phase first.')
  const open = phase.errors.filter((error) => error.open)
  const retries = details.retries.value ?? 0
  const fields: OfferedField[] =
    open.length === 0
      ? []
      : [
          {
            name: 'resolution',
            label: 'Resolution',
            kind: 'line',
            value: 'Retried by the operator',
            help: open.map(({ message }) => message).join('\n'),
          },
        ]
  return [
    {
      name: 'retry',
      target: details.key,
      title: `Retry phase “${title}”`,
      effect: 'Sets the phase to in_progress with one more retry, and resolves its open errors with your text.',
      fields,
      source: details.status.source ?? sourceOf(run, node),
      answersNeed: needAt(run, 'failure', details.status.source) !== undefined,
      plan: (values) => {
        const draft = new SessionDraft(run, values)
        draft.set(node, 'status', 'in_progress')
        draft.set(node, 'retry_count', retries + 1)
        if (textOf(field(node, 'started')) === undefined) draft.set(node, 'started', values.time)
        const completed = field(node, 'completed')
        if (completed && !isNull(completed)) draft.set(node, 'completed', null)
        const id = field(node, 'id')
        if (id?.kind === 'scalar') draft.setTop('current_phase', id.value)
        for (const error of open) draft.resolve(error, values.text('resolution') ?? '')
        const most = run.state.maxRetries.value
        return draft.finish(`Retried phase “${title}”`, [
          ...(most !== null && retries >= most
            ? [
                `${most === 0 ? 'A phase here has no retries' : `All ${most} retries were used up`}; this is an extra one.`,
              ]
            : []),
          ...(phase.details.files.modified.length + phase.details.files.created.length > 0
            ? ['The failed attempt’s changes are still there; check them with git.']
            : []),
        ])
      },
    },
  ]
}
