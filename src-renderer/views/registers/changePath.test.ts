import { expect, it } from 'vitest'
import { changePath } from './changePath'

it('draws each change as a step at its time, up to now', () => {
  const changes = [
    { clock: 150, from: 255, to: 0 },
    { clock: 100, from: 0, to: 255 },
  ]
  expect(changePath(changes, 200)).toBe('M0 16.0H0.0V0.0H50.0V16.0H100')
})

it('draws nothing without a change', () => {
  expect(changePath([], 200)).toBe('')
})
