import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { booleanOf, field, itemsOf, textOf, type Located } from '../../text/located'
import { actionNames, awaitsChoice } from '../progress'
import { ROLLED_BACK } from '../schema'
import { completeActions } from './completeAction'
import { idsOf, latestApplied, needOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

const MAX_OPTIONS = 500

const isInEffect = (node: Located): boolean => {
  const result = textOf(field(node, 'verification_result'))
  return booleanOf(field(node, 'success')) !== false && result !== 'fail' && result !== ROLLED_BACK
}

/** @param chosen ids in the order in which they are applied */
export function planSelection(run: TuningRun, chosen: readonly string[], values: Values): ActionPlan {
  const draft = new StateDraft(run, values)
  draft.set(['pending_fixes'], [...chosen])
  if (chosen.length > 0) return draft.finish(`Chose ${chosen.join(', ')}`)
  // Nothing else tells that the person has chosen.
  if (awaitsChoice(run.state))
    completeActions(run, draft, values, [{ action: actionNames.select, outputs: [], result: 'skipped' }])
  return draft.finish('Chose no fix', ['With no fix chosen, the run goes on to its next iteration, or to its end.'])
}

export function selectFixes(run: TuningRun): Offer[] {
  const { root } = run.state
  const inEffect = new Set(latestApplied(run).flatMap(({ id, node }) => (isInEffect(node) ? [id] : [])))
  const proposed = itemsOf(field(root, 'proposed_fixes')).flatMap((node) => {
    const id = textOf(field(node, 'id'))
    return id === undefined || inEffect.has(id)
      ? []
      : [{ id, label: [id, textOf(field(node, 'description'))].filter(Boolean).join(': ') }]
  })
  if (run.status !== 'running' || proposed.length === 0) return []
  const pending = idsOf(field(root, 'pending_fixes'))
  const need = needOf(run, 'chooseFixes')
  return [
    {
      name: 'select-fixes',
      target: '',
      title: 'Choose the fixes to apply',
      effect: 'Queues the chosen fixes, to be applied one after the other. The skill does not change yet.',
      fields: [
        {
          name: 'fixes',
          label: 'Fixes',
          kind: 'several',
          value: pending,
          options: proposed.slice(0, MAX_OPTIONS).map(({ id, label }) => ({ value: id, label })),
          optional: true,
        },
      ],
      source: need?.source ?? placeOf(run, field(root, 'pending_fixes')),
      answersNeed: need !== undefined,
      plan: (values) => planSelection(run, values.several('fixes'), values),
    },
  ]
}
