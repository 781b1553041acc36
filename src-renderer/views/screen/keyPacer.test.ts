import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { C64Key } from '@shared/c64/keyboardMatrix'
import { KeyPacer, SHORTEST_STATE } from './keyPacer'

describe('KeyPacer', () => {
  let sent: { keys: string; at: number }[]
  let pacer: KeyPacer

  beforeEach(() => {
    vi.useFakeTimers({ now: 1000 })
    sent = []
    pacer = new KeyPacer(
      (keys: readonly C64Key[]) => sent.push({ keys: keys.join(), at: Date.now() - 1000 }),
      () => Date.now(),
    )
  })
  afterEach(() => void vi.useRealTimers())

  it('hands on the first key at once, and a tap’s end only when the machine can have noticed it', () => {
    pacer.set(['a'])
    pacer.set([])
    vi.runAllTimers()
    expect(sent).toEqual([
      { keys: 'a', at: 0 },
      { keys: '', at: SHORTEST_STATE },
    ])
  })

  it('keeps fast keys apart and in order', () => {
    pacer.set(['left_shift', '2'])
    pacer.set([])
    pacer.set(['k'])
    pacer.set([])
    vi.runAllTimers()
    expect(sent.map(({ keys }) => keys)).toEqual(['left_shift,2', '', 'k', ''])
    expect(sent.map(({ at }) => at)).toEqual([0, 1, 2, 3].map((index) => index * SHORTEST_STATE))
  })

  it('adds no delay to what lasted long enough by itself', () => {
    pacer.set(['a'])
    vi.advanceTimersByTime(200)
    pacer.set([])
    expect(sent).toEqual([
      { keys: 'a', at: 0 },
      { keys: '', at: 200 },
    ])
  })

  it('takes no notice of a set that is the same as before', () => {
    pacer.set(['a'])
    pacer.set(['a'])
    vi.runAllTimers()
    expect(sent).toHaveLength(1)
  })
})
