import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { Heartbeat, type HeartbeatOptions } from './heartbeat'

describe('the heartbeat of VICE', () => {
  let client: { answeredAt: number; busy: boolean; silent: boolean; closed: boolean }
  let ask: Mock<() => Promise<void>>

  beforeEach(() => {
    client = { answeredAt: 0, busy: false, silent: false, closed: false }
    ask = vi.fn(() => Promise.resolve())
  })
  afterEach(() => {
    client.closed = true
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

  const beats = async (count: number): Promise<void> => {
    const before = ask.mock.calls.length
    await vi.waitFor(() => expect(ask.mock.calls.length).toBeGreaterThanOrEqual(before + count), { timeout: 60_000 })
  }

  it('asks a VICE that nobody reads, again and again', async () => {
    start()
    await beats(2)
  })

  it('does not ask while answers come, or one is awaited', async () => {
    client.busy = true
    const read = setInterval(() => (client.answeredAt = performance.now()), 50)
    start()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    client.busy = false
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    clearInterval(read)
    expect(ask).not.toHaveBeenCalled()
    await beats(1)
  })

  it('asks a VICE that asking disturbs only once its process stands still', async () => {
    let hangs = false
    let time = 0
    start({
      disturbs: () => true,
      processTime: () => Promise.resolve(hangs ? time : (time = performance.now() / 2_000)),
    })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(ask).not.toHaveBeenCalled()
    hangs = true
    await beats(1)
  })

  it('does not ask a VICE that asking disturbs where its process cannot be seen', async () => {
    start({ disturbs: () => true })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(ask).not.toHaveBeenCalled()
  })
})
