/** Specification 000 (Meta-Shell: state examples), section by section: what is read from its files, and what breaks its rules. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../src-main/formats/finding'
import { metashell } from '../../src-main/formats/metashell/format'
import { locate } from '../../src-main/formats/metashell/state'
import { nextStep } from '../../src-main/loops/metashell/nextStep'
import { orchestratorPrompt } from '../../src-main/loops/metashell/prompts'
import { snapshotOf } from '../../src-main/loops/metashell/snapshot'
import { runFiles } from '../support/actions'
import { MODIFIED_AT, onlyRun, runsIn, validated } from '../support/projectFiles'

const only = (files: Record<string, string>) => onlyRun(metashell, files).reading
const example = (name: string) => readFileSync(resolve('test/fixtures/spec000', name), 'utf8')
const context = example('context.md')
const session = example('session.json')
const project = (text: string, more: Record<string, string> = {}) => ({
  '.meta/context.md': context,
  '.meta/session.json': text,
  ...more,
})

interface Session {
  sessionId: string
  status: string
  currentPhase: number
  gapCount: number
  plan?: {
    tasks: { id: string; title: string; status: string; dependencies: string[]; commits?: string[] }[]
    currentTaskIdx: number
  }
  variables: Record<string, unknown>
}

/** The specification's snapshot after a change. */
function changed(change: (state: Session & { plan: NonNullable<Session['plan']> }) => void): string {
  const state = JSON.parse(session) as Session & { plan: NonNullable<Session['plan']> }
  change(state)
  return JSON.stringify(state, null, 2)
}

/** The rules that a session breaks. */
const broken = (text: string, more: Record<string, string> = {}) => [
  ...new Set(validated(metashell, project(text, more)).map((line) => line.split(' ')[2]?.replace(/:$/, ''))),
]

describe('1. The context file (.meta/context.md)', () => {
  it('names the project, and its sections are shown as they are', () => {
    const { view, details } = only({ '.meta/context.md': context })
    expect(view.title).toEqual({
      value: 'SuperTasker CLI',
      source: { file: '.meta/context.md', line: 1 },
      written: 'Project: SuperTasker CLI',
    })
    expect(details.context.map(({ heading }) => heading)).toEqual([
      'Project: SuperTasker CLI',
      'Vision',
      'Tech Stack',
      'Architecture Constraints',
      'Current Phase Focus',
    ])
    expect(details.context[2]?.text).toContain('- Language: Rust')
  })

  it('names the phase at hand in its focus', () => {
    const { view } = only({ '.meta/context.md': context })
    expect(view.currentPhase).toMatchObject({ value: '1', source: { file: '.meta/context.md' } })
    expect(view.phases).toMatchObject([
      { key: '1', title: { value: 'MVP - Core CRUD operations and basic TUI list view.' } },
    ])
  })

  it('alone is a project without a session: its state is unknown, and why is said', () => {
    const { view } = only({ '.meta/context.md': context })
    expect([view.state.value, view.reason.value]).toEqual([null, 'No session yet.'])
    expect(view.phases.map(({ state }) => state.value)).toEqual(['todo'])
    expect(validated(metashell, { '.meta/context.md': context })).toEqual([])
  })

  it('may list its phases under a heading: their place is their number', () => {
    const listed = '# Project: X\n\n## Phases\n\n1. Core\n2. **Search**\n'
    expect(only(project(session, { '.meta/context.md': listed })).view.phases).toMatchObject([
      { key: '1', title: { value: 'Core' }, state: { value: 'active' } },
      { key: '2', title: { value: 'Search' }, state: { value: 'todo' } },
    ])
  })

  it('has phases that are over: those before the session’s, as it has gone on from them', () => {
    const listed = '# Project: X\n\n## Phases\n\n1. Core\n2. Search\n3. Sync\n'
    const second = session.replace('"currentPhase": 1', '"currentPhase": 2')
    const { phases } = only(project(second, { '.meta/context.md': listed })).view
    expect(phases.map(({ state }) => state.value)).toEqual(['done', 'active', 'todo'])
    expect(phases[0]?.state.source).toMatchObject({ file: '.meta/session.json' })
  })

  it('has to be there, and to start with the project’s name', () => {
    expect(validated(metashell, { '.meta/session.json': session })).toEqual([
      '.meta/context.md:1:1 error metashell/context: no file; the context of the project: without it nothing starts',
    ])
    expect(broken(session, { '.meta/context.md': 'No heading' })).toEqual(['metashell/context'])
  })
})

