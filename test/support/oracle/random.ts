/** Chance that is the same for the same seed. */
import { randomNumbers } from '../../fuzz/fuzz'

export interface Chance {
  /** Below `limit`. */
  readonly below: (limit: number) => number
  readonly byte: () => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** True once in `times`. */
  readonly once: (times: number) => boolean
}

/** @param index of the case: each has its own numbers, so that one can be made without those before it */
export function chance(seed: number, index: number): Chance {
  // Numbers that lie close together start sequences that do not.
  const mixed = Math.imul(Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ index, 0x85ebca6b)
  const next = randomNumbers((mixed ^ (mixed >>> 15)) << 1)
  for (let skipped = 0; skipped < 4; skipped++) next()
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    byte: () => below(0x100),
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
    once: (times) => below(times) === 0,
  }
}
