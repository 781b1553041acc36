import { expect, it } from 'vitest'
import { localDay, localNight } from './budget'

it('A night lasts from noon to noon, and has the day on which it began', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)
  expect([at(23, 12), at(23, 23, 59), at(24, 0), at(24, 11, 59)].map((time) => localNight(time))).toEqual(
    Array.from({ length: 4 }, () => '2026-11-23'),
  )
  expect(localNight(at(24, 12))).toBe('2026-11-24')
  expect(localDay(at(24, 0))).toBe('2026-11-24')
})
