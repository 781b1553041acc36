import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, numberOf, plain, textOf } from '../../text/located'
import { actionNames, canIterate, isDoneInRound, openFixes, unverifiedFixes } from '../progress'
import { diagnosisAreas } from '../schema'
import { planCompletion } from './complete'
import { latestApplied, needOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

export function continueRun(run: TuningRun): Offer[] {
  const need = needOf(run, 'iterate')
  if (!need && !isVerified(run)) return []
  return [
    {
      name: 'continue',
      target: '',
      title: 'Start another iteration or end the run',
      effect:
        'Another iteration clears the four diagnoses and sets open proposals aside, so that the skill is diagnosed again. Otherwise the run is set to completed.',
      fields: [
        {
          name: 'go',
          label: 'Another iteration',
          kind: 'choice',
          value: 'yes',
          options: [
            { value: 'yes', label: 'Yes, diagnose again' },
            { value: 'no', label: 'No, end the run' },
          ],
        },
      ],
      source: need?.source ?? placeOf(run, field(run.state.root, 'applied_fixes')),
      answersNeed: need !== undefined,
      plan: (values) => (values.text('go') === 'yes' ? planIteration(run, values) : planCompletion(run, values)),
    },
  ]
}

export function planIteration(run: TuningRun, values: Values): ActionPlan {
  const { state, files } = run
  const draft = new StateDraft(run, values)
  for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
  const used = numberOf(field(state.root, 'iteration_count')) ?? 0
  // The last verification of a round counts it: there is none where nobody wanted a fix, or no scan can tell.
  const isCounted = isDoneInRound(state, actionNames.verify) && unverifiedFixes(state).length === 0
  const iterations = isCounted ? used : used + 1
  if (iterations !== used) draft.set(['iteration_count'], iterations)
  setAside(run, draft, within(files.candidate.marker, `fixes/round-${iterations}.json`))
  return draft.finish('Started another iteration', [
    'The original skill tuning lists issues that it finds again twice; Bridgedeck does not.',
  ])
}

function setAside({ state }: TuningRun, draft: StateDraft, file: string): void {
  const open = new Set(openFixes(state).map(({ id }) => id.value))
  const proposed = itemsOf(field(state.root, 'proposed_fixes'))
  const left = proposed.flatMap((node, at) => (open.has(textOf(field(node, 'id')) ?? null) ? [{ node, at }] : []))
  if (left.length === 0) return
  draft.write(
    file,
    `${JSON.stringify(
      left.map(({ node }) => plain(node)),
      undefined,
      2,
    )}\n`,
  )
  for (const { at } of left.toReversed()) draft.set(['proposed_fixes', at], undefined)
  draft.set(['pending_fixes'], [])
}

function isVerified(run: TuningRun): boolean {
  const { currentAction } = run.state.details
  const results = latestApplied(run).map(({ node }) => textOf(field(node, 'verification_result')))
  return (
    run.status === 'running' &&
    currentAction.value === null &&
    results.length > 0 &&
    !results.includes('pending') &&
    canIterate(run.state)
  )
}
