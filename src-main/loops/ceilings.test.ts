import { describe, expect, it } from 'vitest'
import { defaultSettings, settingsSchema } from '@shared/contract/settings'
import type { Ceiling } from '@shared/runHold'
import { reachedCeiling, type Budget, type Usage } from './ceilings'

const none = defaultSettings.agentLimits
const usage = (changes: Partial<Usage> = {}): Usage => ({ cost: 0, hours: 0, unpriced: 0, estimated: 0, ...changes })
const budget = (limits: Partial<Budget['limits']>, used: Partial<Budget['used']> = {}): Budget => ({
  limits: { ...none, ...limits },
  used: { run: usage(), day: usage(), night: usage(), total: usage(), ...used },
  day: '2026-11-23',
  night: '2026-11-22',
  subject: 'this run',
  costProblem: null,
})
const raised = (changes: Partial<Ceiling>): Ceiling[] => [
  { scope: 'run', measure: 'cost', limit: 10, day: '2026-11-23', ...changes },
]

describe('what agents may use', () => {
  it('is unlimited unless the person sets a limit', () => {
    const much = usage({ cost: 1e6, hours: 1e6 })
    expect(reachedCeiling(budget({}, { run: much, day: much, night: much, total: much }), [])).toBeUndefined()
  })

  it.each([
    ['runCost', 'run', { cost: 5 }, /of this run .*\$5\.00 of \$5\.00/],
    ['dayCost', 'day', { cost: 5.001 }, /of today/],
    ['nightCost', 'night', { cost: 6 }, /of this night/],
    ['totalCost', 'total', { cost: 6 }, /of all runs/],
    ['runHours', 'run', { hours: 5 }, /5\.0 of 5\.0 hours/],
    ['dayHours', 'day', { hours: 5 }, /of today/],
    ['nightHours', 'night', { hours: 5 }, /of this night/],
    ['totalHours', 'total', { hours: 5 }, /of all runs/],
  ] as const)('is used up at %s', (limit, scope, used, message) => {
    const at = (value: number) => reachedCeiling(budget({ [limit]: value }, { [scope]: usage(used) }), [])
    expect(at(5)).toMatchObject({ ceiling: { scope, limit: 5 }, message: expect.stringMatching(message) as string })
    expect(at(7)).toBeUndefined()
  })

  it('is raised for this run alone, for a day on that day, for a night in that night', () => {
    const spent = budget({ runCost: 5, dayCost: 5 }, { run: usage({ cost: 6 }) })
    expect(reachedCeiling(spent, raised({}))).toBeUndefined()
    expect(reachedCeiling(spent, raised({ limit: 6 }))).toMatchObject({ ceiling: { limit: 6 } })
    const today = budget({ dayCost: 5 }, { day: usage({ cost: 6 }) })
    expect(reachedCeiling(today, raised({ scope: 'day' }))).toBeUndefined()
    expect(reachedCeiling(today, raised({ scope: 'day', day: '2026-11-22' }))).toBeDefined()
    const tonight = budget({ nightCost: 5 }, { night: usage({ cost: 6 }) })
    expect(reachedCeiling(tonight, [])?.ceiling.day).toBe('2026-11-22')
    expect(reachedCeiling(tonight, raised({ scope: 'night', day: '2026-11-22' }))).toBeUndefined()
    expect(reachedCeiling(tonight, raised({ scope: 'night', day: '2026-11-23' }))).toBeDefined()
  })

  it('has no limit of a night in settings of before', () => {
    const before = { runCost: 5, runHours: null, dayCost: 20, dayHours: null, totalCost: null, totalHours: null }
    expect(settingsSchema.shape.agentLimits.parse(before)).toEqual({ ...before, nightCost: null, nightHours: null })
  })

  it('says how much of the cost was worked out', () => {
    const used = { run: usage({ cost: 5, estimated: 1.5 }) }
    expect(reachedCeiling(budget({ runCost: 5 }, used), [])?.message).toContain('$1.50 of it worked out')
  })

  it('says of how many turns the cost is unknown', () => {
    const used = { run: usage({ cost: 5, unpriced: 2 }) }
    expect(reachedCeiling(budget({ runCost: 5 }, used), [])?.message).toContain('2 turns is unknown')
  })
})
