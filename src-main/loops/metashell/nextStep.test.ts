import { describe, expect, it } from 'vitest'
import { Listing } from '../../formats/listing'
import { locate } from '../../formats/metashell/state'
import { applyChanges } from './keyPath'
import { applyEvent, type Event, type TaskOutcome } from './applyEvent'
import { clearOldHalt, newSession, nextStep } from './nextStep'
import { snapshotOf, type Snapshot } from './snapshot'
import type { Verdict } from './verdict'

const FILE = '.meta/session.json'

interface Given {
  readonly status?: string
  readonly gapCount?: number
  readonly cursor?: number
  readonly tasks?: readonly object[]
  readonly variables?: object
  readonly passed?: boolean
  /** context.md */
  readonly context?: string
  readonly maxGapRetries?: number
}

const two = [
  { id: '01', title: 'First', status: 'complete', dependencies: [], commits: ['a1b2c3d'] },
  { id: '02', title: 'Second', status: 'pending', dependencies: ['01'] },
]

const twoDone = two.map((task) => ({ ...task, status: 'complete' }))

const text = ({ status = 'executing', gapCount = 0, cursor = 1, tasks = two, variables = { kept: [1] } }: Given) =>
  JSON.stringify(
    {
      sessionId: 's',
      status,
      currentPhase: 1,
      gapCount,
      ...(tasks.length > 0 ? { plan: { tasks, currentTaskIdx: cursor } } : {}),
      variables,
    },
    null,
    2,
  )

function read(session: string, { passed, maxGapRetries, context }: Given = {}): Snapshot {
  const texts: Record<string, string> = {
    [FILE]: session,
    ...(context === undefined ? {} : { '.meta/context.md': context }),
    ...(passed === undefined ? {} : { '.meta/artifacts/verification.json': JSON.stringify({ passed }) }),
    ...(maxGapRetries === undefined ? {} : { '.meta/config.json': JSON.stringify({ max_gap_retries: maxGapRetries }) }),
  }
  const files = new Map(
    Object.entries(texts).map(([path, content]) => [path, { path, text: content, modifiedAt: 0, findings: [] }]),
  )
  return snapshotOf(
    locate({
      candidate: { folder: '', marker: FILE, archived: false, files: [] },
      listing: new Listing(files.keys()),
      files,
      remembered: new Map(),
    }),
  )
}
const session = (given: Given) => read(text(given), given)
const step = (given: Given) => nextStep(session(given))

/** The session's file after an event, as an object. */
function after(given: Given, event: Event) {
  const verdict = applyEvent(session(given), event)
  return { verdict, file: written(given, verdict) }
}
const written = (given: Given, { changes }: Verdict) =>
  JSON.parse(applyChanges(FILE, text(given), changes)) as Record<string, unknown> & {
    plan: { tasks: Record<string, unknown>[]; currentTaskIdx: number }
    variables: Record<string, unknown>
  }
const ended = (given: Given, outcome: TaskOutcome) => after(given, { kind: 'task-ended', taskId: '02', outcome })

