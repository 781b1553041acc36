import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { Heartbeat, type HeartbeatOptions } from './heartbeat'

describe('the heartbeat of VICE', () => {
  let client: { answeredAt: number; busy: boolean; silent: boolean; closed: boolean }
  let ask: Mock<() => Promise<void>>

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    client = { answeredAt: 0, busy: false, silent: false, closed: false }
    ask = vi.fn(() => Promise.resolve())
  })
  afterEach(() => {
    client.closed = true
    vi.useRealTimers()
  })

  const start = (changes: Partial<HeartbeatOptions> = {}) =>
    new Heartbeat({
      client,
      waits: () => false,
      ask,
      disturbs: () => false,
      processTime: () => Promise.resolve(undefined),
      ...changes,
    })

  /** @returns how often VICE is asked meanwhile */
  const askedIn = async (ms: number): Promise<number> => {
    const before = ask.mock.calls.length
    await vi.advanceTimersByTimeAsync(ms)
    return ask.mock.calls.length - before
  }

  it('asks a VICE that nobody reads, again and again', async () => {
    start()
    expect(await askedIn(10_000)).toBeGreaterThanOrEqual(2)
  })

  it('does not ask while answers come, or one is awaited', async () => {
    client.busy = true
    const read = setInterval(() => (client.answeredAt = performance.now()), 50)
    start()
    expect(await askedIn(10_000)).toBe(0)
    client.busy = false
    expect(await askedIn(10_000)).toBe(0)
    clearInterval(read)
    client.busy = true
    expect(await askedIn(10_000)).toBe(0)
    client.busy = false
    expect(await askedIn(10_000)).toBeGreaterThanOrEqual(1)
  })

  it('asks a VICE that asking disturbs only once its process stands still', async () => {
    let hangs = false
    let time = 0
    start({
      disturbs: () => true,
      processTime: () => Promise.resolve(hangs ? time : (time = performance.now() / 2_000)),
    })
    expect(await askedIn(10_000)).toBe(0)
    hangs = true
    expect(await askedIn(10_000)).toBeGreaterThanOrEqual(1)
  })

  it('does not ask a VICE that asking disturbs where its process cannot be seen', async () => {
    start({ disturbs: () => true })
    expect(await askedIn(10_000)).toBe(0)
  })
})
