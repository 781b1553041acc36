import { listNames } from '@shared/listNames'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { field } from '../../text/located'
import { skillFolder } from '../fix'
import { knownIssues } from '../knownIssues'
import { actionNames, unfixedIssues } from '../progress'
import { issuesOf } from '../scan/issues'
import { proposeFixes } from '../scan/propose'
import { scanSkill } from '../scan/scan'
import { diagnosisAreas } from '../schema'
import { whyIssueIsLeft } from '../shownDetails'
import type { TuningState } from '../state'
import { completeActions } from './completeAction'
import { asJson, outputOf, requireTexts } from './diagnose'
import { addProposals, nextFixNumber, PROPOSALS } from './proposals'
import { filesOf } from './skillTexts'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

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

function leftWarnings(left: readonly string[], state: TuningState): string[] {
  const reasons = new Map(left.map((id) => [id, whyIssueIsLeft(state, id)]))
  return [...new Set(reasons.values())].map((because) => {
    const ids = left.filter((id) => reasons.get(id) === because)
    return `No fix can be generated for ${listNames(ids)}: left to a person or an agent because ${because}.`
  })
}

export function planProposals(run: TuningRun, values: Values): ActionPlan {
  const { state } = run
  const { known, usedIds } = knownIssues(state)
  const texts = requireTexts(run)
  const issues = issuesOf(
    scanSkill(filesOf(texts), diagnosisAreas, () => 0),
    known,
    usedIds,
  )
  const listed = unfixedIssues(state)
  const fixes = proposeFixes(texts, issues, new Set(listed), nextFixNumber(run))
  const fixed = new Set(fixes.flatMap(({ issue_ids }) => issue_ids))
  const left = listed.filter((id) => !fixed.has(id))
  const warnings = leftWarnings(left, state)
  const draft = new StateDraft(run, values)
  if (fixes.length === 0) {
    completeActions(run, draft, values, [{ action: actionNames.propose, outputs: [], result: 'skipped' }])
    return draft.finish('No fix can be generated', warnings)
  }
  addProposals(run, draft, fixes.map(asJson))
  completeActions(run, draft, values, [{ action: actionNames.propose, outputs: [outputOf(run, PROPOSALS)] }])
  return draft.finish(`Proposed ${fixes.length} fix${fixes.length === 1 ? '' : 'es'}`, warnings)
}