describe('the table of Meta-Shell', () => {
  it('(none), session.json missing: planning, phase 1, no gaps, no variables', () => {
    expect(JSON.parse(newSession('id'))).toEqual({
      sessionId: 'id',
      status: 'planning',
      currentPhase: 1,
      gapCount: 0,
      variables: {},
    })
    expect(nextStep(read(newSession('id')))).toEqual({ kind: 'research' })
  })

  it('planning: research once, then the plan', () => {
    expect(step({ status: 'planning', tasks: [] })).toEqual({ kind: 'research' })
    expect(after({ status: 'planning', tasks: [] }, { kind: 'researched' }).file.variables).toEqual({
      kept: [1],
      research_done: true,
    })
    expect(step({ status: 'planning', tasks: [], variables: { research_done: true } })).toEqual({
      kind: 'plan',
      isAgain: false,
    })
    expect(step({ status: 'planning', gapCount: 1, variables: { research_done: true } })).toEqual({
      kind: 'plan',
      isAgain: true,
    })
  })

  it('planning, valid plan returned: executing, all tasks pending, cursor 0', () => {
    const { file, verdict } = after(
      { status: 'planning', tasks: [] },
      {
        kind: 'planned',
        tasks: [
          { id: '01', title: 'A', dependencies: [] },
          { id: '02', title: 'B', dependencies: ['01'] },
        ],
      },
    )
    expect(file).toMatchObject({ status: 'executing', plan: { currentTaskIdx: 0 }, variables: { kept: [1] } })
    expect(file.plan.tasks).toEqual([
      { id: '01', title: 'A', status: 'pending', dependencies: [] },
      { id: '02', title: 'B', status: 'pending', dependencies: ['01'] },
    ])
    expect(verdict.end).toBeUndefined()
  })

  it('planning again: the new plan takes the place of the old one, whose commits can still be rolled back', () => {
    const { file } = after(
      { status: 'planning', gapCount: 1, variables: { replaced_commits: ['0000001'] } },
      { kind: 'planned', tasks: [{ id: '09', title: 'Close the gap', dependencies: [] }] },
    )
    expect(file.plan).toEqual({
      tasks: [{ id: '09', title: 'Close the gap', status: 'pending', dependencies: [] }],
      currentTaskIdx: 0,
    })
    expect(file.variables.replaced_commits).toEqual(['0000001', 'a1b2c3d'])
    expect(file.gapCount).toBe(1)
  })

  it.each(['plan_unreadable', 'plan_invalid', 'plan_timeout'] as const)(
    'planning, %s: halted with the reason',
    (reason) => {
      const { file, verdict } = after(
        { status: 'planning', tasks: [] },
        { kind: 'plan-failed', reason, message: 'Because.' },
      )
      expect(file).toMatchObject({ status: 'halted', variables: { halt_reason: reason, last_error: 'Because.' } })
      expect(verdict.end?.outcome).toBe(reason === 'plan_timeout' ? 'limit' : 'failed')
    },
  )

  it('executing: the task at the cursor, whatever the order of dependencies is', () => {
    expect(step({})).toMatchObject({ kind: 'execute', task: { id: '02' }, index: 1, count: 2 })
  })

  it('executing, dependency of the current task not complete: halted, "Dependency violation: Task X needs Y"', () => {
    const given = { cursor: 1, tasks: [{ ...two[0], status: 'pending' }, two[1] ?? {}] }
    const found = step(given)
    expect(found.kind).toBe('write')
    if (found.kind !== 'write') return
    expect(written(given, found.verdict)).toMatchObject({
      status: 'halted',
      variables: { halt_reason: 'dependency_violation', last_error: 'Dependency violation: Task 02 needs 01' },
    })
    expect(found.verdict.end?.message).toBe('Dependency violation: Task 02 needs 01.')
  })

  it('executing, summary complete: task complete, commits, cursor + 1', () => {
    const { file, verdict } = ended({}, { kind: 'complete', commits: ['0a1b2c3'] })
    expect(file).toMatchObject({ status: 'executing', plan: { currentTaskIdx: 2 } })
    expect(file.plan.tasks[1]).toEqual({ ...two[1], status: 'complete', commits: ['0a1b2c3'] })
    expect(verdict.end).toBeUndefined()
  })

  it.each([undefined, []])(
    'executing, summary complete without commits (%s): absent stays absent, empty stays empty',
    (commits) => {
      expect(ended({}, { kind: 'complete', commits }).file.plan.tasks[1]).not.toHaveProperty('commits')
      const empty = { tasks: [two[0] ?? {}, { ...two[1], commits: [] }] }
      expect(ended(empty, { kind: 'complete', commits }).file.plan.tasks[1]).toHaveProperty('commits', [])
    },
  )

  it('executing, summary failed: halted, task failed, commits, the rollback command logged', () => {
    const { file, verdict } = ended(
      {},
      { kind: 'failed', commits: ['1111111', '2222222'], message: 'cargo test exited 101' },
    )
    expect(file).toMatchObject({
      status: 'halted',
      plan: { currentTaskIdx: 1 },
      variables: { halt_reason: 'task_failed', last_error: 'cargo test exited 101' },
    })
    expect(file.plan.tasks[1]).toMatchObject({ status: 'failed', commits: ['1111111', '2222222'] })
    expect(verdict.log.map(({ text }) => text)).toContain('To roll task 02 back: git revert --no-edit 1111111 2222222')
    expect(verdict.end).toMatchObject({ outcome: 'failed', message: 'Task 02 failed: cargo test exited 101' })
  })

  it('executing, checkpoint: halted, task stays pending, the checkpoint kept by the host', () => {
    const checkpoint = { resume_id: 'r1', message: 'Which colour?', options: ['red', 'blue'], task_id: '02' }
    const { file, verdict } = ended({}, { kind: 'checkpoint', checkpoint })
    expect(file).toMatchObject({
      status: 'halted',
      variables: { kept: [1], pending_checkpoint: checkpoint, halt_reason: 'checkpoint' },
    })
    expect(file.plan.tasks[1]).toEqual(two[1])
    expect(verdict.end).toMatchObject({ outcome: 'waiting', message: 'Which colour?' })
    expect(nextStep(read(JSON.stringify(file)))).toMatchObject({
      kind: 'rest',
      end: { outcome: 'waiting', message: 'Which colour?' },
    })
  })

  it.each([
    ['blocked', 'task_blocked', 'waiting'],
    ['timeout', 'task_timeout', 'limit'],
    ['limit', 'task_limit', 'limit'],
    ['error', 'task_error', 'failed'],
    ['unreadable', 'summary_unreadable', 'failed'],
  ] as const)('executing, %s: halted, task stays pending', (kind, reason, outcome) => {
    const { file, verdict } = ended({}, { kind, message: 'Because.' })
    expect(file).toMatchObject({
      status: 'halted',
      plan: { currentTaskIdx: 1 },
      variables: { halt_reason: reason, last_error: 'Because.' },
    })
    expect(file.plan.tasks[1]).toEqual(two[1])
    expect(verdict.end).toMatchObject({ outcome, message: 'Because.' })
  })

  it('executing, said to be complete with a commit that does not exist: halted, task stays pending, only what exists is recorded', () => {
    const { file } = ended(
      {},
      { kind: 'commit-missing', commits: ['1111111'], message: 'The commit deadbee does not exist.' },
    )
    expect(file).toMatchObject({ status: 'halted', variables: { halt_reason: 'commit_missing' } })
    expect(file.plan.tasks[1]).toMatchObject({ status: 'pending', commits: ['1111111'] })
  })

  it('executing, cursor == length: verifying', () => {
    const given = { cursor: 2, tasks: [two[0] ?? {}, { ...two[1], status: 'complete' }] }
    const found = step(given)
    expect(found.kind === 'write' && written(given, found.verdict).status).toBe('verifying')
    expect(step({ ...given, status: 'verifying' })).toEqual({ kind: 'verify' })
  })

  it('verifying, passed: halted "Phase Complete", and the count of gaps begins anew for the next phase', () => {
    const { file, verdict } = after(
      { status: 'verifying', cursor: 2, gapCount: 2 },
      { kind: 'verified', passed: true, gaps: [] },
    )
    expect(file).toMatchObject({
      status: 'halted',
      currentPhase: 1,
      gapCount: 0,
      variables: { halt_reason: 'phase_complete', last_verification_failed: false },
    })
    expect(verdict.end).toMatchObject({ outcome: 'gate', message: 'Phase Complete' })
  })

  it.each([
    ['a list of one', '## Phases\n1. Store\n', 'done'],
    ['a list of two', '## Phases\n1. Store\n2. Search\n', 'gate'],
    ['its focus alone', 'Phase 1: Store\n', 'done'],
    ['nothing', '# Project: Notes\n', 'gate'],
  ])('verifying phase 1, passed, where context.md names %s: %3$s', (_what, context, outcome) => {
    const given = { status: 'verifying', cursor: 2, context }
    expect(after(given, { kind: 'verified', passed: true, gaps: [] }).verdict.end).toMatchObject({ outcome })
    expect(
      step({ ...given, status: 'halted', variables: { halt_reason: 'phase_complete' }, tasks: twoDone }),
    ).toMatchObject({ kind: 'rest', end: { outcome } })
  })

  it.each([0, 1])('verifying, not passed with %i gaps before: planning again, one more', (gapCount) => {
    const { file, verdict } = after(
      { status: 'verifying', cursor: 2, gapCount },
      { kind: 'verified', passed: false, gaps: ['No index'] },
    )
    expect(file).toMatchObject({
      status: 'planning',
      gapCount: gapCount + 1,
      variables: { last_verification_failed: true },
    })
    expect(verdict.end).toBeUndefined()
  })

  it.each([2, 3])(
    'verifying, not passed with %i gaps before: halted "Max Retries Exceeded", and not counted up',
    (gapCount) => {
      const { file, verdict } = after(
        { status: 'verifying', cursor: 2, gapCount },
        { kind: 'verified', passed: false, gaps: [] },
      )
      expect(file).toMatchObject({ status: 'halted', gapCount, variables: { halt_reason: 'max_retries_exceeded' } })
      expect(verdict.end).toMatchObject({ outcome: 'breaker' })
      expect(verdict.end?.message).toMatch(/^Max Retries Exceeded/)
    },
  )

  it('takes the limit of re-plans from config.json', () => {
    expect(
      after(
        { status: 'verifying', cursor: 2, gapCount: 2, maxGapRetries: 3 },
        { kind: 'verified', passed: false, gaps: [] },
      ).file.status,
    ).toBe('planning')
    expect(
      after(
        { status: 'verifying', cursor: 2, gapCount: 0, maxGapRetries: 0 },
        { kind: 'verified', passed: false, gaps: [] },
      ).file.status,
    ).toBe('halted')
  })
})

