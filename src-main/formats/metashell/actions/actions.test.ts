/** What a person does with a Meta-Shell session, byte by byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  act as actOn,
  actionsOf,
  NOW,
  offered as offeredOf,
  runFiles,
  type Texts,
} from '../../../../test/support/actions'
import { MODIFIED_AT } from '../../../../test/support/projectFiles'
import type { EditValues } from '@shared/contract/edits'
import { metashell } from '../format'

const context = '# Project: Notes\n\n## Phases\n1. Store\n2. Search\n3. Share\n'
const session = `{
  "sessionId": "6f1c2d1e",
  "status": "halted",
  "currentPhase": 2,
  "gapCount": 1,
  "plan": {
    "currentTaskIdx": 1,
    "tasks": [
      { "id": "02-01", "title": "Add FTS index", "status": "complete", "dependencies": [], "commits": ["9f3e1aa", "b77c210"], "owner": 7 },
      { "id": "02-02", "title": "Search command", "status": "failed", "dependencies": ["02-01"], "commits": ["c01d4fe"] },
      { "id": "02-03", "title": "Search view", "status": "pending", "dependencies": ["02-02"], "commits": [] },
      { "id": "02-04", "title": "Help", "status": "pending", "dependencies": [] }
    ]
  },
  "variables": {
    "research_done": true,
    "last_error": "verification_cmd exited 101: cargo test search"
  },
  "theirs": null
}
`
const planned = `{
  "phase_id": "2",
  "tasks": [
    { "id": "02-01", "title": "Add FTS index", "dependencies": [] },
    { "id": "02-02", "title": "Search command", "depends_on": ["02-01"] },
    { "id": "02-03", "title": "Search view", "files": ["view.rs"], "dependencies": ["02-02"] },
    { "id": "02-04", "title": "Help", "dependencies": [] }
  ]
}
`
const file = '.meta/session.json'
const planFile = '.meta/artifacts/plan.json'
const project = (text = session): Texts => ({ '.meta/context.md': context, [file]: text, [planFile]: planned })
const replaced = (text: string, ...changes: readonly (readonly [string, string])[]) => {
  let result = text
  for (const [from, to] of changes) {
    if (result.split(from).length !== 2) throw new Error(`${from} stands there ${result.split(from).length - 1} times.`)
    result = result.replace(from, () => to)
  }
  return result
}
const act = (text: string, name: string, target = '', values: EditValues = {}, now = NOW) =>
  actOn(metashell, project(text), name, target, values, now)
/** What the session is afterwards. */
const after = (text: string, name: string, target = '', values: EditValues = {}) =>
  act(text, name, target, values).after[file]
const refused =
  (text: string, name: string, target = '', values: EditValues = {}) =>
  () =>
    metashell.plan(runFiles(metashell, project(text)), { name, target, values, now: NOW })
const view = (text: string | undefined, others: Texts = {}) =>
  metashell.read(runFiles(metashell, { ...project(text), ...others }))?.view
const offered = (text: string) => offeredOf(metashell, project(text))
const lines = session.split('\n')
const taskLine = (id: string) => lines.find((line) => line.includes(`"id": "${id}"`)) ?? ''

it('offers what makes sense now, and marks what answers the need', () => {
  expect(offered(session)).toEqual([
    'reset-breaker',
    'jump 02-01',
    'roll-back 02-01',
    'retry 02-02',
    'skip 02-02',
    'roll-back 02-02',
    'edit-task 02-03',
    'skip 02-04',
    'jump 02-04',
    'edit-task 02-04',
    'roll-back-phase',
  ])
  const answers = actionsOf(metashell, project()).filter(({ answersNeed }) => answersNeed)
  expect(answers.map(({ name, target }) => `${name} ${target}`)).toEqual(['retry 02-02', 'skip 02-02'])
  for (const { source } of answers) expect(source).toEqual(view(session)?.needs[0]?.source)
})

