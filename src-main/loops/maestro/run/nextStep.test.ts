/** The table by which a Maestro session goes on. */
import { describe, expect, it } from 'vitest'
import { nextStep, type PhaseState, type SessionState } from './nextStep'

const phase = (key: string, status: string, more: Partial<PhaseState> = {}): PhaseState => ({
  key,
  title: `P${key}`,
  status,
  agents: [`agent${key}`],
  blockedBy: [],
  parallel: false,
  files: [],
  retries: 0,
  openError: null,
  ...more,
})
const session = (phases: readonly PhaseState[], more: Partial<SessionState> = {}): SessionState => ({
  status: 'in_progress',
  mode: 'sequential',
  phases,
  maxRetries: 2,
  obstacle: null,
  review: 'none',
  archives: true,
  isInWorktree: false,
  hasLanes: false,
  granted: new Set<string>(),
  ...more,
})
const after = (...blockedBy: string[]) => ({ blockedBy })
const beside = (more: Partial<PhaseState> = {}) => ({ parallel: true, ...more })

/** `run 2`, `batch 2 3`, `gate`. */
function told(state: SessionState): string {
  const step = nextStep(state)
  if (step.kind === 'rest') return step.end.outcome
  if (step.kind === 'run') return `run ${step.phase}`
  return step.kind === 'batch' ? `batch ${step.phases.join(' ')}` : step.kind
}

describe('one phase after the other', () => {
  it.each([
    ['the first that is pending', [phase('1', 'pending'), phase('2', 'pending')], 'run 1'],
    ['the next whose blockers are completed', [phase('1', 'completed'), phase('2', 'pending', after('1'))], 'run 2'],
    [
      'one further down while the first is blocked',
      [phase('1', 'pending', after('2')), phase('2', 'pending')],
      'run 2',
    ],
    ['one that was begun and cut off, before all others', [phase('1', 'pending'), phase('2', 'in_progress')], 'run 2'],
    ['one that failed, while it has retries', [phase('1', 'failed', { retries: 1 }), phase('2', 'pending')], 'run 1'],
    ['nothing once its retries are used up', [phase('1', 'failed', { retries: 2 }), phase('2', 'pending')], 'waiting'],
    ['nothing after a file conflict', [phase('1', 'failed', { openError: 'file_conflict' })], 'waiting'],
    ['nothing while only a person can decide', [phase('1', 'failed', { openError: 'dependency' })], 'waiting'],
    ['nothing behind a phase that was skipped', [phase('1', 'skipped'), phase('2', 'pending', after('1'))], 'waiting'],
    ['nothing in a ring', [phase('1', 'pending', after('2')), phase('2', 'pending', after('1'))], 'waiting'],
    ['nothing at a status that is none', [phase('1', 'halted')], 'waiting'],
  ])('runs %s', (_what, phases, step) => {
    expect(told(session(phases))).toBe(step)
  })

  it('gives a phase one more attempt where the person wants it', () => {
    expect(told(session([phase('1', 'failed', { retries: 2 })], { granted: new Set(['1']) }))).toBe('run 1')
  })
})

describe('several phases at once', () => {
  const first = phase('1', 'completed')
  it.each([
    [
      'those of one depth',
      [first, phase('2', 'pending', beside(after('1'))), phase('3', 'pending', beside(after('1')))],
      'batch 2 3',
    ],
    [
      'not those of other depths',
      [phase('1', 'pending', beside()), phase('2', 'pending', beside(after('1')))],
      'run 1',
    ],
    ['not those that are not marked', [phase('1', 'pending', beside()), phase('2', 'pending')], 'run 1'],
    [
      'not those that share a file',
      [
        phase('1', 'pending', beside({ files: ['a', 'b'] })),
        phase('2', 'pending', beside({ files: ['b'] })),
        phase('3', 'pending', beside({ files: ['c'] })),
      ],
      'batch 1 3',
    ],
    [
      'not those of one agent, whose results would have one name',
      [phase('1', 'pending', beside({ agents: ['coder'] })), phase('2', 'pending', beside({ agents: ['coder'] }))],
      'run 1',
    ],
    ['a batch of one alone', [phase('1', 'pending', beside())], 'run 1'],
  ])('are %s', (_what, phases, step) => {
    expect(told(session(phases, { mode: 'parallel' }))).toBe(step)
  })

  it('are one after the other in the other mode', () => {
    expect(told(session([phase('1', 'pending', beside()), phase('2', 'pending', beside())]))).toBe('run 1')
  })
})

describe('a session', () => {
  const open = [phase('1', 'pending')]
  const done = [phase('1', 'completed'), phase('2', 'skipped')]
  it.each([
    ['asks for its mode', open, { mode: null }, 'gate'],
    ['waits for its design', open, { obstacle: 'Approve the design of x' }, 'gate'],
    ['waits where the retries are no number', open, { maxRetries: null }, 'waiting'],
    ['is reviewed after its last phase', done, { review: 'due' }, 'review'],
    ['stops at what the review found', done, { review: 'blocked' }, 'gate'],
    ['is archived by itself', done, {}, 'archive'],
    ['is archived by the person where the settings say so', done, { archives: false }, 'gate'],
    ['waits for the merge of its worktree', done, { isInWorktree: true }, 'done'],
    ['waits for what agents did on branches of their own', done, { hasLanes: true }, 'gate'],
    ['needs no mode any more when all is done', done, { mode: null }, 'archive'],
    ['is over when it is completed', open, { status: 'completed' }, 'done'],
    ['is over when it failed', open, { status: 'failed' }, 'failed'],
    ['has failed without phases', [], {}, 'failed'],
  ] as const)('%s', (_what, phases, more, step) => {
    expect(told(session(phases, more))).toBe(step)
  })
})