describe('a halted session that is started', () => {
  const allDone = { status: 'halted', cursor: 2, tasks: [two[0] ?? {}, { ...two[1], status: 'complete' }] }
  const goesOn = (given: Given) => {
    const found = step(given)
    return found.kind === 'write' ? written(given, found.verdict) : found
  }

  it.each([
    ['a failed task', { status: 'halted', tasks: [two[0] ?? {}, { ...two[1], status: 'failed' }] }, 'failed'],
    ['a complete phase', { ...allDone, variables: { halt_reason: 'phase_complete' } }, 'gate'],
    ['a verification that passed, of another host', { ...allDone, passed: true }, 'gate'],
    ['the circuit breaker', { ...allDone, gapCount: 2, variables: { halt_reason: 'max_retries_exceeded' } }, 'breaker'],
    ['the circuit breaker, of another host', { ...allDone, gapCount: 2, passed: false }, 'breaker'],
    [
      'a dependency that is open',
      {
        status: 'halted',
        tasks: [{ ...two[0], status: 'pending' }, two[1] ?? {}],
        variables: { halt_reason: 'dependency_violation' },
      },
      'waiting',
    ],
  ])('rests at %s', (_what, given, outcome) => {
    expect(step(given)).toMatchObject({ kind: 'rest', end: { outcome } })
  })

  it.each([
    [
      'a task that ran out of time',
      { status: 'halted', variables: { halt_reason: 'task_timeout', last_error: 'x', kept: 1 } },
      'executing',
    ],
    [
      'a task that somebody went to',
      { status: 'halted', variables: { halt_reason: 'phase_complete', kept: 1 } },
      'executing',
    ],
    [
      'a plan that could not be read',
      { ...allDone, variables: { halt_reason: 'plan_unreadable', kept: 1 } },
      'planning',
    ],
    ['a halt before there was a plan', { status: 'halted', tasks: [], variables: { kept: 1 } }, 'planning'],
    [
      'a verification that ran out of time',
      { ...allDone, variables: { halt_reason: 'verification_timeout', kept: 1 } },
      'verifying',
    ],
  ])('goes on from %s, without its old reason', (_what, given, status) => {
    expect(goesOn(given)).toMatchObject({ status, variables: { kept: 1 } })
    expect(goesOn(given)).not.toHaveProperty('variables.halt_reason')
    expect(goesOn(given)).not.toHaveProperty('variables.last_error')
  })

  it('by somebody else has its old reason taken away', () => {
    expect(clearOldHalt(session({ variables: { halt_reason: 'task_failed', last_error: 'x' } })).changes).toEqual([
      ['variables.halt_reason', undefined],
      ['variables.last_error', undefined],
    ])
    expect(clearOldHalt(session({ status: 'halted', variables: { halt_reason: 'task_failed' } })).changes).toEqual([])
  })
})

