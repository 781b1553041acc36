import { expect, it } from 'vitest'
import { keptText } from './keptText'

it('says how many minutes a machine keeps, and what they take', () => {
  const past = {
    start: 985_248,
    now: 985_248 * 91,
    end: 985_248 * 91,
    left: null,
    clockRate: 985_248,
    bytes: 12_345_678,
  }
  expect(keptText(past)).toBe('Keeps 1.5 minutes now, about 12 MB.')
  expect(keptText({ ...past, end: past.start, bytes: 163_840 })).toBe('Keeps 0.0 minutes now, about 1 MB.')
})

it('says nothing of a machine that keeps nothing', () => {
  expect([keptText(null), keptText(undefined)]).toEqual([null, null])
})