describe('2. The session file (.meta/session.json)', () => {
  describe('Example (runtime snapshot)', () => {
    const { view, details } = only(project(session))

    it('breaks no rule', () => {
      expect(validated(metashell, project(session))).toEqual([])
    })

    it('is a session that runs, with where each value stands', () => {
      expect(view).toMatchObject({
        system: 'metashell',
        id: {
          value: '550e8400-e29b-41d4-a716-446655440000',
          source: { file: '.meta/session.json', pointer: '/sessionId', line: 2 },
        },
        state: { value: 'running', written: 'executing', source: { pointer: '/status', line: 3 } },
        currentPhase: { value: '1', source: { pointer: '/currentPhase', line: 4 } },
        updatedAt: { value: MODIFIED_AT, source: { file: '.meta/session.json' } },
        needs: [],
        errors: [],
      })
    })

    it('has its tasks in the phase at hand: the one under the cursor is active', () => {
      expect(
        view.phases[0]?.tasks.map(({ key, state, dependencies }) => [
          key,
          state.value,
          state.written,
          dependencies.map(({ value }) => value),
        ]),
      ).toEqual([
        ['01', 'done', 'complete', []],
        ['02', 'active', 'pending', ['01']],
        ['03', 'todo', 'pending', ['02']],
      ])
      expect(details.cursor).toEqual({
        value: 1,
        source: { file: '.meta/session.json', pointer: '/plan/currentTaskIdx', line: 7 },
      })
    })

    it('tells commits that are there from an empty list and from none', () => {
      expect(view.phases[0]?.tasks.map(({ commits }) => commits?.value)).toEqual([['a1b2c3d'], [], undefined])
    })

    it('counts the gaps against the circuit breaker’s limit of two', () => {
      expect(view.meters).toMatchObject([
        { unit: 're-plans', used: { value: 0, source: { pointer: '/gapCount' } }, limit: { value: 2, source: null } },
      ])
    })

    it('keeps what agents remember', () => {
      expect(details.variables).toEqual([
        {
          name: 'last_verification_failed',
          value: 'false',
          source: { file: '.meta/session.json', pointer: '/variables/last_verification_failed', line: 32 },
        },
      ])
    })
  })

  describe('Schema', () => {
    it('has five fields that have to be there', () => {
      expect(
        validated(metashell, project('{}'))
          .filter((line) => line.includes('required'))
          .map((line) => line.split('; ')[1]),
      ).toEqual(['sessionId', 'status', 'currentPhase', 'gapCount', 'variables'].map((name) => `the field “${name}”`))
    })

    it('has four statuses; another is shown as it is written, as unknown', () => {
      for (const status of ['planning', 'halted'])
        expect(broken(changed((state) => (state.status = status)))).toEqual([])
      const other = changed((state) => (state.status = 'reviewing'))
      expect(validated(metashell, project(other))).toEqual([
        '.meta/session.json:3:13 error metashell/status: "reviewing"; planning, executing, verifying or halted',
      ])
      expect(only(project(other)).view.state).toMatchObject({ value: null, written: 'reviewing' })
    })

    it('has three statuses of a task; another is shown as it is written, as unknown', () => {
      const text = changed(
        ({ plan }) => (plan.tasks[2] = { id: '03', title: 'x', status: 'skipped', dependencies: [] }),
      )
      expect(broken(text)).toEqual(['metashell/task-status'])
      expect(only(project(text)).view.phases[0]?.tasks[2]?.state).toMatchObject({ value: null, written: 'skipped' })
    })

    it('has a plan only once it is planned, and needs one while it executes or verifies', () => {
      const without = (status: string) =>
        JSON.stringify({ ...(JSON.parse(session) as Session), plan: undefined, status })
      expect(['planning', 'halted'].map((status) => broken(without(status)))).toEqual([[], []])
      expect(['executing', 'verifying'].map((status) => broken(without(status)))).toEqual([
        ['metashell/plan-missing'],
        ['metashell/plan-missing'],
      ])
    })

    it('has a cursor from 0 to the number of tasks', () => {
      const at = (cursor: number) => changed(({ plan }) => (plan.currentTaskIdx = cursor))
      expect(broken(at(4))).toContain('metashell/cursor')
      expect(broken(at(-1))).toContain('metashell/cursor')
      const all = changed((state) => {
        state.status = 'verifying'
        state.plan.currentTaskIdx = 3
        for (const task of state.plan.tasks) task.status = 'complete'
      })
      expect(broken(all)).toEqual([])
      expect(only(project(all)).view.state.value).toBe('running')
    })

    it('counts gaps in whole numbers from 0 on', () => {
      expect(broken(changed((state) => (state.gapCount = -1)))).toEqual(['metashell/gap-count'])
      expect(broken(changed((state) => (state.gapCount = 0.5)))).toEqual(['metashell/gap-count'])
      expect(validated(metashell, project(changed((state) => (state.gapCount = 3))))).toEqual([
        '.meta/session.json:5:15 warning metashell/gap-count: 3; at most 2, where the circuit breaker halts',
      ])
    })

    it('has ids that are there once, and dependencies on tasks that stand before', () => {
      const depends = (index: number, ...on: string[]) =>
        changed(({ plan }) =>
          plan.tasks.forEach((task, at) => (task.dependencies = at === index ? on : task.dependencies)),
        )
      expect(broken(depends(2, '09'))).toEqual(['metashell/dependency-exists'])
      expect(broken(depends(1, '03'))).toEqual(['metashell/cycle', 'metashell/topology'])
      expect(broken(depends(1, '02'))).toEqual(['metashell/cycle', 'metashell/topology'])
      expect(
        broken(
          changed(({ plan }) => (plan.tasks[2] = { id: '02', title: 'again', status: 'pending', dependencies: [] })),
        ),
      ).toEqual(['metashell/task-id-unique'])
    })

    it('has no complete task that needs one that is not', () => {
      const text = changed(({ plan }) => {
        plan.tasks[2] = { id: '03', title: 'x', status: 'complete', dependencies: ['02'] }
      })
      expect(broken(text)).toEqual(['metashell/after-cursor', 'metashell/dependency-complete'])
    })
  })
})