it('offers nothing for an archived session, or for one that cannot be read', () => {
  expect(offeredOf(metashell, { 'archive/.meta/session.json': session })).toEqual([])
  expect(offeredOf(metashell, { '.meta/session.json': '[' })).toEqual([])
  expect(offeredOf(metashell, { '.meta/context.md': context })).toEqual([])
})

/** The session's own files, which git does not revert. */
const kept = ['.meta', 'artifacts']

describe('Retrying a failed task', () => {
  it('makes it pending, puts the cursor there and executes', () => {
    expect(after(session, 'retry', '02-02')).toBe(
      replaced(session, ['"failed"', '"pending"'], ['"halted"', '"executing"']),
    )
    expect(view(after(session, 'retry', '02-02'))).toMatchObject({ state: { value: 'running' }, needs: [] })
  })

  it('moves the cursor when it is elsewhere', () => {
    const text = replaced(session, ['"currentTaskIdx": 1', '"currentTaskIdx": 3'])
    expect(after(text, 'retry', '02-02')).toBe(
      replaced(session, ['"failed"', '"pending"'], ['"halted"', '"executing"']),
    )
  })

  it('says that its commits stay', () => {
    expect(act(session, 'retry', '02-02').plan.warnings).toEqual([
      'Its commits stay. To undo them, roll back the task first.',
    ])
  })

  it('also starts the task again that a session halted at without a failure', () => {
    const text = replaced(session, ['"failed"', '"pending"'])
    expect(view(text)).toMatchObject({ state: { value: 'waiting' } })
    expect(actionsOf(metashell, project(text)).find(({ name }) => name === 'retry')).toMatchObject({
      target: '02-02',
      answersNeed: true,
      source: view(text)?.needs[0]?.source,
    })
    expect(after(text, 'retry', '02-02')).toBe(replaced(text, ['"halted"', '"executing"']))
  })

  it('is refused for a task that did not fail, one that lacks what it needs, and one that is gone', () => {
    expect(refused(session, 'retry', '02-01')).toThrow(/02-01 did not fail .*complete/)
    expect(refused(replaced(session, ['"complete"', '"failed"']), 'retry', '02-02')).toThrow(
      'Task 02-02 needs 02-01, which is not complete.',
    )
    expect(refused(session, 'retry', '09')).toThrow('No action retry for "09"')
  })
})

describe('Answering a checkpoint', () => {
  const asked = replaced(
    session,
    ['"failed"', '"pending"'],
    [
      '"research_done": true',
      '"research_done": true,\n    "pending_checkpoint": {\n      "resume_id": "db",\n      "message": "Which?",\n      "options": ["A", "B"]\n    }',
    ],
  )

  it('takes the question away, keeps the answer for the host, and executes', () => {
    const [action] = actionsOf(metashell, project(asked))
    expect(action).toMatchObject({
      name: 'answer',
      target: '',
      answersNeed: true,
      source: view(asked)?.needs[0]?.source,
      fields: [{ name: 'answer', kind: 'text', suggestions: ['A', 'B'] }],
    })
    expect(after(asked, 'answer', '', { answer: 'A\nbecause' })).toBe(
      replaced(
        session,
        ['"failed"', '"pending"'],
        ['"halted"', '"executing"'],
        [
          'cargo test search"\n',
          'cargo test search",\n    "checkpoint_answer": {\n      "checkpoint_id": "db",\n      "task_id": "02-02",\n      "question": "Which?",\n      "user_input": "A\\nbecause"\n    }\n',
        ],
      ),
    )
  })

  it('that the executor left in its summary', () => {
    const text = replaced(session, ['"failed"', '"pending"'])
    const summary =
      '{"task_id":"02-02","status":"checkpoint","message":"Which?","resume_id":"r","verification_result":{"success":false}}'
    const files = { ...project(text), '.meta/artifacts/summary_02-02.json': summary }
    const { plan, after: done } = actOn(metashell, files, 'answer', '', { answer: 'B' })
    expect(plan.changes.map((change) => change.file)).toEqual([file])
    expect(JSON.parse(done[file] ?? '')).toMatchObject({
      status: 'executing',
      variables: { checkpoint_answer: { checkpoint_id: 'r', task_id: '02-02', user_input: 'B' } },
    })
  })

  it('needs an answer', () => {
    expect(refused(asked, 'answer', '', { answer: ' \n' })).toThrow('Answer is missing.')
    expect(refused(session, 'answer', '', { answer: 'A' })).toThrow('No action answer for this run')
  })
})

