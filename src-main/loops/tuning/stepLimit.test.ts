import { expect, it } from 'vitest'
import { stepLimit } from './stepLimit'

it.each([
  [0, undefined, undefined],
  [49, undefined, undefined],
  [50, undefined, 'Stopped after 50 steps, the limit of one start.'],
  [0, 1, undefined],
  [1, 1, 'Stopped after 1 step, as requested.'],
  [50, 60, undefined],
  [60, 60, 'Stopped after 60 steps, as requested.'],
])('after %i steps, where %s are wanted: %s', (steps, wanted, message) => {
  expect(stepLimit(steps, wanted)?.message).toBe(message)
})
