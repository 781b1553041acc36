import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal } from '../../edit/offer'
import { booleanOf, field, itemsOf, textOf, type Located } from '../../text/located'
import { ROLLED_BACK } from '../schema'
import { updateApplied } from './appliedList'
import { countedIssue, countIssues, parseResolved, resolvedIssues } from './issues'
import { restoreFiles } from './restoreFiles'
import { attempt, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Files that the fix created are deleted; later changes are kept, or the action is refused. */
export function rollBackFix(run: TuningRun, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  if (booleanOf(field(applied, 'rollback_available')) !== true) {
    const isDone = textOf(field(applied, 'verification_result')) === ROLLED_BACK
    return [
      {
        name: 'roll-back',
        target: id,
        because: `${id} cannot be rolled back: ${isDone ? 'it was rolled back before' : 'its entry rules it out'}.`,
        hint: 'Change the skill in an editor.',
      },
    ]
  }
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back ${id}`,
      effect: 'Reverts its changes to the skill, deletes the files that it created, and reopens its issues.',
      fields: [],
      source: placeOf(run, applied),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const warnings = restoreFiles(run, id, applied, draft)
        // The specification has no word for a rolled back fix: it is marked as not in effect.
        draft.set(['applied_fixes', index, 'rollback_available'], false)
        draft.set(['applied_fixes', index, 'verification_result'], 'fail')
        updateApplied(run, draft, id, { rollback_available: false, verification_result: 'fail' })
        const reopened = reopenIssues(run, id, applied, draft)
        return draft.finish(`Rolled back ${id}`, [...warnings, ...reopened.warnings], reopened.remember)
      },
    },
  ]
}

function reopenIssues(
  { files, state }: TuningRun,
  id: string,
  applied: Located,
  draft: StateDraft,
): { warnings: string[]; remember?: ActionPlan['remember'] } {
  if (textOf(field(applied, 'verification_result')) !== 'pass') return { warnings: [] }
  const kept = files.remembered.get(resolvedIssues(id))
  const removed = kept === undefined ? undefined : attempt(() => parseResolved(kept))
  if (!removed)
    return {
      warnings: ['Its resolved issues were not kept and cannot be reopened; the next diagnosis finds them again.'],
    }
  const issues = itemsOf(field(state.root, 'issues'))
  const present = new Set(issues.map((issue) => textOf(field(issue, 'id'))))
  const reopened = removed.filter(({ id: issueId }) => !present.has(issueId))
  reopened.forEach(({ value }, offset) => draft.set(['issues', issues.length + offset], value))
  countIssues(draft, [...issues.map(countedIssue), ...reopened])
  return { warnings: [], remember: { [resolvedIssues(id)]: null } }
}
