import { AppError } from '@shared/contract/errors'
import { Draft } from '../../edit/draft'
import type { OfferedField } from '@shared/contract/edits'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, textOf, type Located } from '../../text/located'
import { actionNames } from '../progress'
import { applyChange, changesOf, fixBackup, fixNode, isPlainId, withMarker } from '../fix'
import { appendApplied, appliedList } from './appliedList'
import { completeActions } from './completeAction'
import { outputOf } from './diagnose'
import { idsOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

const NAME = 'apply-fix'

const markerField: OfferedField = {
  name: 'also',
  label: 'Also write',
  kind: 'several',
  value: [],
  options: [
    {
      value: 'marker',
      label: 'A comment at the end of each changed file, by which the original skill tuning finds the fix',
    },
  ],
  optional: true,
}

export function applyFix(run: TuningRun): (Offer | Refusal)[] {
  const { state, status } = run
  const [next, ...later] = idsOf(field(state.root, 'pending_fixes'))
  if (status !== 'running' || next === undefined) return []
  const refuse = (target: string, because: string, hint: string): Refusal => ({ name: NAME, target, because, hint })
  const refusals = later.map((id) =>
    refuse(
      id,
      `Apply ${next} before ${id}.`,
      'Fixes are applied in order. To change the order, choose the fixes again.',
    ),
  )
  const node = fixNode(state, next)
  if (!node) return [refuse(next, `${next} is not among the proposed fixes.`, 'Choose the fixes again.'), ...refusals]
  if (!isPlainId(next)) {
    const hint = 'Change the id in an editor to letters, digits and dashes.'
    return [refuse(next, 'The id of the fix cannot name a folder for its backup.', hint), ...refusals]
  }
  const description = textOf(field(node, 'description')) ?? ''
  return [
    {
      name: NAME,
      target: next,
      title: `Apply ${next}${description === '' ? '' : `: ${description}`}`,
      effect: 'Backs up the files that it changes, then makes its changes in the skill. Verify it afterwards.',
      fields: [markerField],
      source: placeOf(run, node),
      answersNeed: false,
      plan: (values) => planFix(run, next, node, values),
    },
    ...refusals,
  ]
}

/** @throws AppError CONFLICT where a change does not fit the skill */
export function planFix(run: TuningRun, id: string, node: Located, values: Values): ActionPlan {
  const { files, state } = run
  const changes = changesOf(files, state, node)
  if (changes.length === 0)
    throw new AppError('CONFLICT', `${id} has no changes.`, {
      hint: 'Make the change in an editor, or choose other fixes.',
    })
  const skill = new Draft(files)
  for (const change of changes) applyChange(skill, change)
  const draft = new StateDraft(run, values)
  const folder = fixBackup(files, state, id)
  const relative = (file: string) => changes.find(({ path }) => path === file)?.relative ?? file
  const touched = skill.changes
  // Each copy is written before the file that it is a copy of.
  for (const { file, before } of touched) if (before !== null) draft.copy(file, within(folder, relative(file)))
  const isMarked = values.several('also').includes('marker')
  const description = textOf(field(node, 'description')) ?? ''
  for (const { file, before, after } of touched)
    draft.write(file, isMarked && before !== null && after !== null ? withMarker(after, id, description) : after)
  const entry = {
    fix_id: id,
    applied_at: values.time,
    success: true,
    backup_path: folder,
    verification_result: 'pending',
    rollback_available: true,
  }
  const changesMade = touched.map(({ file, before, after }) => ({
    file: relative(file),
    action: before === null ? 'created' : after === null ? 'deleted' : 'modified',
    backup: before === null ? null : within(folder, relative(file)),
  }))
  const { root } = state
  draft.set(['applied_fixes', itemsOf(field(root, 'applied_fixes')).length], entry)
  draft.set(
    ['pending_fixes'],
    idsOf(field(root, 'pending_fixes')).filter((other) => other !== id),
  )
  completeActions(run, draft, values, [{ action: actionNames.apply, outputs: [outputOf(run, appliedList)] }])
  return draft.finish(`Applied ${id}`, appendApplied(run, draft, { ...entry, changes_made: changesMade }))
}