describe('Halted', () => {
  const halted = (change: Parameters<typeof changed>[0] = () => undefined) =>
    changed((state) => {
      state.status = 'halted'
      change(state)
    })
  const stateOf = (text: string, more: Record<string, string> = {}) => {
    const { view } = only(project(text, more))
    return {
      state: view.state.value,
      reason: view.reason.value,
      needs: view.needs.map(({ kind, title }) => `${kind}: ${title}`),
    }
  }
  const finished = halted(({ plan }) => {
    plan.currentTaskIdx = 3
    for (const task of plan.tasks) task.status = 'complete'
  })

  it('after a failed task is a failure', () => {
    const text = halted(({ plan, variables }) => {
      plan.tasks[1] = { id: '02', title: 'x', status: 'failed', dependencies: [] }
      variables.last_error = 'cargo test: 101'
    })
    expect(stateOf(text)).toEqual({
      state: 'failed',
      reason: 'Task 02 failed: cargo test: 101.',
      needs: ['failure: Task 02 failed: cargo test: 101.'],
    })
  })

  it('after a verification that passed is the end of the phase, and a gate when another follows', () => {
    const verification = {
      '.meta/artifacts/verification.json': '{"phase_id": "01", "passed": true, "checks": [], "gaps": []}',
    }
    expect(stateOf(finished, verification)).toMatchObject({ state: 'done', needs: [] })
    expect(
      stateOf(finished, { ...verification, '.meta/context.md': '# Project: X\n## Phases\n1. A\n2. B\n' }),
    ).toMatchObject({ state: 'gate', needs: ['gate: Phase complete: start the next one'] })
  })

  it('after the second re-plan is the circuit breaker', () => {
    const text = halted((state) => {
      state.gapCount = 2
      state.variables.last_verification_failed = true
    })
    expect(stateOf(text)).toMatchObject({ state: 'limit', needs: ['gate: No re-plans left'] })
  })

  it.each(['"two"', 'true', '[2]', '-1'])(
    'with the count of re-plans %s cannot tell whether the breaker holds',
    (count) => {
      const text = halted(() => undefined).replace(/"gapCount": \d+/, `"gapCount": ${count}`)
      expect(stateOf(text)).toMatchObject({
        state: 'waiting',
        needs: [expect.stringMatching(/^unreadable: .* has no number as gapCount/)],
      })
      expect(stateOf(text.replace('"halted"', '"verifying"'))).toMatchObject({ state: 'waiting' })
    },
  )

  it('with a checkpoint is a question with its options', () => {
    const checkpoint = { resume_id: 'r1', message: 'Which crate?', options: ['a', 'b'], task_id: '02' }
    const { view } = only(project(halted(({ variables }) => (variables.pending_checkpoint = checkpoint))))
    expect(view.state.value).toBe('waiting')
    expect(view.needs).toMatchObject([
      {
        kind: 'question',
        title: 'Which crate?',
        options: ['a', 'b'],
        unblocks: ['02'],
        source: { pointer: '/variables/pending_checkpoint' },
      },
    ])
  })

  it('over a dependency, a blocked task or a timeout says which', () => {
    expect(stateOf(halted(({ plan }) => (plan.currentTaskIdx = 2))).reason).toMatch(/Task 03 needs 02.*not complete/)
    const summary = { 'artifacts/summary_02.json': '{"task_id": "02", "status": "timeout", "verification_result": {}}' }
    expect(stateOf(halted(), summary)).toMatchObject({ state: 'waiting', reason: 'Task 02 timed out.' })
  })

  it('for no reason that is on disk waits, for an unknown reason', () => {
    expect(stateOf(halted())).toMatchObject({ state: 'waiting', reason: null, needs: ['gate: The session halted'] })
  })
})

