import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, numberOf, textOf, type Located } from '../../text/located'
import { backupOf } from '../backups'
import { changesOf, fixNode, markerOf, modified, unmodified, type Change } from '../fix'
import { updateApplied } from './appliedList'
import { countIssues, resolvedIssues } from './issues'
import { attempt, idsOf, latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Whether an applied fix is in effect, and what that means for the issues. */
export function verifyFix(run: TuningRun, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const result = textOf(field(applied, 'verification_result'))
  if (result !== 'pending' || run.status !== 'running') {
    return [
      {
        name: 'verify-fix',
        target: id,
        because:
          result === 'pending'
            ? `The run’s status is ${run.status ?? 'unknown'}.`
            : `${id} is already verified: ${result ?? 'no result'}.`,
        hint: 'Only applied fixes of a running run can be verified.',
      },
    ]
  }
  return [
    {
      name: 'verify-fix',
      target: id,
      title: `Verify ${id}`,
      effect:
        'Checks that its changes are in the skill. If so, its issues are removed from the list, and score and gate are recalculated.',
      fields: [],
      source: placeOf(run, field(applied, 'verification_result')),
      answersNeed: false,
      plan: (values) => {
        const problem = missingChange(run, id, applied)
        const verdict = problem === undefined ? 'pass' : 'fail'
        const draft = new StateDraft(run, values)
        draft.set(['applied_fixes', index, 'verification_result'], verdict)
        updateApplied(run, draft, id, { verification_result: verdict })
        const fix = fixNode(run.state, id)
        const solved = verdict === 'pass' && fix ? idsOf(field(fix, 'issue_ids')) : []
        const removed = removeIssues(run, draft, new Set(solved))
        countIteration(run, draft, id)
        return draft.finish(
          verdict === 'pass' ? `Verified ${id}: passed` : `Verified ${id}: failed`,
          [
            ...(problem === undefined ? [] : [problem]),
            ...(solved.length > 0 && removed.length === 0 ? ['Its issues are no longer in the list.'] : []),
            ...(verdict === 'pass' && run.state.details.issues.length === removed.length
              ? ['No issues are left.']
              : []),
          ],
          removed.length > 0 ? { [resolvedIssues(id)]: JSON.stringify(removed) } : undefined,
        )
      },
    },
  ]
}

/** @returns the removed issues as they were written, each with its place in the list */
function removeIssues(
  { state: { root, document } }: TuningRun,
  draft: StateDraft,
  solved: ReadonlySet<string>,
): { at: number; text: string }[] {
  const issues = itemsOf(field(root, 'issues'))
  const removed = issues.flatMap((issue, at) =>
    solved.has(textOf(field(issue, 'id')) ?? '')
      ? [{ at, text: document.text.text.slice(issue.start, issue.end) }]
      : [],
  )
  for (const { at } of removed.toReversed()) draft.set(['issues', at], undefined)
  const left = issues.filter((_, index) => !removed.some(({ at }) => at === index))
  countIssues(
    draft,
    left.map((issue) => textOf(field(issue, 'severity'))),
  )
  return removed
}

/** One verification of the original checks all fixes that wait for it and counts as one iteration. */
function countIteration(run: TuningRun, draft: StateDraft, id: string): void {
  const isLast = latestApplied(run).every(
    (other) => other.id === id || textOf(field(other.node, 'verification_result')) !== 'pending',
  )
  const { root } = run.state
  const iterations = numberOf(field(root, 'iteration_count')) ?? 0
  const most = numberOf(field(root, 'max_iterations')) ?? Infinity
  if (isLast && iterations < most) draft.set(['iteration_count'], iterations + 1)
}

/** Why the fix is not in effect, or undefined when it is. */
function missingChange({ files, state }: TuningRun, id: string, applied: Located): string | undefined {
  const fix = fixNode(state, id)
  if (!fix) return `${id} is not among the proposed fixes, so its changes are unknown.`
  const backup = backupOf(files, state, applied)
  const draft = new Draft(files)
  for (const change of changesOf(files, state, fix)) {
    const { path, action } = change
    if (action === 'delete' && draft.has(path)) return `${path} exists again.`
    if (action !== 'delete' && !draft.has(path)) return `${path} is missing.`
    if (action === 'modify' && !isModified(draft, id, change, backup)) return `Its changes to ${path} are not there.`
  }
  return undefined
}

function isModified(draft: Draft, id: string, change: Change, backup: string | undefined): boolean {
  const { text } = draft.text(change.path)
  if (text.includes(markerOf(id)) || unmodified(text, change) !== undefined) return true
  if (backup === undefined) return false
  const original = attempt(() => draft.text(within(backup, change.relative)).text)
  return original !== undefined && attempt(() => modified(original, change)) === text
}
