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
  unfixed: [],
  wantsAnalysis: false,
  isDeeplyAnalysed: false,
  awaitsChoice: false,
  pending: [],
  unplaced: [],
  placedByAgent: [],
  unverified: [],
  gate: 'fail',
  canIterate: true,
}
const started: StartState = {
  isAuto: false,
  resumes: false,
  undecided: new Set(),
  idleRounds: 0,
  hasFixer: false,
  analyst: 'none',
  asked: new Set(),
  answered: null,
}

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
    [
      'an issue that no fix can be generated for, an agent there',
      { unfixed: ['AGT-1', 'DF-2'], awaitsChoice: true },
      { hasFixer: true },
      'ask-fix AGT-1',
    ],
    [
      'the same, asked in vain: the next one',
      { unfixed: ['AGT-1', 'DF-2'], awaitsChoice: true },
      { hasFixer: true, asked: new Set(['AGT-1']) },
      'ask-fix DF-2',
    ],
    ['the same without an agent: the choice', { unfixed: ['AGT-1'], awaitsChoice: true }, {}, 'rest: gate'],
    [
      'a pending fix without a place: the person decides',
      { pending: ['FIX-1'], unplaced: ['FIX-1'] },
      { hasFixer: true },
      'rest: waiting',
    ],
    [
      'the same, an agent is to place it',
      { pending: ['FIX-1'], unplaced: ['FIX-1'], placedByAgent: ['FIX-1'] },
      { hasFixer: true },
      'place-fix FIX-1',
    ],
    [
      'the same, and there is none, or it found no place',
      { pending: ['FIX-1'], unplaced: ['FIX-1'], placedByAgent: ['FIX-1'] },
      {},
      'rest: waiting',
    ],
    ['the focus wants an analysis, an analyst there', { wantsAnalysis: true }, { analyst: 'there' }, 'analyse'],
    ['the same without one', { wantsAnalysis: true, gate: 'pass' }, { analyst: 'none' }, 'complete'],
    ['an analyst there, no analysis wanted', { gate: 'pass' }, { analyst: 'there' }, 'complete'],
    [
      'an agent answered to an earlier start: that first',
      { unfixed: ['AGT-1', 'AGT-2'] },
      { hasFixer: true, analyst: 'asked', answered: 'AGT-2' },
      'ask-fix AGT-2',
    ],
    [
      'it answered about what is fixed: as usual',
      { unfixed: ['AGT-1'] },
      { hasFixer: true, answered: 'AGT-2' },
      'ask-fix AGT-1',
    ],
    ['the person asked for the analysis', {}, { analyst: 'asked' }, 'analyse'],
    ['analysed before', { isDeeplyAnalysed: true, gate: 'pass' }, { analyst: 'asked' }, 'complete'],
    ['the analysis led to nothing', { gate: 'pass' }, { analyst: 'asked', asked: new Set(['analysis']) }, 'complete'],
    ['analysis: not before the report', { hasReport: false }, { analyst: 'asked' }, 'report'],
  ])('%s', (_, run, start, expected) => {
    expect(next(run, start)).toBe(expected)
  })

  it('after its completion tells for which issues the fixer was asked in vain', () => {
    const run: Snapshot = { ...over, status: 'completed', gate: 'pass', unfixed: ['AGT-1', 'AGT-2'] }
    expect(nextStep(run, { ...started, asked: new Set(['AGT-2', 'analysis']) })).toMatchObject({
      end: { outcome: 'done', message: 'The run is completed. Gate: pass. The fixer had no fix for AGT-2.' },
    })
  })
})
