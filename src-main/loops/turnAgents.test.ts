import { describe, expect, it } from 'vitest'
import type { ServiceRefusal } from '@shared/contract/agents'
import { nextTry, TurnAgents } from './turnAgents'

const NOW = Date.UTC(2026, 10, 23, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
type Known = readonly [agent: string, until: number, isLimit?: boolean]
const waits = (...known: readonly Known[]) =>
  new Map(known.map(([agent, until, isLimit = true]) => [agent, { until, isLimit }]))
const next = (...known: readonly Known[]) => nextTry('claude', 'codex', waits(...known), NOW)

describe('a turn', () => {
  it('is the agent’s of its role, also once its limit is over', () => {
    expect(next()).toEqual({ agent: 'claude', at: NOW })
    expect(next(['claude', NOW])).toEqual({ agent: 'claude', at: NOW })
    expect(next(['claude', NOW], ['codex', NOW])).toEqual({ agent: 'claude', at: NOW })
  })

  it('is the second’s while the first is at its limit, and of nobody else', () => {
    expect(next(['claude', NOW + 1])).toEqual({ agent: 'codex', at: NOW })
    expect(next(['claude', Infinity])).toEqual({ agent: 'codex', at: NOW })
    expect(nextTry('claude', undefined, waits(['claude', NOW + 1]), NOW)).toEqual({ agent: 'claude', at: NOW + 1 })
  })

  it('waits for the first where that failed in another way', () => {
    expect(next(['claude', NOW + 1, false])).toEqual({ agent: 'claude', at: NOW + 1 })
    expect(next(['claude', Infinity, false])).toBeUndefined()
  })

  it('waits for the one that is free first where both are at their limit', () => {
    expect(next(['claude', NOW + 2], ['codex', NOW + 1])).toEqual({ agent: 'codex', at: NOW + 1 })
    expect(next(['claude', NOW + 1], ['codex', NOW + 2])).toEqual({ agent: 'claude', at: NOW + 1 })
    expect(next(['claude', NOW + 1], ['codex', Infinity, false])).toEqual({ agent: 'claude', at: NOW + 1 })
    expect(next(['claude', Infinity], ['codex', Infinity])).toBeUndefined()
  })
})

describe('the agents of a turn', () => {
  const untold: ServiceRefusal = { kind: 'usage-limit', resetsAt: null }

  it('go on with what the turns before knew, where there is a second', () => {
    const limits = new Map<string, number>()
    new TurnAgents('claude', 'codex', limits).noteRefusal('claude', { ...untold, resetsAt: NOW + HOUR_MS }, NOW)
    const later = new TurnAgents('claude', 'codex', limits)
    expect(later.next(NOW + HOUR_MS)).toEqual({ agent: 'codex', at: NOW + HOUR_MS })
    expect(later.next(NOW + HOUR_MS + MINUTE_MS)?.agent).toBe('claude')
    expect(new TurnAgents('claude', undefined, limits).next(NOW)).toEqual({ agent: 'claude', at: NOW })
  })

  it('look again at a limit that names no time, however often it was reached', () => {
    const limits = new Map<string, number>()
    const turn = new TurnAgents('claude', 'codex', limits)
    for (let tries = 0; tries < 3; tries++) turn.noteRefusal('claude', untold, NOW)
    expect(turn.triesOf('claude')).toBe(3)
    expect(turn.next(NOW + 24 * HOUR_MS)?.agent).toBe('codex')
    expect(new TurnAgents('claude', 'codex', limits).next(NOW + 15 * MINUTE_MS)?.agent).toBe('claude')
  })

  it('remember no failure that is not a limit', () => {
    const limits = new Map<string, number>()
    const turn = new TurnAgents('claude', 'codex', limits)
    for (const kind of ['unreachable', 'unknown', 'person'] as const)
      turn.noteRefusal('claude', { kind, resetsAt: null }, NOW)
    expect([turn.next(NOW), limits.size]).toEqual([undefined, 0])
  })
})