describe('an answered checkpoint', () => {
  it('is handed to its task, and kept with those of before with what became of it', () => {
    const given = { variables: { checkpoint_answer: { checkpoint_id: 'r1', task_id: '02', user_input: 'blue' } } }
    expect(session(given).answer).toEqual({ checkpoint_id: 'r1', taskId: '02', user_input: 'blue' })
    const kept = [{ checkpoint_id: 'r1', task_id: '02', user_input: 'blue' }]
    expect(ended(given, { kind: 'complete', commits: undefined }).file.variables).toEqual({ checkpoint_answers: kept })
    const earlier = { task_id: '01', user_input: 'red', by: 'another host' }
    expect(
      ended(
        { variables: { ...given.variables, checkpoint_answers: [earlier] } },
        { kind: 'error', message: 'It ended.' },
      ).file.variables,
    ).toMatchObject({ checkpoint_answers: [earlier, ...kept] })
    expect(
      ended(
        { variables: { checkpoint_answer: { task_id: '01', user_input: 'blue' } } },
        { kind: 'complete', commits: undefined },
      ).file.variables,
    ).toHaveProperty('checkpoint_answer')
  })
})

describe('a session that somebody changed while the agent was at work', () => {
  it('halted: what became of the task is recorded, and it stays halted', () => {
    const { file, verdict } = ended({ status: 'halted' }, { kind: 'complete', commits: ['0a1b2c3'] })
    expect(file).toMatchObject({ status: 'halted', plan: { currentTaskIdx: 1 } })
    expect(file.plan.tasks[1]).toMatchObject({ status: 'complete', commits: ['0a1b2c3'] })
    expect(verdict.log[0]?.text).toMatch(/Another program changed session.json/)
  })

  it('with another task at the cursor: it is followed', () => {
    expect(ended({ cursor: 0 }, { kind: 'complete', commits: undefined }).file.plan.currentTaskIdx).toBe(0)
  })

  it('without the task: nothing is recorded', () => {
    expect(
      after({}, { kind: 'task-ended', taskId: '07', outcome: { kind: 'complete', commits: undefined } }).verdict
        .changes,
    ).toEqual([])
  })

  it('to another status: neither a plan nor a verification is taken', () => {
    expect(applyEvent(session({ status: 'halted' }), { kind: 'planned', tasks: [] }).changes).toEqual([])
    expect(applyEvent(session({ status: 'halted' }), { kind: 'verified', passed: true, gaps: [] }).changes).toEqual([])
  })
})