describe('Skipping a task', () => {
  it('sets it to complete, as there is no other status, and says so in the variables', () => {
    expect(after(session, 'skip', '02-04')).toBe(
      replaced(
        session,
        [taskLine('02-04'), taskLine('02-04').replace('pending', 'complete')],
        ['cargo test search"\n', 'cargo test search",\n    "skipped_tasks": [\n      "02-04"\n    ]\n'],
      ),
    )
  })

  it('goes on behind the task that the session halted at', () => {
    const done = JSON.parse(after(session, 'skip', '02-02') ?? '') as unknown
    expect(done).toMatchObject({
      status: 'executing',
      plan: { currentTaskIdx: 2 },
      variables: { skipped_tasks: ['02-02'] },
    })
    expect(act(session, 'skip', '02-02').plan.warnings).toEqual([expect.stringContaining('02-03')])
  })

  it('adds to the list of those skipped before, in its line', () => {
    const text = replaced(session, ['"research_done": true', '"skipped_tasks": ["02-00"]'])
    expect(after(text, 'skip', '02-04')).toBe(
      replaced(
        text,
        ['["02-00"]', '["02-00", "02-04"]'],
        [taskLine('02-04'), taskLine('02-04').replace('pending', 'complete')],
      ),
    )
  })

  it('is refused where a task needs one that is not complete, where it is complete, and where the variable is something else', () => {
    expect(refused(session, 'skip', '02-03')).toThrow('Task 02-03 needs 02-02, which is not complete.')
    expect(refused(session, 'skip', '02-01')).toThrow(/02-01 cannot .*complete/)
    expect(refused(replaced(session, ['"research_done": true', '"skipped_tasks": 3']), 'skip', '02-04')).toThrow(
      'variables.skipped_tasks',
    )
  })
})

describe('Going to a task', () => {
  it('changes the cursor alone', () => {
    expect(after(session, 'jump', '02-04')).toBe(replaced(session, ['"currentTaskIdx": 1', '"currentTaskIdx": 3']))
    expect(act(session, 'jump', '02-04').plan.warnings).toEqual([
      expect.stringContaining('02-02, 02-03'),
      'The session stays halted until it is resumed.',
    ])
  })

  it('is refused where its dependencies are not complete', () => {
    expect(refused(session, 'jump', '02-03')).toThrow('Task 02-03 needs 02-02, which is not complete.')
    expect(refused(session, 'jump', '02-02')).toThrow('already at task 02-02')
  })
})

