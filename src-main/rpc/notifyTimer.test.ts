import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NotifyTimer } from './notifyTimer'

describe('a notify timer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('notifies once for all that was scheduled within its time, and again for what comes after', () => {
    const notify = vi.fn()
    const timer = new NotifyTimer(100, notify)
    timer.schedule()
    vi.advanceTimersByTime(60)
    timer.schedule()
    vi.advanceTimersByTime(39)
    expect(notify).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(notify).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(200)
    expect(notify).toHaveBeenCalledOnce()
    timer.schedule()
    vi.advanceTimersByTime(100)
    expect(notify).toHaveBeenCalledTimes(2)
  })

  it('notifies at once when asked to, and not a second time', () => {
    const notify = vi.fn()
    const timer = new NotifyTimer(100, notify)
    timer.schedule()
    timer.notifyNow()
    vi.advanceTimersByTime(200)
    expect(notify).toHaveBeenCalledOnce()
  })

  it('can be scheduled by what it notifies', () => {
    const timer = new NotifyTimer(100, () => {
      if (++count < 3) timer.schedule()
    })
    let count = 0
    timer.schedule()
    vi.advanceTimersByTime(1000)
    expect(count).toBe(3)
  })

  it('does not notify once it is cancelled', () => {
    const notify = vi.fn()
    const timer = new NotifyTimer(100, notify)
    timer.schedule()
    timer.cancel()
    vi.advanceTimersByTime(200)
    expect(notify).not.toHaveBeenCalled()
  })
})