describe('a state that the table does not know', () => {
  it.each([
    [{ status: 'executing', tasks: [] }, /has no plan/],
    [{ status: 'verifying', tasks: [] }, /has no plan/],
    [{ status: 'done' }, /status “done”/],
  ])('is said and not guessed at: %o', (given, message) => {
    expect(step(given)).toMatchObject({ kind: 'impossible', message: expect.stringMatching(message) as string })
  })

  it('is a cursor out of the list', () => {
    expect(() => read(text({}).replace('"gapCount": 0', '"gapCount": "two"'))).toThrow('no number as gapCount')
    expect(() => session({ cursor: 3 })).toThrow(
      /\.meta\/session\.json:\d+: the index of the current task is outside the list of 2 tasks/,
    )
  })
})

describe('a path of dots', () => {
  const change = (before: string, ...changes: Parameters<typeof applyChanges>[2]) => applyChanges(FILE, before, changes)

  it('leads to the task with that id, and leaves all other bytes', () => {
    const before =
      '{ "x":1,\r\n\t"plan" : {"tasks":[ {"id":"01","status":"pending"},{"id":"02-01", "status" :"pending","note":[ 1 ]} ]} }'
    expect(change(before, ['tasks.02-01.status', 'complete'])).toBe(
      before.replace('"status" :"pending"', '"status" :"complete"'),
    )
    expect(change(before, ['plan.tasks.02-01.status', 'failed'])).toBe(
      before.replace('"status" :"pending"', '"status" :"failed"'),
    )
    expect(() => change(before, ['tasks.99.status', 'complete'])).toThrow(/No task 99/)
  })

  it('leads to a field under the name that the file has for it, and keeps a phase as it is written', () => {
    const before = '{"status":"planning","current_phase":"01","gap_count":0,"current_task_idx":3,"plan":{"tasks":[]}}'
    expect(change(before, ['gapCount', 1], ['plan.currentTaskIdx', 4], ['status', 'executing'])).toBe(
      '{"status":"executing","current_phase":"01","gap_count":1,"current_task_idx":4,"plan":{"tasks":[]}}',
    )
  })

  it('leads to a key with dots in its name where somebody wrote one', () => {
    expect(change('{"plan":{"currentTaskIdx":1},"plan.currentTaskIdx":2}', ['plan.currentTaskIdx', 3])).toBe(
      '{"plan":{"currentTaskIdx":1},"plan.currentTaskIdx":3}',
    )
  })

  it('adds a variable, and takes one away that may not be there', () => {
    expect(change('{"variables":{}}', ['variables.a', { b: 1 }])).toBe('{"variables":{"a":{"b":1}}}')
    expect(change('{"variables":{"a":1}}', ['variables.a', undefined], ['variables.b', undefined])).toBe(
      '{"variables":{}}',
    )
  })

  it('changes nothing in a text that is not sound', () => {
    expect(() => change('{"status":"planning"', ['status', 'executing'])).toThrow(/session\.json:1:\d+/)
    expect(() => change('{"status":"a","status":"b"}', ['status', 'executing'])).toThrow(/each key once/)
  })
})
