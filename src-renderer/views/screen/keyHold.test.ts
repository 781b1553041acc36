import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostKey } from '@shared/c64/keyboard'
import { KeyHold, SHORTEST_PRESS } from './keyHold'

const key = (code: string): HostKey => ({ code, key: code, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false })

describe('KeyHold', () => {
  const told = vi.fn<(codes: string[]) => void>()
  let hold: KeyHold

  beforeEach(() => {
    vi.useFakeTimers()
    told.mockClear()
    hold = new KeyHold(
      (held) => told(held.map(({ code }) => code)),
      () => Date.now(),
    )
  })
  afterEach(() => void vi.useRealTimers())

  it('holds a tap until the machine has scanned its keyboard', () => {
    hold.press(key('KeyA'))
    hold.release('KeyA')
    expect(told.mock.calls).toEqual([[['KeyA']]])
    vi.advanceTimersByTime(SHORTEST_PRESS)
    expect(told).toHaveBeenLastCalledWith([])
  })

  it('releases a key at once that was down for longer', () => {
    hold.press(key('KeyA'))
    vi.advanceTimersByTime(SHORTEST_PRESS + 1)
    hold.release('KeyA')
    expect(told).toHaveBeenLastCalledWith([])
  })

  it('keeps a key down that is pressed again while its tap is held', () => {
    hold.press(key('KeyA'))
    hold.release('KeyA')
    hold.press(key('KeyA'))
    vi.advanceTimersByTime(SHORTEST_PRESS * 2)
    expect(told).toHaveBeenLastCalledWith(['KeyA'])
  })

  it('releases all at once and then has nothing left to release', () => {
    hold.press(key('KeyA'))
    hold.press(key('KeyB'))
    hold.release('KeyB')
    hold.releaseAll()
    expect(told).toHaveBeenLastCalledWith([])
    const calls = told.mock.calls.length
    vi.runAllTimers()
    hold.releaseAll()
    expect(told).toHaveBeenCalledTimes(calls)
  })
})
