import { describe, expect, it } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { agentFigures, costText } from './agentFigures'

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

describe('the figures of agents', () => {
  it('count those at work, whenever they began, and not those that wait', () => {
    const runs = [
      run({ state: 'running', startedAt: 5 }),
      run({ state: 'stopping' }),
      run({ state: 'left' }),
      run({ state: 'waiting', startedAt: null }),
      run({}),
    ]
    expect(agentFigures(runs, MIDNIGHT).atWork).toBe(3)
  })

  it('sum what the runs of today cost, and say where some did not say', () => {
    const runs = [run({}), run({ cost: 0.5 }), run({ startedAt: 999, cost: 9 })]
    expect(costText(agentFigures(runs, MIDNIGHT))).toBe('$0.75')
    expect(costText(agentFigures([...runs, run({ cost: null })], MIDNIGHT))).toBe('$0.75+')
    expect(costText(agentFigures([run({ state: 'running', cost: null })], MIDNIGHT))).toBe('$0.00')
  })
})