describe('Rolling back a task', () => {
  it('reverts its commits, empties their list and remembers them', () => {
    const { plan, after: done } = act(session, 'roll-back', '02-02')
    expect(plan.git).toEqual({ kind: 'revert', commits: ['c01d4fe'], kept })
    expect(done[file]).toBe(
      replaced(
        session,
        ['"failed"', '"pending"'],
        ['["c01d4fe"]', '[]'],
        [
          '"verification_cmd exited 101: cargo test search"\n',
          '"Task 02-02 was rolled back and is pending.",\n    "reverted_commits": [\n      "c01d4fe"\n    ],\n    "halt_reason": "rolled_back"\n',
        ],
      ),
    )
  })

  it('keeps those that were reverted before', () => {
    const text = replaced(
      session,
      ['"research_done": true', '"reverted_commits": [ "aaaa111" ]'],
      [
        '"02-02", "title": "Search command", "status": "failed"',
        '"02-02", "title": "Search command", "status": "pending"',
      ],
    )
    const { after: done } = act(text, 'roll-back', '02-01')
    expect(done[file]).toBe(
      replaced(
        text,
        ['"complete"', '"pending"'],
        ['["9f3e1aa", "b77c210"]', '[]'],
        ['[ "aaaa111" ]', '[ "aaaa111", "9f3e1aa", "b77c210" ]'],
        ['"currentTaskIdx": 1', '"currentTaskIdx": 0'],
        [
          '"verification_cmd exited 101: cargo test search"\n',
          '"Task 02-01 was rolled back and is pending.",\n    "halt_reason": "rolled_back"\n',
        ],
      ),
    )
    expect(view(done[file])).toMatchObject({
      reason: { value: 'Task 02-01 was rolled back and is pending.' },
      needs: [{ detail: 'Task 02-01 was rolled back and is pending.' }],
    })
  })

  it('sets complete tasks that build on it to pending, keeps their commits, and says so', () => {
    const text = replaced(session, ['"failed"', '"complete"'])
    const { plan, after: done } = act(text, 'roll-back', '02-01')
    expect(plan.warnings).toEqual([expect.stringContaining('Task 02-02 needs it')])
    expect(done[file]).toContain(
      '"Search command", "status": "pending", "dependencies": ["02-01"], "commits": ["c01d4fe"]',
    )
    expect(after(done[file] ?? '', 'roll-back', '02-02')).toContain('"9f3e1aa",\n')
  })

  it('sets one without commits to pending, without git', () => {
    const text = replaced(session, ['["c01d4fe"]', '[]'])
    const { plan, after: done } = act(text, 'roll-back', '02-02')
    expect(plan).not.toHaveProperty('git')
    expect(done[file]).toContain('"Search command", "status": "pending", "dependencies": ["02-01"], "commits": []')
    expect(done[file]).not.toContain('reverted_commits')
  })

  it('goes back from the verification to the tasks', () => {
    const text = replaced(session, ['"failed"', '"complete"'], ['"halted"', '"verifying"'])
    expect(after(text, 'roll-back', '02-02')).toContain('"status": "executing"')
  })

  it('leaves another failure, and a question, what the session waits for', () => {
    expect(after(session, 'roll-back', '02-01')).toContain('verification_cmd exited 101')
    const asks = replaced(
      session,
      ['"failed"', '"pending"'],
      ['"research_done": true', '"pending_checkpoint": { "message": "Which?", "task_id": "02-02" }'],
    )
    expect(after(asks, 'roll-back', '02-01')).not.toContain('rolled_back')
  })

  it('is refused where there is nothing to do, and for what is no hash', () => {
    expect(refused(session, 'roll-back', '02-03')).toThrow('Task 02-03 has no commits and is pending.')
    expect(refused(session, 'roll-back', '02-04')).toThrow('Task 02-04 has no commits and is pending.')
    expect(refused(replaced(session, ['c01d4fe', '--no-edit;rm']), 'roll-back', '02-02')).toThrow(
      '"--no-edit;rm" of task 02-02 is not a commit hash.',
    )
  })
})

describe('Rolling back an attempt', () => {
  const turn = (task: string | null, ...commits: string[]): string =>
    JSON.stringify({
      role: 'executor',
      task,
      log: '',
      startedAt: 0,
      endedAt: NOW,
      commits,
      elsewhere: [],
      left: [],
      before: { head: null, branch: null },
      after: { head: null, branch: null },
      uncommitted: [],
    })
  const remembered = new Map([
    ['turns', '{"first":4,"last":7}'],
    ['turn 4', turn('02-01', '9f3e1aa0')],
    ['turn 5', turn('02-01', 'b77c2100')],
    ['turn 6', turn(null, 'dddd4440')],
    ['turn 7', '{'],
  ])

  it('reverts its commits and keeps those of the others', () => {
    const { plan, after: done } = actOn(
      metashell,
      project(),
      'roll-back-attempt',
      '02-01',
      { attempt: '5' },
      NOW,
      remembered,
    )
    expect(plan.git).toEqual({ kind: 'revert', commits: ['b77c210'], kept })
    expect(done[file]).toContain('"status": "complete", "dependencies": [], "commits": ["9f3e1aa"]')
  })

  it('is offered for a task with several only', () => {
    expect(offeredOf(metashell, project(), remembered).filter((name) => name.startsWith('roll-back-attempt'))).toEqual([
      'roll-back-attempt 02-01',
    ])
  })

  it('is no part of the whole run, which has the commits of those that worked on no task', () => {
    const { plan } = actOn(metashell, project(), 'roll-back-run', '', {}, NOW, remembered)
    expect(plan.git).toEqual({ kind: 'revert', commits: ['9f3e1aa', 'b77c210', 'c01d4fe', 'dddd4440'], kept })
  })
})

