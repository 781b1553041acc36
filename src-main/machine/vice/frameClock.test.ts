import { describe, expect, it } from 'vitest'
import { FrameClock } from './frameClock'

const FRAME_MS = 20

describe('the frames of a VICE', () => {
  it('are late 4 ms before the end that is expected next', () => {
    const clock = new FrameClock()
    clock.started(1_000)
    expect(clock.untilLate(1_000, FRAME_MS)).toBe(16)
    expect(clock.untilLate(1_010, FRAME_MS)).toBe(6)
  })

  it('are counted on while nothing is heard', () => {
    const clock = new FrameClock()
    clock.started(1_000)
    expect(clock.untilLate(1_205, FRAME_MS)).toBe(11)
  })

  it('are late once each: from then on the next one is awaited', () => {
    const clock = new FrameClock()
    clock.started(1_000)
    expect(clock.untilLate(1_016, FRAME_MS)).toBe(20)
    expect(clock.untilLate(1_018, FRAME_MS)).toBe(18)
  })

  it('are not waited for before the first is known', () => {
    expect(new FrameClock().untilLate(1_000, FRAME_MS)).toBe(0)
  })
})
