import { Lanes } from './lanes'
import type { Remembered } from './loop'
import { openRunOf } from './turnStore'

/** The runs of agents that began for a loop and were not seen to end. */
export const openRuns = (remembered: Remembered, place: string): string[] => {
  const single = openRunOf(remembered)
  return [...(single === null ? [] : [single]), ...new Lanes(remembered, place).runs.values()]
}