describe('Rolling back more than a task', () => {
  const more = replaced(session, [
    '"research_done": true',
    '"replaced_commits": ["aaaa111"], "phase_commits": { "1": ["bbbb222"] }, "reverted_commits": ["c01d4fe"]',
  ])
  const git = (name: string, target = '') => act(more, name, target).plan.git
  const changed = (name: string, target = '') =>
    JSON.parse(after(more, name, target) ?? '') as {
      plan: { currentTaskIdx: number; tasks: { status: string; commits?: string[] }[] }
      variables: Record<string, unknown>
    }

  it('takes the phase at hand with the plans that were replaced', () => {
    expect(git('roll-back-phase')).toEqual({
      kind: 'revert',
      commits: ['9f3e1aa', 'b77c210', 'c01d4fe', 'aaaa111'],
      kept,
    })
    const { plan, variables } = changed('roll-back-phase')
    expect(plan.currentTaskIdx).toBe(0)
    expect(plan.tasks.map(({ status, commits }) => [status, commits])).toEqual([
      ['pending', []],
      ['pending', []],
      ['pending', []],
      ['pending', undefined],
    ])
    expect(variables).not.toHaveProperty('replaced_commits')
    expect(variables).toMatchObject({ halt_reason: 'rolled_back', phase_commits: { 1: ['bbbb222'] } })
  })

  it('takes the replaced plans alone', () => {
    expect(git('roll-back-replaced')).toEqual({ kind: 'revert', commits: ['aaaa111'], kept })
    const { plan, variables } = changed('roll-back-replaced')
    expect(plan).toEqual((JSON.parse(more) as { plan: object }).plan)
    expect(variables.reverted_commits).toEqual(['c01d4fe', 'aaaa111'])
  })

  it('takes an earlier phase', () => {
    expect(git('roll-back-phase', '1')).toEqual({ kind: 'revert', commits: ['bbbb222'], kept })
    expect(changed('roll-back-phase', '1').variables.phase_commits).toEqual({ 1: [] })
  })

  it('takes the whole run, without what was reverted before', () => {
    expect(git('roll-back-run')).toEqual({
      kind: 'revert',
      commits: ['9f3e1aa', 'b77c210', 'aaaa111', 'bbbb222'],
      kept,
    })
    expect(changed('roll-back-run').variables).toMatchObject({ phase_commits: { 1: [] } })
    const rest = after(more, 'roll-back-run') ?? ''
    expect(offered(rest).filter((name) => name.startsWith('roll-back'))).toEqual([])
  })
})

describe('Allowing re-plans again', () => {
  const spent = replaced(
    session,
    ['"failed"', '"pending"'],
    ['"gapCount": 1', '"gapCount": 2'],
    ['"research_done": true', '"last_verification_failed": true'],
  )

  it('sets the count to 0 and plans', () => {
    expect(view(spent)).toMatchObject({ state: { value: 'limit' } })
    expect(actionsOf(metashell, project(spent)).find(({ name }) => name === 'reset-breaker')).toMatchObject({
      answersNeed: true,
      source: view(spent)?.needs[0]?.source,
    })
    expect(after(spent, 'reset-breaker')).toBe(
      replaced(spent, ['"gapCount": 2', '"gapCount": 0'], ['"halted"', '"planning"']),
    )
    expect(view(after(spent, 'reset-breaker'))).toMatchObject({ state: { value: 'planning' } })
  })

  it('is offered only where re-plans are used up in part at least', () => {
    expect(offered(replaced(session, ['"gapCount": 1', '"gapCount": 0']))).not.toContain('reset-breaker')
  })
})

