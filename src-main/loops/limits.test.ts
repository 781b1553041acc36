import { describe, expect, it, vi } from 'vitest'
import type { LoopOptions } from '@shared/contract/loopOptions'
import type { AgentResult } from '../agents/agent'
import { describeResult, StartLimits } from './limits'

const result: AgentResult = {
  status: 'success',
  data: '',
  reason: '',
  tokens: 120,
  cost: 0.25,
  duration: 1_500,
  exitCode: 0,
  stillAlive: [],
  log: '',
}
const limits = (options: LoopOptions, isPausing = false) => new StartLimits({ options, isPausing: () => isPausing })

describe('what one start may use', () => {
  it('is not limited unless the person says so', () => {
    const free = limits({})
    for (let turn = 0; turn < 1000; turn++) free.count(result)
    expect(free.check()).toBeUndefined()
    expect(free.turnTime()).toBeUndefined()
    expect(free.turnTime(300)).toBe(300)
  })

  it('is a number of turns, or a cost', () => {
    const turns = limits({ maxTurns: 1 })
    expect(turns.check()).toBeUndefined()
    turns.count({ ...result, cost: null })
    expect(turns.check()).toMatchObject({ outcome: 'paused', message: 'Stopped after 1 turn, as requested.' })
    const cost = limits({ maxCost: 0.5 })
    cost.count(result)
    expect(cost.check()).toBeUndefined()
    cost.count(result)
    expect(cost.check()).toMatchObject({ outcome: 'limit', message: expect.stringContaining('$0.50') as string })
  })

  it('is a time, after which no further turn begins', () => {
    vi.useFakeTimers()
    const timed = limits({ maxTime: 60_000 })
    vi.advanceTimersByTime(59_000)
    expect(timed.check()).toBeUndefined()
    vi.advanceTimersByTime(1_000)
    expect(timed.check()).toMatchObject({
      outcome: 'limit',
      code: 20,
      message: 'Time limit reached: it may run for 1:00.',
    })
    vi.useRealTimers()
  })

  it('is the shorter time of the format and the person', () => {
    expect(limits({ turnTime: 100 }).turnTime()).toBe(100)
    expect(limits({ turnTime: 100 }).turnTime(50)).toBe(50)
    expect(limits({ turnTime: 100 }).turnTime(500)).toBe(100)
  })

  it('ends at a pause, with what it was to do next', () => {
    expect(limits({}, true).check()).toMatchObject({ outcome: 'paused', message: 'Paused after 0 turns.' })
    expect(limits({}, true).check('task 02')).toMatchObject({ outcome: 'paused', message: 'Paused before task 02.' })
  })
})

describe('the line of an agent that ended', () => {
  it('says how, and what it used as far as it said', () => {
    expect(describeResult('planner', result)).toBe('planner: ended (1.5 s, exit code 0, $0.25, 120 tokens)')
    expect(
      describeResult('planner', {
        ...result,
        status: 'timeout',
        reason: 'Too slow.',
        exitCode: null,
        cost: null,
        tokens: null,
      }),
    ).toBe('planner: timeout: Too slow. (1.5 s, no exit code, cost unknown, tokens unknown)')
  })
})
