import { Lanes } from './lanes'
import type { Remembered } from './loop'
import { openRunOf } from './turnStore'

export const openRuns = (remembered: Remembered, place: string): string[] => {
  const single = openRunOf(remembered)
  return [...(single === null ? [] : [single]), ...new Lanes(remembered, place).runs.values()]
}