describe('Starting the next phase', () => {
  const done = session
    .replaceAll('"failed"', '"complete"')
    .replaceAll('"pending"', '"complete"')
    .replace('"currentTaskIdx": 1', '"currentTaskIdx": 4')
  const verification = { '.meta/artifacts/verification.json': '{"phase_id":"2","passed":true,"checks":[],"gaps":[]}' }
  const start = (text: string, others: Texts = verification) =>
    actOn(metashell, { ...project(text), ...others }, 'next-phase')
  const expected = `{
  "sessionId": "6f1c2d1e",
  "status": "planning",
  "currentPhase": 3,
  "gapCount": 0,
  "variables": {
    "last_error": "verification_cmd exited 101: cargo test search",
    "phase_commits": {
      "2": [
        "9f3e1aa",
        "b77c210",
        "c01d4fe"
      ]
    }
  },
  "theirs": null
}
`

  it('counts the phase up and takes the plan and what belongs to it away', () => {
    expect(view(done, verification)).toMatchObject({ state: { value: 'gate' } })
    expect(
      actionsOf(metashell, { ...project(done), ...verification }).find(({ name }) => name === 'next-phase'),
    ).toMatchObject({
      title: 'Start phase 3: Share',
      answersNeed: true,
      source: view(done, verification)?.needs[0]?.source,
    })
    expect(start(done).after[file]).toBe(expected)
    expect(view(expected, verification)).toMatchObject({ state: { value: 'planning' }, currentPhase: { value: '3' } })
  })

  it('keeps the phase in the form that it has', () => {
    expect(start(replaced(done, ['"currentPhase": 2', '"currentPhase": "02"'])).after[file]).toBe(
      replaced(expected, ['"currentPhase": 3', '"currentPhase": "03"']),
    )
  })

  it('says when no verification is there', () => {
    expect(start(done, {}).plan.warnings).toEqual(['This phase has no verification result.'])
  })

  it('is refused after the last phase that context.md names', () => {
    const two = { ...verification, '.meta/context.md': context.replace('3. Share\n', '') }
    expect(() => start(done, two)).toThrow(/no phase after phase 2/)
    expect(view(done, two)).toMatchObject({ state: { value: 'done' }, needs: [] })
  })

  it('is refused while a task is open, before a verification that passed, and while it runs', () => {
    expect(refused(session, 'next-phase')).toThrow(/02-02 is not complete .*failed/)
    expect(() =>
      start(done, { '.meta/artifacts/verification.json': '{"phase_id":"2","passed":false,"checks":[],"gaps":[{}]}' }),
    ).toThrow('The verification of this phase did not pass.')
    expect(refused(replaced(done, ['"halted"', '"verifying"']), 'next-phase')).toThrow(/not halted .*verifying/)
  })
})

