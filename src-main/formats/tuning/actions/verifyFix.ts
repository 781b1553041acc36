import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, numberOf, textOf, type Located } from '../../text/located'
import { changesOf, fixNode, markerOf, modified, unmodified } from '../fix'
import { updateApplied } from './appliedList'
import { backupOf } from '../backups'
import { countIssues, resolvedIssues } from './issues'
import { attempt, idsOf, latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Whether an applied fix stands in the skill, and what that makes of the issues. */
export function verifyFix(run: TuningRun, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const { files, state } = run
  const { root, details } = state
  const result = textOf(field(applied, 'verification_result'))
  if (result !== 'pending' || run.status !== 'running') {
    return [
      {
        name: 'verify-fix',
        target: id,
        because:
          result === 'pending'
            ? `The run is ${run.status ?? 'of unknown status'}.`
            : `${id} is verified already: ${result ?? 'nothing'}.`,
        hint: 'Only an applied fix of a running run is verified.',
      },
    ]
  }
  return [
    {
      name: 'verify-fix',
      target: id,
      title: `Verify ${id}`,
      effect:
        'Looks whether its changes stand in the skill. If they do, the issues that it was for are taken off the list; score and gate are recalculated.',
      fields: [],
      source: placeOf(run, field(applied, 'verification_result')),
      answersNeed: false,
      plan: (values) => {
        const missing = missingChange()
        const passed = missing === undefined
        const draft = new StateDraft(run, values)
        draft.set(['applied_fixes', index, 'verification_result'], passed ? 'pass' : 'fail')
        updateApplied(run, draft, id, { verification_result: passed ? 'pass' : 'fail' })
        const fix = fixNode(state, id)
        const solved = new Set(passed && fix ? idsOf(field(fix, 'issue_ids')) : [])
        const issues = itemsOf(field(root, 'issues'))
        const removed = issues.flatMap((issue, at) => (solved.has(textOf(field(issue, 'id')) ?? '') ? [at] : []))
        for (const at of removed.toReversed()) draft.set(['issues', at], undefined)
        countIssues(
          draft,
          issues.filter((_, at) => !removed.includes(at)).map((issue) => textOf(field(issue, 'severity'))),
        )
        // One verification of the original looks at all fixes that wait for it and counts as one iteration.
        const others = latestApplied(run).some(
          (other) => other.id !== id && textOf(field(other.node, 'verification_result')) === 'pending',
        )
        const iterations = numberOf(field(root, 'iteration_count')) ?? 0
        const most = numberOf(field(root, 'max_iterations')) ?? Infinity
        if (!others && iterations < most) draft.set(['iteration_count'], iterations + 1)
        const texts = removed.map((at) => {
          const issue = issues[at]
          return issue ? { at, text: state.document.text.text.slice(issue.start, issue.end) } : { at, text: '' }
        })
        return draft.finish(
          passed ? `Verified ${id}: passed` : `Verified ${id}: failed`,
          [
            ...(missing === undefined ? [] : [missing]),
            ...(solved.size > 0 && removed.length === 0
              ? ['The issues that it was for are no longer in the list.']
              : []),
            ...(passed && details.issues.length - removed.length === 0 ? ['No issues are left.'] : []),
          ],
          removed.length > 0 ? { [resolvedIssues(id)]: JSON.stringify(texts) } : undefined,
        )
      },
    },
  ]

  /** Why the fix is not in effect, or undefined when it is. */
  function missingChange(): string | undefined {
    const fix = fixNode(state, id)
    if (!fix) return `${id} is none of the fixes that were proposed, so its changes are not known.`
    const folder = backupOf(files, state, applied)
    for (const change of changesOf(files, state, fix)) {
      const draft = new Draft(files)
      const there = draft.has(change.path)
      if (change.action === 'delete' ? there : !there)
        return change.action === 'delete' ? `${change.path} is there again.` : `${change.path} is gone.`
      if (change.action !== 'modify') continue
      const { text } = draft.text(change.path)
      if (text.includes(markerOf(id)) || unmodified(text, change) !== undefined) continue
      const original =
        folder === undefined ? undefined : attempt(() => draft.text(within(folder, change.relative)).text)
      if (original === undefined || attempt(() => modified(original, change)) !== text)
        return `The lines that it changed in ${change.path} are not there.`
    }
    return undefined
  }
}
