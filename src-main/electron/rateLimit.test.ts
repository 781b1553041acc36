import { afterEach, expect, it, vi } from 'vitest'
import { RateLimit } from './rateLimit'

afterEach(() => void vi.useRealTimers())

it('allows so many of one name a second, and as many again in the next', () => {
  vi.useFakeTimers()
  const limit = new RateLimit(3)
  const four = () => Array.from({ length: 4 }, () => limit.allows('a'))
  expect(four()).toEqual([true, true, true, false])
  expect(limit.allows('b')).toBe(true)
  vi.advanceTimersByTime(999)
  expect(limit.allows('a')).toBe(false)
  vi.advanceTimersByTime(1)
  expect(four()).toEqual([true, true, true, false])
})
