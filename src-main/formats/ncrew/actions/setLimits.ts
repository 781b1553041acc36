import { AppError } from '@shared/contract/errors'
import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import type { Offer, Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { numberOf, type LocatedDocument } from '../../text/located'
import { pathTo, type Path } from '../../text/splice'
import { indexFact } from '../indexFacts'
import { reachedLimit } from '../limits'
import { limitOf, maxCost, maxIterations, type State } from '../state'

export function setLimits(files: RunFiles, state: State): Offer[] {
  const { manifest } = state
  if (!manifest) return []
  const used = usedOf(state)
  const limit = state.complete === undefined ? reachedLimit(state) : undefined
  return [
    {
      name: 'set-limits',
      target: '',
      title: 'Set turn and cost limits',
      effect: 'Writes the new limits to the manifest; they apply from the next turn.',
      fields: [
        {
          name: 'iterations',
          label: 'Maximum turns',
          kind: 'number',
          value: maxIterations(state),
          minimum: 1,
          step: 1,
          help: `Used: ${used.iterations}.`,
          optional: true,
        },
        {
          name: 'cost',
          label: 'Maximum cost (USD)',
          kind: 'number',
          value: maxCost(state),
          minimum: 0,
          step: 0.01,
          help: `Spent: ${used.cost.toFixed(2)}.`,
          optional: true,
        },
      ],
      source: limit?.source?.file === manifest.file ? limit.source : { file: manifest.file },
      answersNeed: limit !== undefined,
      plan: (values) => planLimits(files, state, manifest, values),
    },
  ]
}

const usedOf = (state: State) => ({
  iterations: indexFact(state, 'current_iteration', numberOf).value ?? 0,
  cost: indexFact(state, 'cost_so_far', numberOf).value ?? 0,
})

function planLimits(files: RunFiles, state: State, manifest: LocatedDocument, values: Values): ActionPlan {
  const iterations = values.number('iterations') ?? maxIterations(state)
  const cost = values.number('cost') ?? maxCost(state)
  if (iterations === maxIterations(state) && cost === maxCost(state))
    throw new AppError('INVALID', 'These limits already apply.', {
      hint: 'Enter a different number of turns or cost.',
    })
  const draft = new Draft(files)
  const set = (name: 'max_iterations' | 'max_cost', value: number): void => {
    const node = limitOf(state, name)
    const path: Path = node ? pathTo(manifest, node) : ['execution', name]
    if (value !== numberOf(node)) draft.yaml(manifest.file, path, value)
  }
  if (iterations !== maxIterations(state)) set('max_iterations', iterations)
  if (cost !== maxCost(state)) set('max_cost', cost)
  const used = usedOf(state)
  const reached = [...(used.iterations >= iterations ? ['turns'] : []), ...(used.cost >= cost ? ['cost'] : [])]
  return {
    summary: `Set the limits to ${iterations} turns and ${cost} USD`,
    changes: draft.changes,
    warnings:
      reached.length === 0
        ? []
        : [`The limit of ${reached.join(' and ')} is already reached, so the loop does not continue.`],
  }
}