describe('How they are used', () => {
  const at = (change: (state: Session & { plan: NonNullable<Session['plan']> }) => void) => {
    const snapshot = snapshotOf(locate(runFiles(metashell, project(changed(change)))))
    const step = nextStep(snapshot)
    return { step, snapshot }
  }

  it('1. and 3. of the snapshot: task 01 is done, task 02 is pending, so the executor gets task 02', () => {
    expect(at(() => undefined).step).toMatchObject({ kind: 'execute', task: { id: '02' }, index: 1, count: 3 })
  })

  it.each([
    ['planning', 'Researching', { status: 'planning', variables: {} }],
    ['planning', 'Planning', { status: 'planning', variables: { research_done: true } }],
    ['executing', 'Executing Task 02', {}],
    ['verifying', 'Verifying', { status: 'verifying' }],
  ] as const)('2. the prompt of a session that is %s says: %s', (_status, activity, changes) => {
    const { step, snapshot } = at((state) => Object.assign(state, changes))
    if (step.kind === 'write' || step.kind === 'rest' || step.kind === 'impossible') throw new Error(step.kind)
    expect(orchestratorPrompt(snapshot, step, context)).toBe(
      `Current State: Phase 1 (${activity}), Context: ${context}`,
    )
  })
})

describe('What other versions write', () => {
  it('is read under its other names, and the validator offers the right ones', () => {
    const text =
      '{"session_id": "s", "status": "executing", "current_phase": "01", "gap_count": 1, "current_task_idx": 1, "variables": {}}'
    const plan = {
      'artifacts/plan.json':
        '{"phase_id": "01", "tasks": [{"id": "01-01", "title": "A", "dependencies": []}, {"id": "01-02", "title": "B", "depends_on": ["01-01"]}]}',
    }
    const { view } = only(project(text, plan))
    expect([view.id.value, view.currentPhase.value, view.meters[0]?.used.value]).toEqual(['s', '1', 1])
    expect(
      view.phases[0]?.tasks.map(({ key, state, dependencies }) => [key, state.value, dependencies.length]),
    ).toEqual([
      ['01-01', null, 0],
      ['01-02', 'active', 1],
    ])
    const edits = onlyRun(metashell, project(text)).problems.flatMap(({ repair }) => repair?.edits ?? [])
    expect(applyEdits(text, edits)).toBe(
      '{"sessionId": "s", "status": "executing", "currentPhase": 1, "gapCount": 1, "current_task_idx": 1, "variables": {}}',
    )
  })

  it('with literal dotted keys is folded for reading, and said', () => {
    const text = session.replace('"variables"', '"plan.currentTaskIdx": 2,\n  "variables"')
    expect(only(project(text)).details.cursor).toMatchObject({ value: 2, source: { pointer: '/plan.currentTaskIdx' } })
    expect(broken(text)).toContain('metashell/dotted-key')
  })

  it('has its artefacts where config.json says, else in .meta/artifacts, else in artifacts', () => {
    const verification = '{"phase_id": "01", "passed": true}'
    const found = (more: Record<string, string>) =>
      only(project(session, more)).details.artefacts.map(({ file }) => file)
    expect(found({ 'artifacts/verification.json': verification })).toEqual(['artifacts/verification.json'])
    expect(found({ 'artifacts/verification.json': verification, '.meta/artifacts/plan.json': '{}' })).toEqual([
      '.meta/artifacts/plan.json',
    ])
    expect(
      found({ '.meta/config.json': '{"paths": {"artifacts": "./build/agents"}}', 'build/agents/research.json': '{}' }),
    ).toEqual(['build/agents/research.json'])
    expect(
      found({ '.meta/config.json': '{"paths": {"artifacts": "../../etc"}}', 'artifacts/plan.json': '{}' }),
    ).toEqual(['artifacts/plan.json'])
  })

  it('names changed files from its own folder or from the project’s, and none outside', () => {
    const changes = ['a.go', 'app/b.go', '../c.go', 'gone.go'].map((file) => ({ file, action: 'created' }))
    const { artefacts } = only({
      'app/.meta/session.json': session,
      'app/.meta/artifacts/summary_01-01.json': JSON.stringify({ task_id: '01-01', changes }),
      'app/a.go': '',
      'app/b.go': '',
      'c.go': '',
    }).view
    expect(artefacts.slice(1).map(({ path, exists }) => [path, exists])).toEqual([
      ['app/a.go', true],
      ['app/b.go', true],
      ['../c.go', null],
      ['app/gone.go', false],
    ])
  })

  it('is found nested, and in archives as archived', () => {
    const nested = { 'apps/one/.meta/context.md': context, 'archive/old/.meta/session.json': session }
    expect(
      runsIn(metashell, { ...nested, 'skeleton/.meta/context.md': '# Project: {{project_name}}\n' })
        .map(({ candidate: { folder, archived } }) => [folder, archived])
        .sort(),
    ).toEqual([
      ['apps/one', false],
      ['archive/old', true],
    ])
  })
})

