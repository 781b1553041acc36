import { listNames } from '@shared/listNames'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, numberOf, textOf, type Located } from '../../text/located'
import { copyFiles, MAX_BACKUP_FILES, wholeBackup, type Copy } from '../backups'
import { skillFolder } from '../fix'
import { actionNames } from '../progress'
import { completeActions } from './completeAction'
import { outputOf } from './diagnose'
import { factLine, oneLine } from './printedFacts'
import { latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

export function abort(run: TuningRun): Offer[] {
  const { files, state, status } = run
  if (status !== 'running') return []
  const { root } = state
  return [
    {
      name: 'abort',
      target: '',
      title: 'Abort the run',
      effect: 'Sets the run to failed and writes a report and its errors beside the state.',
      fields: isRestorable(wholeBackup(files, state))
        ? [
            {
              name: 'skill',
              label: 'Skill files',
              kind: 'choice',
              value: 'keep',
              options: [
                { value: 'keep', label: 'Keep as they are' },
                { value: 'restore', label: 'Restore from before the run' },
              ],
            },
          ]
        : [],
      source: placeOf(run, field(root, 'status')),
      answersNeed: false,
      plan: (values) => planAbort(run, values),
    },
  ]
}

const isRestorable = (backup: readonly Copy[]): boolean => backup.length > 0 && backup.length <= MAX_BACKUP_FILES

export function planAbort(run: TuningRun, values: Values): ActionPlan {
  const { files, state } = run
  const { marker } = files.candidate
  const backup = wholeBackup(files, state)
  const draft = new StateDraft(run, values)
  const warnings =
    isRestorable(backup) || backup.length === 0
      ? []
      : [`The backup has more than ${MAX_BACKUP_FILES} files; restore it yourself if you need it.`]
  if (values.text('skill') === 'restore') warnings.push(...restoreSkill(run, draft, backup))
  const errors = field(state.root, 'errors')
  draft.set(['status'], 'failed')
  if (textOf(field(state.root, 'current_action')) !== undefined) draft.set(['current_action'], null)
  draft.write(
    within(marker, 'errors.json'),
    `${errors ? state.document.text.text.slice(errors.start, errors.end) : '[]'}\n`,
  )
  draft.write(within(marker, 'abort-report.md'), printReport(run, values))
  const outputs = ['errors.json', 'abort-report.md'].map((file) => outputOf(run, file))
  completeActions(run, draft, values, [{ action: actionNames.abort, outputs }])
  return draft.finish('Aborted the run', warnings)
}

function restoreSkill({ files, state }: TuningRun, draft: StateDraft, backup: readonly Copy[]): string[] {
  const left = copyFiles(draft, backup)
  const skill = skillFolder(files, state)
  const restored = new Set(backup.map(({ to }) => to))
  const others =
    skill === undefined
      ? []
      : files.listing
          .below(skill)
          .filter((path) => !restored.has(path) && !path.startsWith(`${files.candidate.marker}/`))
  const lost = draft.changes.filter(({ file, before }) => restored.has(file) && before !== null).map(({ file }) => file)
  return [
    ...(left.length === 0 ? [] : [`Unreadable or larger than 4 MB, so not restored: ${listNames(left)}.`]),
    ...(others.length === 0 ? [] : [`Not in the backup, so left as they are: ${listNames(others)}.`]),
    ...(lost.length === 0
      ? []
      : [`All changes since the run began are reverted, not only the fixes: ${listNames(lost)}.`]),
  ]
}

function printReport(run: TuningRun, values: Values): string {
  const { root, details } = run.state
  const fixes = latestApplied(run).map(({ id }) => id)
  const errors = itemsOf(field(root, 'errors')).map(printError)
  return [
    '# The run was aborted',
    '',
    ...factLine('Skill', details.skill.name.value),
    ...factLine('Problem', details.problem.value),
    ...factLine('Aborted', values.time),
    ...factLine('Iterations', numberOf(field(root, 'iteration_count'))),
    ...factLine('Open issues', details.issues.length),
    ...factLine('Applied fixes', fixes.join(', ')),
    ...factLine(
      'Skill files',
      values.text('skill') === 'restore' ? 'restored from before the run' : 'as the run left them',
    ),
    '',
    '## Errors',
    '',
    ...(errors.length === 0 ? ['None.'] : errors),
    '',
  ].join('\n')
}

const printError = (node: Located): string =>
  `- ${oneLine(textOf(field(node, 'action')) ?? '')}: ${oneLine(textOf(field(node, 'message')) ?? textOf(node) ?? '')}`
