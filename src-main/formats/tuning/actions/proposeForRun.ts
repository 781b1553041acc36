import { listNames } from '@shared/listNames'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, textOf } from '../../text/located'
import { skillFolder } from '../fix'
import { knownIssues } from '../knownIssues'
import { actionNames } from '../progress'
import { issuesOf } from '../scan/issues'
import { proposeFixes } from '../scan/propose'
import { scanSkill } from '../scan/scan'
import { diagnosisAreas } from '../schema'
import { completeActions } from './completeAction'
import { asJson, outputOf, requireTexts } from './diagnose'
import { filesOf } from './skillTexts'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Generates fixes for the issues of a run, once those proposed before are applied. */
export function proposeForRun(run: TuningRun): Offer[] {
  const { files, state, status } = run
  const { details, root } = state
  const isIdle = status === 'running' && details.currentAction.value === null
  const hasOpen = details.fixes.some(({ applied }) => applied.length === 0)
  if (!isIdle || hasOpen || details.issues.length === 0 || skillFolder(files, state) === undefined) return []
  return [
    {
      name: 'propose-fixes',
      target: '',
      title: 'Propose fixes',
      effect:
        'Generates fixes without an agent, each tried in memory first: it applies, and its issue is gone when the skill is scanned with it. The skill does not change.',
      fields: [],
      source: placeOf(run, field(root, 'proposed_fixes')),
      answersNeed: false,
      plan: (values) => planProposals(run, values),
    },
  ]
}

export function planProposals(run: TuningRun, values: Values): ActionPlan {
  const { files, state } = run
  const { known, usedIds } = knownIssues(state)
  const texts = requireTexts(run)
  const issues = issuesOf(
    scanSkill(filesOf(texts), diagnosisAreas, () => 0),
    known,
    usedIds,
  )
  const listed = known.map(({ id }) => id)
  const fixes = proposeFixes(texts, issues, new Set(listed), nextNumber(run))
  const fixed = new Set(fixes.flatMap(({ issue_ids }) => issue_ids))
  const left = listed.filter((id) => !fixed.has(id))
  const warnings =
    left.length === 0 ? [] : [`No fix can be generated for ${listNames(left)}. Change the skill in an editor.`]
  const draft = new StateDraft(run, values)
  if (fixes.length === 0) {
    completeActions(run, draft, values, [{ action: actionNames.propose, outputs: [], result: 'skipped' }])
    return draft.finish('No fix can be generated', warnings)
  }
  const first = itemsOf(field(state.root, 'proposed_fixes')).length
  fixes.forEach((fix, index) => draft.set(['proposed_fixes', first + index], asJson(fix)))
  const file = 'fixes/fix-proposals.json'
  draft.write(within(files.candidate.marker, file), `${JSON.stringify(fixes, undefined, 2)}\n`)
  completeActions(run, draft, values, [{ action: actionNames.propose, outputs: [outputOf(run, file)] }])
  return draft.finish(`Proposed ${fixes.length} fix${fixes.length === 1 ? '' : 'es'}`, warnings)
}

/** Of the next fix: ids are never used twice. */
function nextNumber({ state: { root } }: TuningRun): number {
  const ids = [
    ...itemsOf(field(root, 'proposed_fixes')).map((fix) => textOf(field(fix, 'id'))),
    ...itemsOf(field(root, 'applied_fixes')).map((fix) => textOf(field(fix, 'fix_id'))),
  ]
  const numbers = ids.map((id) => Number(/^FIX-(\d{1,9})$/.exec(id ?? '')?.[1] ?? 0))
  return 1 + numbers.reduce((most, number) => Math.max(most, number), 0)
}