describe('Files that nobody knows', () => {
  it('are named, and a lock is', () => {
    const files = { '.meta/notes.txt': '', '.meta/session.json.lock': '', '.meta/artifacts/review.json': '{}' }
    expect(validated(metashell, project(session, files)).map((line) => line.split(':1:1 ')[0])).toEqual([
      '.meta/artifacts/review.json',
      '.meta/notes.txt',
      '.meta/session.json.lock',
    ])
    expect(only(project(session, files)).details.locked).toBe(true)
  })
})

describe('Contradictions', () => {
  it('between a task and its summary are told, both as they are', () => {
    const summary = {
      'artifacts/summary_01.json': '{"task_id": "01", "status": "failed", "verification_result": {"success": false}}',
    }
    expect(validated(metashell, project(session, summary))).toEqual([
      '.meta/session.json:12:19 warning metashell/contradiction: "complete"; "failed", as artifacts/summary_01.json says of task 01',
    ])
  })

  it('between the session’s tasks and the plan’s are told', () => {
    const plan = {
      'artifacts/plan.json':
        '{"phase_id": "01", "tasks": [{"id": "01", "title": "A", "dependencies": []}, {"id": "02", "title": "B", "dependencies": []}, {"id": "04", "title": "C", "dependencies": []}]}',
    }
    expect(broken(session, plan)).toEqual(['metashell/plans-agree'])
  })

  it('of a status and a failed task are told', () => {
    expect(
      broken(changed(({ plan }) => (plan.tasks[1] = { id: '02', title: 'x', status: 'failed', dependencies: ['01'] }))),
    ).toEqual(['metashell/impossible-state'])
  })
})
