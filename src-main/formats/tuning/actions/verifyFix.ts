import { AppError } from '@shared/contract/errors'
import type { OfferedField } from '@shared/contract/edits'
import { Draft } from '../../edit/draft'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Refusal, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, numberOf, textOf, type Located } from '../../text/located'
import { backupOf } from '../backups'
import { changesOf, fixNode, modified, unmodified, withoutMarker, type Change } from '../fix'
import { actionNames } from '../progress'
import { rememberLeftOver } from '../rounds'
import { healthScore, type SeverityCounts } from '../scores'
import { updateApplied } from './appliedList'
import { completeActions } from './completeAction'
import { countedIssue, countIssues, resolvedIssues } from './issues'
import { scanVerdict } from './scanVerdict'
import { attempt, idsOf, latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

const unverified = (reason: string): string =>
  `Unverified: its changes are in the skill. ${reason} Check that the issues are gone, then give your verdict.`

const verdictField = (fix: Located | undefined): OfferedField => {
  const steps = itemsOf(field(fix, 'verification_steps')).flatMap((step) => textOf(step) ?? [])
  return {
    name: 'verdict',
    label: 'Your verdict',
    kind: 'choice',
    value: null,
    options: [
      { value: 'pass', label: 'Pass: its issues are gone, and leave the list' },
      { value: 'fail', label: 'Fail: its issues stay' },
    ],
    optional: true,
    ...(steps.length === 0 ? {} : { help: steps.join('\n').slice(0, 2000) }),
  }
}

export function verifyFix(run: TuningRun, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const result = textOf(field(applied, 'verification_result'))
  const isOpen = run.status === 'running' || run.status === 'completed'
  if (result !== 'pending' || !isOpen) {
    return [
      {
        name: 'verify-fix',
        target: id,
        because:
          result === 'pending'
            ? `The run’s status is ${run.status ?? 'unknown'}.`
            : `${id} is already verified: ${result ?? 'no result'}.`,
        hint: 'Resume the run to verify its applied fixes.',
      },
    ]
  }
  return [
    {
      name: 'verify-fix',
      target: id,
      title: `Verify ${id}`,
      effect:
        'Checks that its changes are in the skill, then scans it again: the fix passed when its issues are gone and the changed files have no new ones. Your own verdict counts instead, where you give one.',
      fields: [verdictField(fixNode(run.state, id))],
      source: placeOf(run, field(applied, 'verification_result')),
      answersNeed: false,
      plan: (values) => planVerify(run, id, { node: applied, index }, values),
    },
  ]
}

/** @throws AppError CONFLICT when the person says that a fix passed that is not in effect */
export function planVerify(
  run: TuningRun,
  id: string,
  { node: applied, index }: Pick<ReturnType<typeof latestApplied>[number], 'node' | 'index'>,
  values: Values,
): ActionPlan {
  const problem = missingChange(run, id, applied)
  const said = values.text('verdict')
  if (problem !== undefined && said === 'pass')
    throw new AppError('CONFLICT', `${id} is not in effect. ${problem}`, {
      hint: 'Roll it back, or make its changes in an editor.',
    })
  const fix = fixNode(run.state, id)
  const scanned =
    problem === undefined && fix ? scanVerdict(run, fix, backupOf(run.files, run.state, applied)) : undefined
  const verdict = problem === undefined ? (said ?? scanned?.verdict) : 'fail'
  if (verdict === undefined)
    return { summary: `${id} is unverified`, changes: [], warnings: [unverified(scanned?.reason ?? '')] }
  const draft = new StateDraft(run, values)
  draft.set(['applied_fixes', index, 'verification_result'], verdict)
  updateApplied(run, draft, id, { verification_result: verdict })
  const solved = verdict === 'pass' && fix ? idsOf(field(fix, 'issue_ids')) : []
  const { removed, counts } = removeIssues(run, draft, new Set(solved))
  countIteration(run, draft, id)
  completeActions(run, draft, values, [{ action: actionNames.verify, outputs: [] }])
  const isAsExpected = verdict === 'pass' && scanned?.verdict === 'pass'
  const plan = draft.finish(
    verdict === 'pass' ? `Verified ${id}: passed` : `Verified ${id}: failed`,
    [
      ...(problem === undefined ? [] : [problem]),
      ...(scanned?.verdict === undefined || isAsExpected ? [] : [scanned.reason]),
      ...(solved.length > 0 && removed.length === 0 ? ['Its issues are no longer in the list.'] : []),
    ],
    {
      ...(removed.length > 0 ? { [resolvedIssues(id)]: JSON.stringify(removed) } : {}),
      ...rememberLeftOver(run.files.remembered, healthScore(counts)),
    },
  )
  const isLast = verdict === 'pass' && run.state.details.issues.length === removed.length
  const notes = [...(isAsExpected ? [scanned.reason] : []), ...(isLast ? ['No issues are left.'] : [])]
  return { ...plan, notes }
}

function removeIssues(
  { state: { root, document } }: TuningRun,
  draft: StateDraft,
  solved: ReadonlySet<string>,
): { readonly removed: { at: number; text: string }[]; readonly counts: SeverityCounts } {
  const issues = itemsOf(field(root, 'issues'))
  const removed = issues.flatMap((issue, at) =>
    solved.has(textOf(field(issue, 'id')) ?? '')
      ? [{ at, text: document.text.text.slice(issue.start, issue.end) }]
      : [],
  )
  for (const [at, issue] of issues.entries()) {
    const related = idsOf(field(issue, 'related_issues'))
    const kept = related.filter((id) => !solved.has(id))
    if (kept.length < related.length) draft.set(['issues', at, 'related_issues'], kept)
  }
  for (const { at } of removed.toReversed()) draft.set(['issues', at], undefined)
  const left = issues.filter((_, index) => !removed.some(({ at }) => at === index))
  const counts = countIssues(draft, left.map(countedIssue))
  return { removed, counts }
}

/** The original verifies all waiting fixes at once, which counts as one iteration. */
function countIteration(run: TuningRun, draft: StateDraft, id: string): void {
  const isLast = latestApplied(run).every(
    (other) => other.id === id || textOf(field(other.node, 'verification_result')) !== 'pending',
  )
  const { root } = run.state
  const iterations = numberOf(field(root, 'iteration_count')) ?? 0
  const most = numberOf(field(root, 'max_iterations')) ?? Infinity
  if (isLast && iterations < most) draft.set(['iteration_count'], iterations + 1)
}

function missingChange({ files, state }: TuningRun, id: string, applied: Located): string | undefined {
  const fix = fixNode(state, id)
  if (!fix) return `${id} is not among the proposed fixes, so its changes are unknown.`
  const backup = backupOf(files, state, applied)
  const draft = new Draft(files)
  const changes = changesOf(files, state, fix)
  for (const { path, action } of changes) {
    if (action === 'delete' && draft.has(path)) return `${path} exists again.`
    if (action !== 'delete' && !draft.has(path)) return `${path} is missing.`
  }
  const modifications = changes.filter(({ action }) => action === 'modify')
  for (const path of new Set(modifications.map((change) => change.path))) {
    const ofFile = modifications.filter((change) => change.path === path)
    const current = withoutMarker(draft.text(path).text, id)
    if (!isModified(draft, current, ofFile, backup)) return `Its changes to ${path} are not there.`
  }
  return undefined
}

/**
 * Changes of a file are checked together, as their places may touch. A comment that claims it was applied is no
 * evidence.
 */
function isModified(draft: Draft, current: string, changes: readonly Change[], backup: string | undefined): boolean {
  const reverted = changes
    .toReversed()
    .reduce<string | undefined>((text, change) => (text === undefined ? undefined : unmodified(text, change)), current)
  if (reverted !== undefined) return true
  const [first] = changes
  if (backup === undefined || !first) return false
  const original = attempt(() => draft.text(within(backup, first.relative)).text)
  if (original === undefined) return false
  return attempt(() => changes.reduce((text, change) => modified(text, change), original)) === current
}