describe('Changing the plan', () => {
  it('changes title and dependencies in the session and in plan.json', () => {
    const { after: changed } = act(session, 'edit-task', '02-04', {
      title: 'Help "pages"',
      dependencies: '02-01, 02-03',
    })
    const change = (text: string) =>
      text.replace('"Help"', '"Help \\"pages\\""').replace(/(02-04.*dependencies": )\[\]/, '$1["02-01", "02-03"]')
    expect(changed[file]).toBe(change(session))
    expect(changed[planFile]).toBe(change(planned))
  })

  it('writes plan.json under the name that it uses', () => {
    const text = replaced(session, ['"failed"', '"pending"'])
    const { after: changed } = act(text, 'edit-task', '02-02', { title: 'Search command' })
    expect(changed[file]).toBe(replaced(text, ['"dependencies": ["02-01"]', '"dependencies": []']))
    expect(changed[planFile]).toBe(replaced(planned, ['"depends_on": ["02-01"]', '"depends_on": []']))
  })

  it('says when plan.json has no such task', () => {
    const files = { '.meta/context.md': context, [file]: session }
    expect(actOn(metashell, files, 'edit-task', '02-04', { title: 'Other' }).plan.warnings).toEqual([
      'plan.json has no such task, so only the session changes.',
    ])
  })

  it('keeps to tasks that stand before, and to tasks that are not done', () => {
    expect(refused(session, 'edit-task', '02-03', { title: 'x', dependencies: '02-04' })).toThrow(
      'Task 02-03 cannot need "02-04": it comes later in the list',
    )
    expect(refused(session, 'edit-task', '02-03', { title: 'x', dependencies: '02-03' })).toThrow('cannot need')
    expect(refused(session, 'edit-task', '02-03', { title: 'x', dependencies: '9' })).toThrow('there is no such task')
    expect(refused(session, 'edit-task', '02-01', { title: 'x' })).toThrow(/02-01 cannot .*complete/)
    expect(refused(session, 'edit-task', '02-04', { title: 'Help' })).toThrow('Nothing changed.')
    expect(
      refused(replaced(session, ['"failed"', '"pending"'], ['"halted"', '"executing"']), 'edit-task', '02-02', {
        title: 'x',
      }),
    ).toThrow('02-02 is running')
  })
})

describe('Removing a stale lock', () => {
  const locked = { ...project(), '.meta/session.json.lock': '{"pid":4711}' }

  it('deletes the file and says what it held', () => {
    const { plan, after: done } = actOn(metashell, locked, 'clear-lock')
    expect(plan.warnings).toEqual([
      'Make sure that no host is running this session. The lock holds: "{\\"pid\\":4711}".',
    ])
    expect(plan.holder).toMatchObject({ pid: 4711 })
    expect(done).toEqual(project())
  })

  it('is refused while the lock is younger than a host waits for it', () => {
    expect(() => actOn(metashell, locked, 'clear-lock', '', {}, MODIFIED_AT + 4_999)).toThrow(
      'a host may be writing now',
    )
  })
})

describe('Names that other versions use', () => {
  const drifted = `\uFEFF{
\t"session_id": "s",
\t"status": "halted",
\t"current_phase": "01",
\t"gap_count": 1,
\t"current_task_idx": 0,
\t"plan": { "tasks": [ { "id": "01", "title": "One", "status": "failed", "dependencies": [] } ] },
\t"variables": {}
}
`.replaceAll('\n', '\r\n')

  it('stay, with byte order mark, CRLF and tabs', () => {
    expect(after(drifted, 'retry', '01')).toBe(
      replaced(drifted, ['"failed"', '"pending"'], ['"halted"', '"executing"']),
    )
    expect(after(drifted, 'reset-breaker')).toBe(
      replaced(drifted, ['"gap_count": 1', '"gap_count": 0'], ['"halted"', '"planning"']),
    )
    expect(after(drifted, 'skip', '01')).toBe(
      replaced(
        drifted,
        ['"failed"', '"complete"'],
        ['"halted"', '"executing"'],
        ['"current_task_idx": 0', '"current_task_idx": 1'],
        ['{}', '{\r\n\t\t"skipped_tasks": [\r\n\t\t\t"01"\r\n\t\t]\r\n\t}'],
      ),
    )
  })

  it('with the plan go its cursor outside and the form of the phase', () => {
    const done = replaced(drifted, ['"failed"', '"complete"'], ['"current_task_idx": 0', '"current_task_idx": 1'])
    expect(after(done, 'next-phase')).toBe(
      '\uFEFF{\r\n\t"session_id": "s",\r\n\t"status": "planning",\r\n\t"current_phase": "02",\r\n\t"gap_count": 0,\r\n\t"variables": {}\r\n}\r\n',
    )
  })

  it('a literal key with dots is written where it stands', () => {
    const dotted = replaced(session, [
      '"theirs": null',
      '"plan.currentTaskIdx": 3,\n  "variables.skipped_tasks": ["x"]',
    ])
    expect(after(dotted, 'retry', '02-02')).toBe(
      replaced(
        dotted,
        ['"failed"', '"pending"'],
        ['"halted"', '"executing"'],
        ['"plan.currentTaskIdx": 3', '"plan.currentTaskIdx": 1'],
      ),
    )
    expect(after(dotted, 'skip', '02-02')).toContain('"variables.skipped_tasks": ["x", "02-02"]')
  })

  it('statuses that stand apart from the tasks, by id', () => {
    const apart =
      '{"session_id":"s","status":"halted","current_phase":"02","gap_count":0,"current_task_idx":1,"tasks":{"02-01":{"status":"complete"},"02-02":{"status":"failed"}},"variables":{}}'
    const { changes } = metashell.plan(runFiles(metashell, project(apart)), {
      name: 'retry',
      target: '02-02',
      values: {},
      now: NOW,
    })
    expect(changes).toEqual([
      { file, before: apart, after: replaced(apart, ['"failed"', '"pending"'], ['"halted"', '"executing"']) },
    ])
  })
})

it('A session that must be fixed first is not changed', () => {
  expect(refused(replaced(session, ['"theirs": null', '"status": "halted"']), 'reset-breaker')).toThrow(
    'must be fixed first',
  )
})

it('Whatever else a session holds stays, and commits are absent, empty or filled as they were', () => {
  const task = fc.record({
    status: fc.constantFrom('pending', 'complete', 'failed'),
    commits: fc.option(fc.array(fc.constantFrom('aaaa111', 'bbbb222'), { maxLength: 2 }), { nil: undefined }),
    extra: fc.jsonValue({ maxDepth: 1 }),
  })
  const sessions = fc.record({
    status: fc.constantFrom('planning', 'executing', 'halted'),
    tasks: fc.array(task, { minLength: 1, maxLength: 4 }),
    cursor: fc.nat(4),
    gaps: fc.nat(2),
    variables: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    indentation: fc.constantFrom(0, 2, '\t'),
  })
  fc.assert(
    fc.property(sessions, fc.nat(), ({ status, tasks, cursor, gaps, variables, indentation }, pick) => {
      const value = {
        sessionId: 's',
        status,
        currentPhase: 1,
        gapCount: gaps,
        plan: {
          currentTaskIdx: Math.min(cursor, tasks.length),
          tasks: tasks.map((one, index) => ({ id: `0${index}`, title: 't', dependencies: [], ...one })),
        },
        variables,
      }
      const files = { '.meta/context.md': context, [file]: JSON.stringify(value, undefined, indentation) }
      const all = actionsOf(metashell, files).filter(({ name }) => name !== 'edit-task')
      const chosen = all[pick % Math.max(1, all.length)]
      fc.pre(
        chosen !== undefined &&
          !('skipped_tasks' in variables) &&
          !('reverted_commits' in variables) &&
          !('pending_checkpoint' in variables) &&
          !('checkpoint' in variables),
      )
      const { after: done } = actOn(metashell, files, chosen.name, chosen.target)
      const changed = JSON.parse(done[file] ?? '') as typeof value & { plan?: typeof value.plan }
      for (const [name, kept] of Object.entries(JSON.parse(JSON.stringify(variables)) as object)) {
        if (name !== 'research_done') expect(changed.variables).toHaveProperty([name], kept)
      }
      if (chosen.name === 'next-phase') return
      const isPhase = chosen.name === 'roll-back-phase'
      changed.plan.tasks.forEach((one, index) => {
        const before = JSON.parse(JSON.stringify(value.plan.tasks[index])) as typeof one
        const isTarget = before.id === chosen.target
        expect({ ...one, status: '' }).toEqual({
          ...before,
          status: '',
          ...(before.commits !== undefined && (isPhase || (isTarget && chosen.name === 'roll-back'))
            ? { commits: [] }
            : {}),
        })
        if (isPhase) expect(one.status).toBe('pending')
        else if (!isTarget) expect(one.status).toBe(before.status)
      })
    }),
  )
})
