/** How much a crew may use, and how much it has used. */
import { numberOf } from '../../formats/text/located'
import { indexFact } from '../../formats/ncrew/read'
import { maxCost, maxIterations, type State } from '../../formats/ncrew/state'

export interface Limits {
  readonly maxIterations: number
  /** USD */
  readonly maxCost: number
}

export interface Used {
  readonly iterations: number
  /** USD */
  readonly cost: number
}

/** What the person wants of this start, else what the manifest says, else the defaults. */
export const limitsOf = (state: State, wanted: { readonly [Name in keyof Limits]?: number | undefined }): Limits => ({
  maxIterations: wanted.maxIterations ?? maxIterations(state),
  maxCost: wanted.maxCost ?? maxCost(state),
})

/** As INDEX.md says; what it does not say is nothing. */
export const usedOf = (state: State): Used => ({
  iterations: indexFact(state, 'current_iteration', numberOf).value ?? 0,
  cost: indexFact(state, 'cost_so_far', numberOf).value ?? 0,
})

export const dollars = (amount: number): string => `$${amount.toFixed(2)}`
