import { numberOf } from '../../formats/text/located'
import { indexFact } from '../../formats/ncrew/indexFacts'
import { maxCost, maxIterations, type State } from '../../formats/ncrew/state'

export interface CrewLimits {
  readonly maxIterations: number
  readonly maxCost: number
}

export interface CrewUsage {
  readonly iterations: number
  readonly cost: number
}

export const crewLimits = (
  state: State,
  requested: { readonly [Name in keyof CrewLimits]?: number | undefined },
): CrewLimits => ({
  maxIterations: requested.maxIterations ?? maxIterations(state),
  maxCost: requested.maxCost ?? maxCost(state),
})

export const crewUsage = (state: State): CrewUsage => ({
  iterations: indexFact(state, 'current_iteration', numberOf).value ?? 0,
  cost: indexFact(state, 'cost_so_far', numberOf).value ?? 0,
})
