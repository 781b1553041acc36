import { AppError } from '@shared/contract/errors'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal } from '../../edit/offer'
import { within } from '../../listing'
import { booleanOf, field, itemsOf, stringOf, textOf, type Located } from '../../text/located'
import { projectPath } from '../../text/namedPath'
import { changesOf, fixNode, modified, skillFolder, unmodified, withoutMarker } from '../fix'
import { ROLLED_BACK } from '../schema'
import { updateApplied } from './appliedList'
import { backupOf } from '../backups'
import { countIssues, parseResolved, resolvedIssues } from './issues'
import { attempt, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Takes the changes of one fix back: files that it made are deleted, what was changed since is kept or the action is refused. */
export function rollBackFix(run: TuningRun, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const { files, state } = run
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'roll-back', target: id, because, hint }]
  if (booleanOf(field(applied, 'rollback_available')) !== true)
    return refuse(
      `${id} cannot be rolled back: ${textOf(field(applied, 'verification_result')) === ROLLED_BACK ? 'that was done already' : 'its entry says that it is not possible'}.`,
      'Change the skill in an editor.',
    )
  const folder = backupOf(files, state, applied)
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back ${id}`,
      effect:
        'What it changed in the skill is as it was before, files that it made are deleted, and the issues that it was for are open again.',
      fields: [],
      source: placeOf(run, applied),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const warnings = takeBack(folder, draft)
        // The specification has no word for a fix that was taken back: it is one that is not in effect.
        draft.set(['applied_fixes', index, 'rollback_available'], false)
        draft.set(['applied_fixes', index, 'verification_result'], 'fail')
        updateApplied(run, draft, id, { rollback_available: false, verification_result: 'fail' })
        const restored = restoreIssues(draft)
        return draft.finish(`Rolled back ${id}`, [...warnings, ...restored.warnings], restored.remember)
      },
    },
  ]

  function takeBack(backup: string | undefined, draft: StateDraft): string[] {
    const fix = fixNode(state, id)
    const known = fix ? changesOf(files, state, fix) : []
    const skill = skillFolder(files, state)
    const made = itemsOf(field(applied, 'changes_made')).flatMap((node) => {
      const name = stringOf(field(node, 'file'))
      const path = skill === undefined || name === undefined ? undefined : projectPath(skill, name)
      return path === undefined ? [] : [{ path, action: stringOf(field(node, 'action')) }]
    })
    const copies =
      backup === undefined || skill === undefined
        ? []
        : files.listing.below(backup).map((copy) => ({ copy, path: within(skill, copy.slice(backup.length + 1)) }))
    const created = new Set([
      ...known.filter(({ action }) => action === 'create').map(({ path }) => path),
      ...made.filter(({ action }) => action === 'created').map(({ path }) => path),
    ])
    if (copies.length === 0 && created.size === 0)
      throw new AppError('CONFLICT', `The copies that ${id} would be rolled back from are not there.`, {
        hint: `They were kept in ${backup ?? 'a folder outside the project'}. Change the skill in an editor.`,
      })
    const warnings: string[] = []
    for (const path of created) {
      if (!draft.has(path)) continue
      const { text } = draft.text(path)
      const change = known.find((one) => one.path === path && one.action === 'create')
      if (change?.after !== withoutMarker(text, id))
        throw new AppError('CONFLICT', `${path} was changed after ${id} had made it.`, {
          hint: 'Keep what is wanted of it elsewhere and delete it yourself, then roll back.',
        })
      draft.write(path, null)
    }
    for (const { copy, path } of copies) {
      const original = draft.text(copy).text
      if (!draft.has(path)) {
        if (
          !known.some((change) => change.path === path && change.action === 'delete') &&
          !made.some((entry) => entry.path === path && entry.action === 'deleted')
        )
          warnings.push(`${path} was deleted since; it is there again as it was before ${id}.`)
        draft.write(path, original)
        continue
      }
      const written = draft.text(path).text
      const now = withoutMarker(written, id)
      const changes = known.filter((change) => change.path === path && change.action === 'modify')
      const applied = attempt(() => changes.reduce((text, change) => modified(text, change), original))
      if (now === original || now === applied) {
        draft.write(path, original)
        continue
      }
      const kept = changes
        .toReversed()
        .reduce<string | undefined>((text, change) => (text === undefined ? undefined : unmodified(text, change)), now)
      if (kept === undefined || changes.length === 0)
        throw new AppError('CONFLICT', `${path} was changed after ${id} was applied, in the same lines.`, {
          hint: `Take the change back in an editor; the file as it was before is ${copy}.`,
        })
      warnings.push(`${path} was changed after ${id} was applied: only the fix’s own lines are taken back.`)
      draft.write(path, kept)
    }
    return warnings
  }

  function restoreIssues(draft: StateDraft): { warnings: string[]; remember?: ActionPlan['remember'] } {
    if (textOf(field(applied, 'verification_result')) !== 'pass') return { warnings: [] }
    const kept = files.remembered.get(resolvedIssues(id))
    const issues = itemsOf(field(state.root, 'issues'))
    const removed = kept === undefined ? undefined : attempt(() => parseResolved(kept))
    if (!removed)
      return {
        warnings: ['The issues that it had solved are written nowhere any more: the next diagnosis finds them again.'],
      }
    const present = new Set(issues.map((issue) => textOf(field(issue, 'id'))))
    const again = removed.filter(({ id: issueId }) => !present.has(issueId))
    again.forEach(({ value }, offset) => draft.set(['issues', issues.length + offset], value))
    countIssues(draft, [
      ...issues.map((issue) => textOf(field(issue, 'severity'))),
      ...again.map(({ severity }) => severity),
    ])
    return { warnings: [], remember: { [resolvedIssues(id)]: null } }
  }
}
