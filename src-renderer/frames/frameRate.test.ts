import { describe, expect, it } from 'vitest'
import { isRateBad } from './frameRate'

const read = (measured: number, execution: 'running' | 'paused' = 'running') => ({
  sampling: { mode: 'free' as const, rate: 50, measured },
  execution,
  slow: null,
  replaying: null,
})

describe('the rate of painted frames', () => {
  it('is bad where the window misses many of those that are read', () => {
    expect([50, 45, 30].map((rate) => isRateBad(rate, read(50)))).toEqual([false, false, true])
  })

  it('is not bad where nothing is painted, little is read, or the machine stands still', () => {
    expect(isRateBad(0, read(50))).toBe(false)
    expect(isRateBad(5, read(10))).toBe(false)
    expect(isRateBad(5, read(50, 'paused'))).toBe(false)
  })
})
