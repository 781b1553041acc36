import type { Offer, Values } from '../../edit/offer'
import { within } from '../../listing'
import { listNames } from '@shared/listNames'
import { field, itemsOf, numberOf, textOf } from '../../text/located'
import { skillFolder } from '../fix'
import { copyTexts, MAX_BACKUP_FILES, wholeBackup } from '../backups'
import { latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Ends a run as failed, with or without the skill as it was before. */
export function abort(run: TuningRun): Offer[] {
  const { files, state, status } = run
  if (status !== 'running') return []
  const { root, details } = state
  const backup = wholeBackup(files, state)
  const restorable = backup.length > 0 && backup.length <= MAX_BACKUP_FILES
  const marker = files.candidate.marker
  return [
    {
      name: 'abort',
      target: '',
      title: 'Abort the run',
      effect:
        'The run fails, with a report and its errors beside the state. The skill can be put back as it was before the run.',
      fields: restorable
        ? [
            {
              name: 'skill',
              label: 'The skill’s files',
              kind: 'choice',
              value: 'keep',
              options: [
                { value: 'keep', label: 'Stay as they are now' },
                { value: 'restore', label: 'As they were before the run' },
              ],
            },
          ]
        : [],
      source: placeOf(run, field(root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const warnings =
          restorable || backup.length === 0
            ? []
            : [`The backup has more than ${MAX_BACKUP_FILES} files: copy it back yourself if it is wanted.`]
        if (values.text('skill') === 'restore') warnings.push(...restore(draft))
        const errors = field(root, 'errors')
        draft.set(['status'], 'failed')
        draft.set(['completed_at'], values.time)
        if (textOf(field(root, 'current_action')) !== undefined) draft.set(['current_action'], null)
        draft.write(
          within(marker, 'errors.json'),
          `${errors ? state.document.text.text.slice(errors.start, errors.end) : '[]'}\n`,
        )
        draft.write(within(marker, 'abort-report.md'), report(values))
        return draft.finish('Aborted the run', warnings)
      },
    },
  ]

  function restore(draft: StateDraft): string[] {
    const left = copyTexts(files, draft, backup)
    const skill = skillFolder(files, state)
    const known = new Set(backup.map(({ to }) => to))
    const others =
      skill === undefined
        ? []
        : files.listing.below(skill).filter((path) => !known.has(path) && !path.startsWith(`${marker}/`))
    const lost = draft.changes.filter(({ file, before }) => known.has(file) && before !== null).map(({ file }) => file)
    return [
      ...(left.length === 0 ? [] : [`Not text, so not copied back: ${listNames(left)}.`]),
      ...(others.length === 0 ? [] : [`Not in the backup, so left as it is: ${listNames(others)}.`]),
      ...(lost.length === 0
        ? []
        : [`Every change since the run began is taken back in ${listNames(lost)}, also one that no fix made.`]),
    ]
  }

  function report(values: Values): string {
    const line = (label: string, value: string | number | null | undefined) =>
      value === null || value === undefined || value === ''
        ? []
        : [`- ${label}: ${String(value).replaceAll(/\s+/g, ' ')}`]
    const errors = itemsOf(field(root, 'errors')).map(
      (node) =>
        `- ${(textOf(field(node, 'action')) ?? '').replaceAll(/\s+/g, ' ')}: ${(textOf(field(node, 'message')) ?? textOf(node) ?? '').replaceAll(/\s+/g, ' ')}`,
    )
    return [
      '# The run was aborted',
      '',
      ...line('Skill', details.skill.name.value),
      ...line('Problem', details.problem.value),
      ...line('Aborted', values.time),
      ...line('Iterations', numberOf(field(root, 'iteration_count'))),
      ...line('Open issues', details.issues.length),
      ...line(
        'Applied fixes',
        latestApplied(run)
          .map(({ id }) => id)
          .join(', '),
      ),
      ...line(
        'Skill’s files',
        values.text('skill') === 'restore' ? 'put back as before the run' : 'as the run left them',
      ),
      '',
      '## Errors',
      '',
      ...(errors.length === 0 ? ['None.'] : errors),
      '',
    ].join('\n')
  }
}
