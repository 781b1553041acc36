/** The decision of specification 004's loop, row by row: the first that fits counts. */
import { describe, expect, it } from 'vitest'
import { nextStep, type StartState } from './nextStep'
import type { Snapshot } from './snapshot'

/** Verified, nothing left: each row changes what makes it fit. */
const over: Snapshot = {
  status: 'running',
  errors: 0,
  maxErrors: 3,
  iterations: 1,
  maxIterations: 5,
  unclear: undefined,
  asksForClarity: false,
  isAnalysed: false,
  openAreas: [],
  hasReport: true,
  hasProposals: true,
  issues: 2,
  urgent: 2,
  awaitsChoice: false,
  pending: [],
  unverified: [],
  gate: 'fail',
  canIterate: true,
}
const started: StartState = { isAuto: false, resumes: false, undecided: new Set(), idleRounds: 0 }

const next = (run: Partial<Snapshot>, start: Partial<StartState> = {}): string => {
  const found = nextStep({ ...over, ...run }, { ...started, ...start })
  return 'end' in found ? `rest: ${found.end.outcome}` : `${found.step.name} ${found.step.target}`.trim()
}

describe('The next action of a tuning run', () => {
  it.each<[string, Partial<Snapshot>, string]>([
    ['completed', { status: 'completed', gate: 'pass' }, 'rest: done'],
    ['completed at its limit, gate not passed', { status: 'completed', iterations: 5 }, 'rest: limit'],
    ['user_exit', { status: 'user_exit' }, 'rest: waiting'],
    ['failed', { status: 'failed' }, 'rest: failed'],
    ['pending, skill not named', { status: 'pending' }, 'rest: waiting'],
    ['a status of no specification', { status: 'resting' }, 'rest: failed'],
    ['no status', { status: null }, 'rest: failed'],
    ['a limit that is no number', { unclear: 'max_errors is "three".', errors: 9 }, 'rest: waiting'],
    ['error_count >= max_errors', { errors: 3, iterations: 5, openAreas: ['memory'] }, 'abort'],
    ['iteration_count >= max_iterations', { iterations: 5, openAreas: ['memory'], pending: ['FIX-1'] }, 'complete'],
    ['the requirements are not clear', { asksForClarity: true, openAreas: ['memory'] }, 'rest: waiting'],
    ['another program analyses', { isAnalysed: true, openAreas: ['memory'] }, 'rest: waiting'],
    ['an area in focus is not diagnosed', { openAreas: ['memory'], hasReport: false, pending: ['FIX-1'] }, 'diagnose'],
    ['all diagnosed, no report', { hasReport: false, hasProposals: false }, 'report'],
    ['report, issues, no proposals', { hasProposals: false, gate: 'pass' }, 'propose-fixes'],
    ['report, no issues: complete at once', { hasProposals: false, issues: 0, urgent: 0, gate: 'pass' }, 'complete'],
    ['proposals, none chosen', { awaitsChoice: true, gate: 'pass' }, 'rest: gate'],
    ['pending fixes', { pending: ['FIX-2', 'FIX-1'], unverified: ['FIX-3'] }, 'apply-fix FIX-2'],
    ['an applied fix is not verified', { unverified: ['FIX-3', 'FIX-4'], gate: 'pass' }, 'verify-fix FIX-3'],
    ['gate pass', { gate: 'pass' }, 'complete'],
    ['critical or high issues left, iterations left', {}, 'rest: waiting'],
    ['neither critical nor high issues left', { urgent: 0, gate: 'review' }, 'complete'],
    ['nothing that another iteration could repeat', { canIterate: false }, 'complete'],
  ])('%s', (_, run, expected) => {
    expect(next(run)).toBe(expected)
  })

  it.each<[string, Partial<Snapshot>, Partial<StartState>, string]>([
    ['resumed: left', { status: 'user_exit' }, { resumes: true }, 'resume'],
    ['resumed: failed', { status: 'failed' }, { resumes: true }, 'resume'],
    ['resumed: at its limit', { status: 'completed', iterations: 5 }, { resumes: true }, 'resume'],
    ['resumed: completed, gate passed', { status: 'completed', gate: 'pass' }, { resumes: true }, 'rest: done'],
    ['auto: chooses', { awaitsChoice: true }, { isAuto: true }, 'select-fixes'],
    ['auto: iterates', {}, { isAuto: true, idleRounds: 1 }, 'continue'],
    ['auto: not after two rounds without a fix that helped', {}, { isAuto: true, idleRounds: 2 }, 'rest: breaker'],
    [
      'no scan can tell: the next one first',
      { unverified: ['FIX-3', 'FIX-4'] },
      { undecided: new Set(['FIX-3']) },
      'verify-fix FIX-4',
    ],
    [
      'auto: no scan can tell',
      { unverified: ['FIX-3'], gate: 'pass' },
      { isAuto: true, undecided: new Set(['FIX-3']) },
      'complete',
    ],
    [
      'no scan can tell: the person decides',
      { unverified: ['FIX-3'], gate: 'pass' },
      { undecided: new Set(['FIX-3']) },
      'rest: waiting',
    ],
  ])('%s', (_, run, start, expected) => {
    expect(next(run, start)).toBe(expected)
  })
})
