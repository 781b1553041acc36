import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { startFrames } from './frameFeed'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function feed() {
  const state = { isBehind: false, isAway: false, reads: 0, sent: [] as [number, number][], failed: [] as string[] }
  const stop = startFrames({
    rate: 50,
    read: async () => {
      if (state.isAway) throw new AppError('UNREACHABLE', 'It is away.')
      return { frame: { kind: 'frame', id: 'a', machine: 'builtin', time: ++state.reads }, pixels: undefined }
    },
    isBehind: () => state.isBehind,
    send: ({ time, dropped }) => state.sent.push([time, dropped]),
    fail: ({ message }) => state.failed.push(message),
  })
  return { state, stop }
}

describe('frames', () => {
  it('come at the rate until they are stopped', async () => {
    const { state, stop } = feed()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(state.reads).toBe(51)
    stop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(state.sent).toHaveLength(51)
  })

  it('are not read for a reader that is behind, who gets the newest afterwards and how many were left out', async () => {
    const { state, stop } = feed()
    await vi.advanceTimersByTimeAsync(0)
    state.isBehind = true
    await vi.advanceTimersByTimeAsync(200)
    expect(state.reads).toBe(1)
    state.isBehind = false
    await vi.advanceTimersByTimeAsync(20)
    expect(state.sent).toEqual([
      [1, 0],
      [2, 10],
    ])
    stop()
  })

  it('that cannot be read are told of once, until they can be again', async () => {
    const { state, stop } = feed()
    state.isAway = true
    await vi.advanceTimersByTimeAsync(100)
    state.isAway = false
    await vi.advanceTimersByTimeAsync(20)
    state.isAway = true
    await vi.advanceTimersByTimeAsync(100)
    expect(state.failed).toEqual(['It is away.', 'It is away.'])
    stop()
  })
})
