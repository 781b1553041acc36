import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endWhenIdle } from './idleEnd'

let isBusy: boolean
let ends: number
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  isBusy = false
  ends = 0
  stop = endWhenIdle(
    () => isBusy,
    () => ends++,
  )
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

describe('a background bridge', () => {
  it('stays while it works, and ends once, two seconds after its last work', () => {
    isBusy = true
    vi.advanceTimersByTime(60_000)
    isBusy = false
    vi.advanceTimersByTime(1_500)
    expect(ends).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(ends).toBe(1)
  })

  it('starts counting again when work comes in between', () => {
    isBusy = true
    vi.advanceTimersByTime(500)
    isBusy = false
    vi.advanceTimersByTime(1_500)
    isBusy = true
    vi.advanceTimersByTime(500)
    isBusy = false
    vi.advanceTimersByTime(1_500)
    expect(ends).toBe(0)
  })

  it('waits longer for its first work, and ends when none comes', () => {
    vi.advanceTimersByTime(10_000)
    expect(ends).toBe(0)
    vi.advanceTimersByTime(10_000)
    expect(ends).toBe(1)
  })
})
