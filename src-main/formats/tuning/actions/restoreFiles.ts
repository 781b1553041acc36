import { AppError } from '@shared/contract/errors'
import { within } from '../../listing'
import { booleanOf, field, itemsOf, stringOf, textOf, type Located } from '../../text/located'
import { projectPath } from '../../text/namedPath'
import { backupOf, type Copy } from '../backups'
import { changesOf, fixNode, modified, skillFolder, unmodified, withoutMarker, type Change } from '../fix'
import { changesMade } from './appliedList'
import { attempt, type StateDraft, type TuningRun } from './tuningRun'

interface AppliedChanges {
  readonly id: string
  readonly proposed: readonly Change[]
  readonly recorded: readonly { readonly path: string; readonly action: string | undefined }[]
}

/**
 * @returns warnings
 * @throws AppError CONFLICT when later changes to a file would be lost
 */
export function restoreFiles(run: TuningRun, id: string, applied: Located, draft: StateDraft): string[] {
  const { files, state } = run
  const fix = fixNode(state, id)
  const skill = skillFolder(files, state)
  const changes: AppliedChanges = {
    id,
    proposed: fix ? changesOf(files, state, fix) : [],
    recorded: [...itemsOf(field(applied, 'changes_made')), ...changesMade(run, draft, id)].flatMap((node) => {
      const name = stringOf(field(node, 'file'))
      const path = skill === undefined || name === undefined ? undefined : projectPath(skill, name)
      return path === undefined ? [] : [{ path, action: stringOf(field(node, 'action')) }]
    }),
  }
  const backup = backupOf(files, state, applied)
  const copies =
    backup === undefined || skill === undefined
      ? []
      : files.listing.below(backup).map((from): Copy => ({ from, to: within(skill, from.slice(backup.length + 1)) }))
  const created = new Set([
    ...changes.proposed.filter(({ action }) => action === 'create').map(({ path }) => path),
    ...changes.recorded.filter(({ action }) => action === 'created').map(({ path }) => path),
  ])
  if (copies.length === 0 && created.size === 0)
    throw new AppError('CONFLICT', `The backup of ${id} is missing.`, {
      hint: `It was kept in ${backup ?? 'a folder outside the project'}. Change the skill in an editor.`,
    })
  for (const path of created) deleteCreated(draft, path, changes)
  return copies.flatMap((copy) => restoreCopy(draft, copy, changes, laterFixes(run, applied, copy.to)))
}

function laterFixes({ files, state }: TuningRun, applied: Located, path: string): string[] {
  const entries = itemsOf(field(state.root, 'applied_fixes'))
  return entries
    .slice(entries.indexOf(applied) + 1)
    .toReversed()
    .filter((entry) => booleanOf(field(entry, 'rollback_available')) === true)
    .flatMap((entry) => textOf(field(entry, 'fix_id')) ?? [])
    .filter((id) => {
      const fix = fixNode(state, id)
      return fix !== undefined && changesOf(files, state, fix).some((change) => change.path === path)
    })
}

function deleteCreated(draft: StateDraft, path: string, { id, proposed }: AppliedChanges): void {
  if (!draft.has(path)) return
  const change = proposed.find((one) => one.path === path && one.action === 'create')
  if (change?.after !== withoutMarker(draft.text(path).text, id))
    throw new AppError('CONFLICT', `${path} was changed after ${id} created it.`, {
      hint: 'Move what you want to keep elsewhere, delete the file, then roll back.',
    })
  draft.write(path, null)
}

function restoreCopy(
  draft: StateDraft,
  { from, to }: Copy,
  { id, proposed, recorded }: AppliedChanges,
  later: readonly string[],
): string[] {
  const ofFile = proposed.filter(({ path }) => path === to)
  if (!draft.has(to)) {
    draft.copy(from, to)
    const isDeletedByFix =
      ofFile.some(({ action }) => action === 'delete') ||
      recorded.some(({ path, action }) => path === to && action === 'deleted')
    return isDeletedByFix ? [] : [`${to} was deleted since; it is restored as it was before ${id}.`]
  }
  if (draft.isSame(from, to)) return []
  const hint =
    later.length > 0
      ? `Roll back ${later.join(', then ')} first: applied later, to the same file.`
      : `Revert the change in an editor; ${from} is the file as it was before.`
  const original = attempt(() => draft.text(from).text)
  if (original === undefined) throw new AppError('CONFLICT', `${to} was changed after ${id} was applied.`, { hint })
  const current = withoutMarker(draft.text(to).text, id)
  const modifications = ofFile.filter(({ action }) => action === 'modify')
  const fixed = attempt(() => modifications.reduce((text, change) => modified(text, change), original))
  if (current === original || current === fixed) {
    draft.write(to, original)
    return []
  }
  const reverted = modifications
    .toReversed()
    .reduce<string | undefined>((text, change) => (text === undefined ? undefined : unmodified(text, change)), current)
  if (reverted === undefined || modifications.length === 0)
    throw new AppError('CONFLICT', `${to} was changed after ${id} was applied, in the same lines.`, { hint })
  draft.write(to, reverted)
  return [`${to} was changed after ${id} was applied: only the fix’s own lines are reverted.`]
}
