import { expect, it } from 'vitest'
import { changePath } from './changePath'

it('draws a step for each value, oldest first, as high as the largest', () => {
  const changes = [
    { from: 8, to: 4 },
    { from: 0, to: 8 },
  ]
  expect(changePath(changes)).toBe('M0 16.0H33.3V0.0H66.7V8.0H100.0')
})

it('starts at the first value that is known', () => {
  expect(changePath([{ from: null, to: 2 }])).toBe('M0 0.0H50.0V0.0H100.0')
})

it('draws nothing without a change', () => {
  expect(changePath([])).toBe('')
})
