/** How much a crew may use, and how much it has used. */
import { numberOf } from '../../formats/text/located'
import { indexFact } from '../../formats/ncrew/indexFacts'
import { maxCost, maxIterations, type State } from '../../formats/ncrew/state'

export interface CrewLimits {
  readonly maxIterations: number
  /** USD */
  readonly maxCost: number
}

export interface CrewUsage {
  readonly iterations: number
  /** USD */
  readonly cost: number
}

/** What the person set for this start, else what the manifest says, else the defaults. */
export const crewLimits = (
  state: State,
  requested: { readonly [Name in keyof CrewLimits]?: number | undefined },
): CrewLimits => ({
  maxIterations: requested.maxIterations ?? maxIterations(state),
  maxCost: requested.maxCost ?? maxCost(state),
})

/** From INDEX.md; what it does not say counts as 0. */
export const crewUsage = (state: State): CrewUsage => ({
  iterations: indexFact(state, 'current_iteration', numberOf).value ?? 0,
  cost: indexFact(state, 'cost_so_far', numberOf).value ?? 0,
})
