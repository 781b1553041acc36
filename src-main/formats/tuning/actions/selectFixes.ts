import type { Offer } from '../../edit/offer'
import { booleanOf, field, itemsOf, textOf, type Located } from '../../text/located'
import { ROLLED_BACK } from '../schema'
import { answers, idsOf, latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

/** Fixes that can be chosen at a time. */
const MAX_OPTIONS = 500

/** Applied and neither failed nor taken back. */
const isInEffect = (node: Located): boolean => {
  const result = textOf(field(node, 'verification_result'))
  return booleanOf(field(node, 'success')) !== false && result !== 'fail' && result !== ROLLED_BACK
}

/** Which of the proposed fixes wait to be applied. */
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
  const need = answers(run, 'approval', 'Choose the fixes to apply')
  return [
    {
      name: 'select-fixes',
      target: '',
      title: 'Choose the fixes to apply',
      effect:
        'The fixes chosen wait to be applied, one after the other; nothing in the skill changes yet. With none chosen the run asks again.',
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
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const chosen = values.several('fixes')
        draft.set(['pending_fixes'], [...chosen])
        return draft.finish(
          chosen.length === 0 ? 'Chose no fix' : `Chose ${chosen.join(', ')}`,
          chosen.length === 0
            ? ['Without a fix chosen the run asks for fixes again, without end: end it or leave it.']
            : [],
        )
      },
    },
  ]
}
