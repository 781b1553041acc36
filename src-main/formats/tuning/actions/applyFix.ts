import { AppError } from '@shared/contract/errors'
import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, textOf } from '../../text/located'
import { applyChange, changesOf, fixBackup, fixNode, isPlainId, withMarker, type Change } from '../fix'
import { appendApplied } from './appliedList'
import { idsOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** The changes of the fix that waits first, in the skill’s own files, with a copy of what stood there. */
export function applyFix(run: TuningRun): (Offer | Refusal)[] {
  const { files, state, status } = run
  const pending = idsOf(field(state.root, 'pending_fixes'))
  const [next, ...later] = pending
  const refusals = later.map((id): Refusal => ({
    name: 'apply-fix',
    target: id,
    because: `${next ?? ''} is to be applied before ${id}.`,
    hint: 'Fixes are applied in the order in which they wait; choose the fixes again to change it.',
  }))
  const node = next === undefined ? undefined : fixNode(state, next)
  if (status !== 'running' || next === undefined) return []
  if (!node)
    return [
      {
        name: 'apply-fix',
        target: next,
        because: `${next} is none of the fixes that were proposed.`,
        hint: 'Choose the fixes again.',
      },
      ...refusals,
    ]
  if (!isPlainId(next))
    return [
      {
        name: 'apply-fix',
        target: next,
        because: 'The id of the fix cannot name a folder for its backup.',
        hint: 'Change the id in an editor to letters, digits and dashes.',
      },
      ...refusals,
    ]
  const description = textOf(field(node, 'description')) ?? ''
  return [
    {
      name: 'apply-fix',
      target: next,
      title: `Apply ${next}${description === '' ? '' : `: ${description}`}`,
      effect: 'Its changes are made in the skill’s files, after a copy of each was kept; it then waits to be verified.',
      fields: [
        {
          name: 'also',
          label: 'Write as well',
          kind: 'several',
          value: [],
          options: [
            {
              value: 'marker',
              label: 'A comment at the end of each changed file, by which the original skill tuning finds the fix',
            },
          ],
          optional: true,
        },
      ],
      source: placeOf(run, node),
      answersNeed: false,
      plan: (values) => {
        const changes = changesOf(files, state, node)
        if (changes.length === 0)
          throw new AppError('CONFLICT', `${next} has no changes.`, {
            hint: 'Make the change in an editor, or choose other fixes.',
          })
        const skill = new Draft(files)
        for (const change of changes) applyChange(skill, change)
        const draft = new StateDraft(run, values)
        const folder = fixBackup(files, state, next)
        const touched = skill.changes
        for (const { file, before } of touched)
          if (before !== null) draft.write(backupPath(folder, changes, file), before)
        for (const { file, before, after } of touched) {
          const marked = before !== null && after !== null && values.several('also').includes('marker')
          draft.write(file, marked ? withMarker(after, next, description) : after)
        }
        const entry = {
          fix_id: next,
          applied_at: values.time,
          success: true,
          backup_path: folder,
          verification_result: 'pending',
          rollback_available: true,
          changes_made: touched.map(({ file, before, after }) => ({
            file: changes.find(({ path }) => path === file)?.relative ?? file,
            action: before === null ? 'created' : after === null ? 'deleted' : 'modified',
            backup: before === null ? null : backupPath(folder, changes, file),
          })),
        }
        draft.set(['applied_fixes', itemsOf(field(state.root, 'applied_fixes')).length], entry)
        draft.set(
          ['pending_fixes'],
          pending.filter((id) => id !== next),
        )
        const warnings = appendApplied(run, draft, entry)
        return draft.finish(`Applied ${next}`, warnings)
      },
    },
    ...refusals,
  ]
}

const backupPath = (folder: string, changes: readonly Change[], file: string): string =>
  within(folder, changes.find(({ path }) => path === file)?.relative ?? file)
