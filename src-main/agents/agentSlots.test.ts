import { describe, expect, it } from 'vitest'
import { AgentSlots } from './agentSlots'

const never = new AbortController().signal

describe('the places of agents', () => {
  it('are given up to the limit, then to those that have waited longest', async () => {
    const slots = new AgentSlots(() => 1)
    const order: string[] = []
    expect(await slots.acquire(never)).toBe(true)
    const waiting = ['first', 'second'].map((name) => slots.acquire(never).then(() => order.push(name)))
    slots.release()
    await waiting[0]
    expect(order).toEqual(['first'])
    expect(slots.taken).toBe(1)
    slots.release()
    await waiting[1]
    expect(order).toEqual(['first', 'second'])
  })

  it('are not taken by one that stops waiting', async () => {
    const slots = new AgentSlots(() => 1)
    await slots.acquire(never)
    const stop = new AbortController()
    const stopped = slots.acquire(stop.signal)
    const next = slots.acquire(never)
    stop.abort()
    expect(await stopped).toBe(false)
    slots.release()
    expect(await next).toBe(true)
    expect(await slots.acquire(AbortSignal.abort())).toBe(false)
  })

  it('are given at once when the limit grows', async () => {
    let limit = 0
    const slots = new AgentSlots(() => limit)
    const waiting = Promise.all([slots.acquire(never), slots.acquire(never)])
    limit = 2
    slots.admit()
    expect(await waiting).toEqual([true, true])
    expect(slots.tryAcquire()).toBe(false)
  })
})
