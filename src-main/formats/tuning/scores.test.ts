import { describe, expect, it } from 'vitest'
import { compositeScore, healthScore } from './scores'

const none = { critical: 0, high: 0, medium: 0, low: 0 }
const noFixes = { applied: 0, passed: 0 }

describe('the two scores of skill tuning', () => {
  it('agree that two high issues and a medium one pass, but not on the score', () => {
    const counts = { ...none, high: 2, medium: 1 }
    expect(healthScore(counts)).toEqual({ score: 65, gate: 'pass' })
    expect(compositeScore(counts, 4, noFixes, 0)).toMatchObject({ score: 86, gate: 'pass' })
  })

  it('disagree about one critical issue', () => {
    const counts = { ...none, critical: 1 }
    expect(healthScore(counts)).toEqual({ score: 75, gate: 'review' })
    expect(compositeScore(counts, 4, noFixes, 0)).toMatchObject({ score: 90, gate: 'fail' })
  })

  it('both want four high issues reviewed', () => {
    const counts = { ...none, high: 4 }
    expect(healthScore(counts)).toEqual({ score: 40, gate: 'review' })
    expect(compositeScore(counts, 4, noFixes, 0)).toMatchObject({ score: 76, gate: 'review' })
  })

  it('never fall below nothing', () => {
    expect(healthScore({ ...none, critical: 9 })).toEqual({ score: 0, gate: 'fail' })
  })

  it('count the fixes that passed, the diagnoses done and the iterations it took', () => {
    expect(compositeScore(none, 2, { applied: 3, passed: 2 }, 2).parts).toEqual({
      severity: 100,
      fixes: 67,
      coverage: 10,
      efficiency: 7,
    })
    expect(compositeScore(none, 6, { applied: 1, passed: 0 }, 9).parts).toEqual({
      severity: 100,
      fixes: 0,
      coverage: 20,
      efficiency: 0,
    })
  })
})
