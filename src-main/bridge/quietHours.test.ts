import { describe, expect, it } from 'vitest'
import { isQuiet } from './quietHours'

const quietHoursOf = (from: number | null, to: number | null): number[] =>
  Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isQuiet({ from, to }, hour))

describe('Hours without notifications', () => {
  it('are from the first one up to the other, also over midnight', () => {
    expect(quietHoursOf(9, 12)).toEqual([9, 10, 11])
    expect(quietHoursOf(22, 3)).toEqual([0, 1, 2, 22, 23])
  })

  it.each([
    [null, 7],
    [22, null],
    [8, 8],
  ])('are none from %s to %s', (from, to) => {
    expect(quietHoursOf(from, to)).toEqual([])
  })
})
