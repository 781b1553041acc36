import { AppError } from '@shared/contract/errors'
import { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { numberOf } from '../../text/located'
import { pathTo, type Path } from '../../text/splice'
import { indexField, limitOf, maxCost, maxIterations, type State } from '../state'

export function setLimits(files: RunFiles, state: State): Offer[] {
  const { manifest } = state
  if (!manifest) return []
  const used = {
    max_iterations: numberOf(indexField(state, 'current_iteration')) ?? 0,
    max_cost: numberOf(indexField(state, 'cost_so_far')) ?? 0,
  }
  const set = (draft: Draft, name: keyof typeof used, value: number | undefined): void => {
    const node = limitOf(state, name)
    const path: Path = node ? pathTo(manifest, node) : ['execution', name]
    if (value !== undefined && value !== numberOf(node)) draft.yaml(manifest.file, path, value)
  }
  const reached = used.max_iterations >= maxIterations(state) || used.max_cost >= maxCost(state)
  return [
    {
      name: 'set-limits',
      target: '',
      title: 'Set turn and cost limits',
      effect: 'Writes the new limits to the manifest; they apply from the next turn.',
      fields: [
        {
          name: 'iterations',
          label: 'Turns at most',
          kind: 'number',
          value: maxIterations(state),
          minimum: 1,
          step: 1,
          help: `${used.max_iterations} are used.`,
          optional: true,
        },
        {
          name: 'cost',
          label: 'Cost at most, USD',
          kind: 'number',
          value: maxCost(state),
          minimum: 0,
          step: 0.01,
          help: `${used.max_cost.toFixed(2)} are spent.`,
          optional: true,
        },
      ],
      source: { file: manifest.file },
      answersNeed: false,
      plan: (values) => {
        const iterations = values.number('iterations') ?? maxIterations(state)
        const cost = values.number('cost') ?? maxCost(state)
        if (iterations === maxIterations(state) && cost === maxCost(state))
          throw new AppError('INVALID', 'These limits already apply.', {
            hint: 'Enter a different number of turns or cost.',
          })
        const draft = new Draft(files)
        if (iterations !== maxIterations(state)) set(draft, 'max_iterations', iterations)
        if (cost !== maxCost(state)) set(draft, 'max_cost', cost)
        const left = [
          ...(used.max_iterations >= iterations ? ['turns'] : []),
          ...(used.max_cost >= cost ? ['cost'] : []),
        ]
        return {
          summary: `Set the limits to ${iterations} turns and ${cost} USD`,
          changes: draft.changes,
          warnings:
            left.length === 0
              ? []
              : [
                  `The limit of ${left.join(' and ')} is ${reached ? 'still' : 'then'} reached, so the loop does not go on.`,
                ],
        }
      },
    },
  ]
}
