import { describe, expect, it } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { sumCostText } from '@shared/agentUse'
import { agentFigures } from './agentFigures'

const MIDNIGHT = 1_000

const run = (changes: Partial<AgentRun>): AgentRun => ({
  run: '0a',
  agent: 'claude',
  preset: 'claude',
  purpose: '',
  turn: null,
  model: null,
  state: 'ended',
  askedAt: 2_000,
  startedAt: 2_000,
  endedAt: 3_000,
  pid: 7,
  status: 'success',
  reason: '',
  exitCode: 0,
  tokens: null,
  cost: 0.25,
  turns: null,
  stillAlive: [],
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
  lastLine: '',
  ...changes,
})

const figures = (runs: readonly AgentRun[]) => agentFigures(runs, MIDNIGHT, 3_000)

describe('the figures of agents', () => {
  it('count those at work, whenever they began, and not those that wait', () => {
    const runs = [
      run({ state: 'running', startedAt: 5 }),
      run({ state: 'stopping' }),
      run({ state: 'left' }),
      run({ state: 'waiting', startedAt: null }),
      run({}),
    ]
    expect(figures(runs).atWork).toBe(3)
  })

  it('sum what the runs of today cost, and say where some did not say', () => {
    const runs = [run({}), run({ cost: 0.5 }), run({ startedAt: 999, cost: 9 })]
    expect(sumCostText(figures(runs).today)).toBe('$0.75')
    expect(sumCostText(figures([...runs, run({ cost: null })]).today)).toBe('$0.75+')
    expect(sumCostText(figures([run({ pricesOf: '2026-11-01' })]).today)).toBe('≈ $0.25')
    expect(sumCostText(figures([run({ state: 'running', cost: null })]).today)).toBe('$0.00')
  })
})
