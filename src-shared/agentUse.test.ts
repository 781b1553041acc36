import { describe, expect, it } from 'vitest'
import { kindsText, pricedText, sumByPhase, sumCostText, sumUse } from './agentUse'
import type { AgentRun } from './contract/agents'

const turn = (task: string | null, changes: Partial<AgentRun> = {}): AgentRun => ({
  run: '1',
  agent: 'coder',
  preset: 'codex',
  purpose: '',
  model: null,
  state: 'ended',
  pid: 7,
  turn: { project: 1, system: 'metashell', place: '', folder: 'one', role: 'executor', task },
  askedAt: 0,
  startedAt: 1_000,
  endedAt: 3_000,
  status: 'success',
  reason: '',
  exitCode: 0,
  stillAlive: [],
  tokens: 150,
  cost: 0.5,
  turns: null,
  lastLine: '',
  uses: [{ model: null, input: 100, output: 30, cacheRead: 20, cacheWrite: null }],
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
  ...changes,
})
const unknown = turn('02', { tokens: null, cost: null })
delete unknown.uses

describe('what turns used', () => {
  it('is added up by kind, and what nobody told is counted apart', () => {
    expect(sumUse([turn('01'), turn('01', { cost: 1, pricesOf: '2026-11-01' }), unknown], 0)).toEqual({
      turns: 3,
      worked: 6_000,
      tokens: 300,
      uncounted: 1,
      cost: 1.5,
      estimated: 1,
      unpriced: 1,
      kinds: { input: 200, output: 60, cacheRead: 40, cacheWrite: null },
    })
  })

  it('is unknown, never 0, where no turn tells it', () => {
    const use = sumUse([unknown], 0)
    expect(use).toMatchObject({ tokens: null, kinds: { input: null }, unpriced: 1 })
    expect([sumCostText(use), kindsText(use.kinds)]).toEqual(['—', '— in, — out, — from the cache, — into the cache'])
  })

  it('says where a cost is from', () => {
    expect([{ cost: 0.125 }, { cost: 0.125, pricesOf: '2026-11-01' }, { cost: null }].map(pricedText)).toEqual([
      '$0.13',
      '≈ $0.13, from prices of 2026-11-01',
      'unknown',
    ])
  })
})

describe('what phases and tasks used', () => {
  const plan = [
    { key: 'p1', title: 'First', phase: null },
    { key: '01', title: 'Read', phase: 'p1' },
    { key: 'p2', title: 'Second', phase: null },
    { key: '02', title: 'Write', phase: 'p2' },
  ]
  const shape = (turns: readonly AgentRun[], of = plan) =>
    sumByPhase(turns, of, 0).map(({ phase, tasks, turns: count }) => [
      phase,
      count,
      tasks.map(({ task, turns: own }) => [task, own]),
    ])

  it('is in the order of the plan, with turns of no task, and of one that is gone, at the end', () => {
    expect(shape([turn(null), turn('gone'), turn('02'), turn('01'), turn('02')])).toEqual([
      ['p1', 1, [['01', 1]]],
      ['p2', 2, [['02', 2]]],
      [
        null,
        2,
        [
          ['gone', 1],
          [null, 1],
        ],
      ],
    ])
  })

  it('is of the phases themselves where a turn works on a whole phase', () => {
    expect(shape([turn('p2'), turn('02')])).toEqual([
      [
        'p2',
        2,
        [
          ['02', 1],
          [null, 1],
        ],
      ],
    ])
    const phases = [{ key: '1', title: 'Only', phase: null }]
    expect(shape([turn('1')], phases)).toEqual([['1', 1, [[null, 1]]]])
  })
})
