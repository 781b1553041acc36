/** Specification 004 (skill tuning), section by section, and the state files that its actions really write. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../src-main/formats/finding'
import { tuning } from '../../src-main/formats/tuning/format'
import { needTitles } from '../../src-main/formats/tuning/needs'
import { altered, damaged, MODIFIED_AT, onlyRun, runsIn, told, type ProjectFiles } from '../support/projectFiles'

const example = (name: string) => readFileSync(resolve('test/fixtures/spec004', name), 'utf8')
const initialState = example('initial-state.json')
const midRun = example('mid-run.json')

const workDir = '.workflow/.scratchpad/skill-tuning-20260210080000'
const file = `${workDir}/state.json`
const backup = `${workDir}/backups/release-notes-backup/before-FIX-1/phases/orchestrator.md`

const project = (state: string, others: ProjectFiles = { [backup]: '' }): ProjectFiles => ({ [file]: state, ...others })
const run = (state: string, others?: ProjectFiles) => onlyRun(tuning, project(state, others))

type Json = Record<string, unknown>
/** The example, with some of its top fields changed. */
const changed = (fields: Json) => JSON.stringify({ ...(JSON.parse(midRun) as Json), ...fields }, null, 2)
const rules = (state: string) =>
  run(state).problems.map(({ severity, rule, found, expected }) => `${severity} ${rule}: ${found}, not ${expected}`)

describe('Initial State Template', () => {
  it('is valid as it is, nulls and all', () => expect(run(initialState).problems).toEqual([]))

  it('is a run in planning that waits for what its first action asks', () => {
    const { view } = run(initialState).reading
    expect(view.state).toEqual({ value: 'planning', source: { file, pointer: '/status', line: 2 }, written: 'pending' })
    expect(view.needs.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([`question: ${needTitles.start}`])
    expect(view.title.value).toBe('skill-tuning-20260210080000')
    expect(view.updatedAt).toEqual({ value: MODIFIED_AT, source: { file } })
    expect(view.phases.map(({ key, state }) => `${key} ${state.value}`)).toEqual([
      'init todo',
      'diagnose todo',
      'report todo',
      'propose todo',
      'fix todo',
      'complete todo',
    ])
  })

  it('allows null only until the run has started', () => {
    expect(rules(initialState.replace('"pending"', '"running"')).filter((rule) => rule.startsWith('error'))).toEqual([
      'error tuning/type: null, not text',
      'error tuning/type: null, not text',
      'error tuning/type: null, not text',
      'error tuning/type: null, not text',
      'error tuning/enum: null, not sequential or autonomous',
      'error tuning/type: null, not text',
      'error tuning/type: null, not text',
    ])
  })
})

describe('State Structure: Core Status and Target Skill Info', () => {
  it('a run in the middle is running, and says at what', () => {
    const { view } = run(midRun).reading
    expect(view).toMatchObject({
      system: 'tuning',
      folder: '',
      archived: false,
      id: { value: 'skill-tuning-20260210080000' },
    })
    expect(view.title).toMatchObject({
      value: 'release-notes: Context grows too large',
      source: { file, pointer: '/target_skill/name' },
    })
    expect(view.state).toMatchObject({ value: 'running', written: 'running' })
    expect(view.updatedAt).toMatchObject({ value: Date.parse('2026-02-10T08:14:40.002Z') })
    expect(run(changed({ current_action: 'action-verify' })).reading.view.reason.value).toBe('At action-verify.')
  })

  it.each([
    ['completed', {}, 'done', 'gate: pass'],
    ['completed', { quality_gate: 'review', iteration_count: 5 }, 'limit', '5 of 5 iterations'],
    ['failed', { error_count: 3 }, 'failed', '3 errors'],
    ['user_exit', {}, 'waiting', 'can be resumed'],
  ])('%s %j is %s', (status, fields, state, reason) => {
    const { view } = run(changed({ status, ...fields })).reading
    expect([view.state.value, view.reason.value]).toEqual([state, expect.stringContaining(reason)])
  })

  it('one that ended at its limit without passing its gate is a need', () => {
    const ended = { status: 'completed', quality_gate: 'fail', iteration_count: 5 }
    expect(run(changed(ended)).reading.view.needs).toMatchObject([
      { kind: 'limit', source: { file, pointer: '/iteration_count' } },
    ])
    expect(run(changed({ ...ended, quality_gate: 'pass' })).reading.view.needs).toEqual([])
    expect(run(changed({ ...ended, iteration_count: 4 })).reading.view.needs).toEqual([])
  })

  it.each(['max_iterations', 'iteration_count', 'error_count', 'max_errors'])(
    'one with a word as %s waits for a person',
    (name) => {
      const { view } = run(changed({ [name]: 'lots' })).reading
      expect(view.state.value).toBe('waiting')
      expect(view.reason.value).toMatch(/[^.]\.$/)
      expect(view.needs.map(({ kind, title }) => [kind, title])).toEqual([
        ['unreadable', expect.stringContaining(`number as ${name}`)],
      ])
    },
  )

  it('another status is unknown, shown as it is, and an error', () => {
    const { reading, problems } = run(changed({ status: 'paused' }))
    expect(reading.view.state).toMatchObject({ value: null, written: 'paused' })
    expect(run('{"status":"paused"}').reading.view.phases[0]?.state.value).toBe('todo')
    expect(told(problems)).toEqual([
      '2:13 error tuning/enum: "paused", not pending, running, completed or failed',
      expect.stringMatching(/^\d+:\d+ info tuning\/unknown-field: “changes_made”, not a field of the specification$/),
    ])
  })
})

describe('State Structure: Diagnosis Results', () => {
  it('says which areas of the focus nobody diagnoses', () => {
    expect(
      rules(changed({ focus_areas: ['context', 'architecture', 'docs'] })).filter((rule) => rule.includes('focus')),
    ).toEqual([])
    expect(rules(changed({ focus_areas: ['speed'] })).join('\n')).toContain('tuning/focus-area')
  })

  it('has the times at which the action of a step last ran, and none of one that runs again', () => {
    const entry = (action: string, from: string, to: string | null) => ({
      action,
      started_at: `2026-02-10T08:${from}Z`,
      completed_at: to === null ? null : `2026-02-10T08:${to}Z`,
      result: 'success',
      output_files: [],
    })
    const { phases } = run(
      changed({
        current_action: 'action-generate-report',
        action_history: [
          entry('action-init', '00:00', '00:01'),
          entry('action-init', '00:02', '00:05'),
          entry('action-diagnose-context', '01:00', '03:30'),
          entry('action-generate-report', '04:00', '05:00'),
        ],
      }),
    ).reading.view
    const seconds = ({ started, completed }: Partial<Record<'started' | 'completed', { value: number | null }>> = {}) =>
      started && completed && ((completed.value ?? 0) - (started.value ?? 0)) / 1000
    const [init, diagnose, report] = phases
    expect([init, diagnose?.tasks[0], report].map(seconds)).toEqual([3, 150, undefined])
  })

  it('has one task for each area; what the focus leaves out is skipped', () => {
    const { view, details } = run(midRun).reading
    const [, diagnose] = view.phases
    expect(diagnose?.tasks.map(({ key, state }) => `${key} ${state.value}`)).toEqual([
      'diagnose/context done',
      'diagnose/memory skipped',
      'diagnose/dataflow skipped',
      'diagnose/agent done',
    ])
    expect(diagnose?.state.value).toBe('done')
    const [context] = details.diagnoses
    expect(context).toMatchObject({
      severity: { value: 'medium' },
      issuesFound: { value: 2 },
      milliseconds: { value: 812 },
    })
    expect(context?.patternsChecked.map(({ value }) => value)).toContain('agent_return_bloat')
    expect(context?.evidence[0]).toMatchObject({
      file: { value: 'phases/orchestrator.md' },
      pattern: { value: 'history_accumulation' },
      line: { value: null },
    })
  })

  it('reads areas that later versions added', () => {
    const { details } = run(
      changed({
        diagnosis: {
          context: null,
          memory: null,
          dataflow: null,
          agent: null,
          token_consumption: { status: 'completed', issues_found: 0 },
        },
      }),
    ).reading
    expect(details.diagnoses.map(({ area, state }) => `${area} ${state}`)).toEqual([
      'context open',
      'memory skipped',
      'dataflow skipped',
      'agent open',
      'token_consumption done',
    ])
  })

  it('a completed diagnosis without a result was lost', () => {
    expect(
      rules(changed({ diagnosis: { context: null, memory: null, dataflow: null, agent: null } })).filter((rule) =>
        rule.includes('lost'),
      ),
    ).toHaveLength(2)
  })
})

describe('State Structure: Issues Found', () => {
  it('has each issue with its place, and counts them by severity', () => {
    const { details } = run(midRun).reading
    expect(
      details.issues.map(({ id, severity, files, lineStart }) => [
        id.value,
        severity.value,
        files[0]?.value,
        lineStart.value,
      ]),
    ).toEqual([
      ['CTX-1', 'high', 'phases/orchestrator.md', 41],
      ['CTX-2', 'medium', 'phases/actions/action-collect.md', null],
    ])
    expect(details.issuesBySeverity.counted).toEqual({ critical: 0, high: 1, medium: 1, low: 0 })
  })

  it('reads a place that is a sentence, or several files', () => {
    const issue = { id: 'DOC-1', type: 'doc_conflict', severity: 'low' }
    const { details } = run(
      changed({
        issues: [
          { ...issue, location: 'SKILL.md, below Setup' },
          { ...issue, location: { files: ['a.md', 'b.md'] } },
        ],
      }),
    ).reading
    expect(details.issues.map(({ files }) => files.map(({ value }) => value))).toEqual([
      ['SKILL.md, below Setup'],
      ['a.md', 'b.md'],
    ])
  })

  it('keeps issues apart that have the same id: each iteration counts from 1', () => {
    const issue = (JSON.parse(midRun) as { issues: unknown[] }).issues[0]
    const { reading, problems } = run(
      changed({ issues: [issue, issue], issues_by_severity: { critical: 0, high: 2, medium: 0, low: 0 } }),
    )
    expect(reading.details.issues.map(({ key }) => key)).toEqual(['0:CTX-1', '1:CTX-1'])
    expect(problems.map(({ rule }) => rule)).toContain('tuning/unique-id')
  })

  it('offers the counts of the list where the recorded ones differ', () => {
    const wrong = midRun.replace('"high": 1, "medium": 1', '"high": 4, "medium": 1')
    const finding = run(wrong).problems.find(({ rule }) => rule === 'tuning/issue-count')
    expect(finding).toMatchObject({ file, line: 27, found: '4', expected: expect.stringMatching(/^1,/) as string })
    expect(applyEdits(wrong, finding?.repair?.edits ?? [])).toBe(midRun)
  })
})

describe('State Structure: Fix Management', () => {
  it('a fix that was applied waits for its verification', () => {
    const { view, details } = run(midRun).reading
    expect(view.phases.at(-2)?.tasks.map(({ title, state }) => [title.value, state.value])).toEqual([
      ['FIX-1: Implement sliding window for conversation history', 'active'],
    ])
    expect(details.fixes[0]?.applied[0]).toMatchObject({
      verification: { value: 'pending' },
      canRollBack: { value: true },
      changed: [{ file: { value: 'phases/orchestrator.md' } }],
    })
    expect(details.fixes[0]?.changes[0]?.diff.value).toBe('+ history = history.slice(-5)')
  })

  it('a pattern of files is shown with the files of the skill that it matches', () => {
    const skill = '.claude/skills/release-notes'
    const files = Object.fromEntries(
      ['SKILL.md', 'phases/orchestrator.md', 'phases/actions/action-collect.md'].map((name) => [
        `${skill}/${name}`,
        '',
      ]),
    )
    const matchesOf = (named: string) =>
      run(midRun.replace('"changes": [{ "file": "phases/orchestrator.md"', `"changes": [{ "file": "${named}"`), files)
        .reading.details.fixes[0]?.changes[0]?.matches
    expect(matchesOf('phases/**/*.md')).toEqual(['phases/actions/action-collect.md', 'phases/orchestrator.md'])
    expect(matchesOf(`${skill}/phases/*.md`)).toEqual(['phases/orchestrator.md'])
    expect(matchesOf('../*.md')).toEqual([])
    expect(matchesOf('phases/orchestrator.md')).toBeNull()
  })

  it('issues for which no fix was proposed are left, with the reason', () => {
    const open = { applied_fixes: [], completed_actions: ['action-init', 'action-propose-fixes'] }
    const issue = {
      ...(JSON.parse(midRun) as { issues: Json[] }).issues[1],
      description: 'An agent returns whole content',
    }
    expect(run(changed({ ...open, issues: [issue] })).reading.details.left).toEqual([
      { issue: 'CTX-2', because: expect.stringContaining('would have to read a file instead') as string },
    ])
    expect(run(changed(open)).reading.details.left).toMatchObject([{ issue: 'CTX-2' }])
    expect(run(changed({ completed_actions: ['action-init'] })).reading.details.left).toEqual([])
  })

  it.each([
    ['pass', 'done'],
    ['fail', 'failed'],
    ['rolled_back', 'skipped'],
    ['inconclusive', null],
  ])('a fix whose verification says %s is %s', (result, state) => {
    expect(
      run(
        midRun.replace('"verification_result": "pending"', `"verification_result": "${result}"`),
      ).reading.view.phases.at(-2)?.tasks[0]?.state,
    ).toMatchObject({ value: state, written: result })
  })

  it('proposed fixes wait for the person’s choice', () => {
    const { view } = run(
      changed({ applied_fixes: [], completed_actions: ['action-init', 'action-propose-fixes'] }),
    ).reading
    expect(view.state.value).toBe('gate')
    expect(view.needs).toMatchObject([
      {
        kind: 'approval',
        title: needTitles.chooseFixes,
        options: ['FIX-1: Implement sliding window for conversation history'],
      },
    ])
    expect(
      run(changed({ applied_fixes: [], completed_actions: ['action-propose-fixes'], pending_fixes: ['FIX-1'] })).reading
        .view.needs,
    ).toEqual([])
  })

  it.each([
    [
      'a chosen fix that nobody proposed',
      { pending_fixes: ['FIX-9'] },
      'error tuning/reference: "FIX-9", not the id of a proposed fix',
    ],
    [
      'a chosen fix that is applied',
      { pending_fixes: ['FIX-1'] },
      'error tuning/pending-fix: "FIX-1", not a fix that is not applied yet',
    ],
    [
      'an applied fix that nobody proposed',
      { proposed_fixes: [] },
      'warning tuning/reference: "FIX-1", not the id of a proposed fix',
    ],
  ])('%s', (_, fields, expected) => expect(rules(changed(fields))).toContain(expected))

  it('a word that the specification does not list is an error, and a warning where its own programs write it', () => {
    const enums = (text: string) => rules(text).filter((rule) => rule.includes('enum'))
    expect(enums(midRun.replace('"running"', '"user_exit"'))).toEqual([expect.stringMatching(/^warning tuning\/enum/)])
    expect(enums(midRun.replace('"running"', '"stopped"'))).toEqual([expect.stringMatching(/^error tuning\/enum/)])
  })

  it('a strategy that the specification does not list is a warning', () => {
    expect(
      rules(midRun.replace('"sliding_window", "description"', '"path_reference", "description"')).filter((rule) =>
        rule.includes('enum'),
      ),
    ).toEqual([
      expect.stringMatching(
        /^warning tuning\/enum: "path_reference", not context_summarization, sliding_window, .* or custom$/,
      ),
    ])
  })

  it('a backup that a roll back needs has to be there', () => {
    expect(onlyRun(tuning, { [file]: midRun }).problems.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['tuning/backup']),
    )
  })
})

describe('State Structure: Iteration Control and Quality Metrics', () => {
  it('has meters of iterations and errors against their limits', () => {
    expect(
      run(midRun).reading.view.meters.map(({ name, used, limit }) => `${name} ${used.value} of ${limit.value}`),
    ).toEqual(['Iterations 0 of 5', 'Errors 0 of 3'])
  })

  it('shows the score and gate as recorded and by both formulas', () => {
    const { score } = run(midRun).reading.details
    expect(score).toMatchObject({
      recorded: { value: 80 },
      gate: { value: 'pass' },
      health: { score: 80, gate: 'pass' },
      composite: { score: 52, gate: 'fail' },
    })
  })

  it('doubts a score that neither formula gives', () => {
    expect(rules(changed({ quality_score: 99, quality_gate: 'review' }))).toEqual([
      'warning tuning/score: 99, not 80 (health score) or 52 (composite) for its issues',
      'warning tuning/gate: "review", not pass (health score) or fail (composite) for its issues',
      expect.stringContaining('info tuning/unknown-field'),
    ])
  })

  it.each([
    [
      'clear requirements, as later versions do',
      {
        requirement_analysis: {
          status: 'needs_clarification',
          ambiguities: ['Which skill is meant', { question: 'How large is large' }],
        },
      },
      needTitles.clarify,
      'Which skill is meant\nHow large is large',
    ],
    [
      'an analysis that runs elsewhere',
      { gemini_analysis: { status: 'running', type: 'root_cause', started_at: '2026-02-10T08:12:00Z' } },
      needTitles.afterAnalysis,
      'The analysis runs on its own; the run does not wait for it.',
    ],
  ])('waits for %s', (_, fields, title, detail) =>
    expect(run(changed(fields)).reading.view.needs).toMatchObject([{ kind: 'question', title, detail }]),
  )

  it('asks whether to go on while serious issues are left', () => {
    const verified = { completed_actions: ['action-verify'], quality_gate: 'review', applied_fixes: [] }
    const { view } = run(changed(verified)).reading
    expect(view.needs).toMatchObject([{ kind: 'question', title: needTitles.iterate, options: ['Yes', 'No'] }])
  })

  it.each([
    [
      'more iterations than allowed',
      { iteration_count: 6 },
      'error tuning/iteration-limit: 6, not at most 5, the limit of the run',
    ],
    ['a score above 100', { quality_score: 120 }, 'error tuning/range: 120, not at most 100'],
    [
      'fewer errors counted than listed',
      { errors: [{ action: 'a', message: 'm', timestamp: '2026-02-10T08:00:01Z', recoverable: true }] },
      'warning tuning/error-count: 0, not at least 1, the number of errors listed',
    ],
  ])('%s', (_, fields, expected) => expect(rules(changed(fields))).toContain(expected))
})

describe('State Structure: Orchestrator State, Error Handling and Output Paths', () => {
  it('has the history of actions, also as later versions shorten it', () => {
    const { details } = run(
      changed({
        action_history: [
          {
            action: 'action-init',
            started_at: '2026-02-10T08:00:01Z',
            completed_at: '2026-02-10T08:00:03Z',
            result: 'success',
            output_files: ['x.md'],
          },
          { action: 'action-verify', started_at: '2026-02-10T08:20:00Z' },
        ],
      }),
    ).reading
    expect(
      details.history.map(({ action, result, completedAt }) => [action.value, result.value, completedAt.value]),
    ).toEqual([
      ['action-init', 'success', Date.parse('2026-02-10T08:00:03Z')],
      ['action-verify', null, null],
    ])
  })

  it('lists the errors', () => {
    const { view } = run(
      changed({
        error_count: 1,
        errors: [{ action: 'action-verify', message: 'no marker', timestamp: '2026-02-10T08:00:01Z' }],
      }),
    ).reading
    expect(view.errors).toMatchObject([
      { message: { value: 'no marker' }, at: 'action-verify', time: { value: Date.parse('2026-02-10T08:00:01Z') } },
    ])
  })

  it('lists what is in its folder, and says of named paths whether they are there', () => {
    const { view } = run(midRun, {
      [backup]: '',
      [`${workDir}/diagnosis/context-diagnosis.json`]: '{}',
      [`${workDir}/tuning-report.md`]: '',
    }).reading
    expect(view.artefacts.map(({ kind, path, exists }) => [kind, path.slice(workDir.length + 1), exists])).toEqual([
      ['diagnosis', 'diagnosis/context-diagnosis.json', true],
      ['report', 'tuning-report.md', true],
      ['backup', 'backups/release-notes-backup', true],
      ['backup', 'backups/release-notes-backup/before-FIX-1', true],
    ])
  })

  it('does not believe paths that lead out of the project', () => {
    const { reading, problems } = run(changed({ backup_dir: '../../etc', work_dir: '/etc' }))
    expect(reading.view.artefacts.find(({ kind }) => kind === 'backup')).toMatchObject({
      path: '../../etc',
      exists: null,
    })
    expect(problems.filter(({ rule }) => rule === 'tuning/path').map(({ found }) => found)).toEqual([
      '"/etc"',
      '"../../etc"',
    ])
  })

  it('finds a run that was moved, and says that its state names another folder', () => {
    const [moved] = runsIn(tuning, { 'old/skill-tuning-archive/state.json': midRun })
    expect(moved?.reading.view).toMatchObject({ folder: 'old', id: { value: 'skill-tuning-archive' } })
    expect(moved?.problems.map(({ rule }) => rule)).toContain('tuning/work-dir')
  })

  it('knows a run whose state is gone', () => {
    const lost = onlyRun(tuning, { [`${workDir}/tuning-report.md`]: '' })
    expect(lost.reading.view.state).toEqual({ value: null, source: null })
    expect(told(lost.problems)).toEqual(['1:1 error tuning/state-file: no such file, not the state of the run'])
  })

  it('takes the skill itself for no run', () =>
    expect(runsIn(tuning, { '.claude/skills/skill-tuning/SKILL.md': '', 'skill-tuning-notes/a.md': '' })).toEqual([]))
})

describe('State Transition Diagram', () => {
  it.each([
    [
      'completed while an action runs',
      { status: 'completed', current_action: 'action-verify' },
      'warning tuning/impossible-state: "action-verify", not null, as the run is completed',
    ],
    [
      'pending with completed actions',
      { status: 'pending' },
      'warning tuning/impossible-state: "pending", not running: actions of this run are completed',
    ],
    [
      'running with too many errors',
      { error_count: 3 },
      'warning tuning/impossible-state: "running", not failed: the limit of 3 errors is reached',
    ],
    [
      'failed without errors',
      { status: 'failed' },
      'info tuning/impossible-state: "failed", not another status: 0 of at most 3 errors',
    ],
    [
      'an action again and again',
      { completed_actions: ['action-init', 'action-verify', 'action-verify', 'action-verify', 'action-verify'] },
      'warning tuning/repeats: "action-verify", not a different action: the run may be looping',
    ],
    [
      'a fix applied again and again, of which none is on the list',
      { completed_actions: ['action-init', ...Array<string>(4).fill('action-apply-fix')] },
      'warning tuning/repeats: "action-apply-fix", not a different action: the run may be looping',
    ],
  ])('%s', (_, fields, expected) => expect(rules(changed(fields))).toContain(expected))
})

describe('State Update Rules', () => {
  it('updates that were merged under keys with a dot are read where they belong, and can be moved there', () => {
    const dotted = initialState.replace(
      '"work_dir": null',
      '"work_dir": null,\n  "diagnosis.context": {"status":"completed","issues_found":0},\n  "issues_by_severity.high": 0',
    )
    const { reading, problems } = run(dotted)
    expect(reading.details.diagnoses[0]).toMatchObject({
      state: 'done',
      status: { value: 'completed', source: { pointer: '/diagnosis.context/status' } },
    })
    const [finding] = problems.filter(({ rule }) => rule === 'tuning/dotted-key')
    expect(finding).toMatchObject({
      severity: 'warning',
      found: '"\\"diagnosis.context\\""',
      expected: '“context” inside “diagnosis”',
    })
    const moved = applyEdits(dotted, finding?.repair?.edits ?? [])
    expect(JSON.parse(moved)).toMatchObject({
      diagnosis: { context: { status: 'completed' } },
      'issues_by_severity.high': 0,
    })
    expect(moved).not.toContain('"diagnosis.context"')
  })

  it('the time of the update is not before the start', () => {
    expect(rules(changed({ updated_at: '2026-02-10T07:00:00Z' }))).toContain(
      'warning tuning/time-order: "2026-02-10T07:00:00Z", not a time after “started_at”',
    )
    expect(rules(changed({ updated_at: 'today' }))).toContain(
      'error tuning/form: "today", not a time such as 2026-02-10T08:00:03.120Z',
    )
  })

  it('a file that is being written is read as far as it goes, with the place where it ends', () => {
    const { reading, problems } = run(midRun.slice(0, 700))
    expect(reading.view.title.value).toBe('release-notes: Context grows too large')
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(1)
    expect(problems[0]).toMatchObject({ rule: 'file/json', file })
  })

  it.each([
    ['empty', ''],
    ['another type', '[1, 2]'],
    ['only white space', ' \r\n'],
    ['a byte order mark and CR LF', `\uFEFF${midRun.replaceAll('\n', '\r\n')}`],
    ['nested a thousand deep', '['.repeat(1000)],
    ['hostile keys', '{"__proto__": {"status": "running"}, "status": "pending", "constructor": 1}'],
  ])('a file that is %s is read', (_, text) => expect(run(text).reading.view.system).toBe('tuning'))

  it('nothing that is in the file makes the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(damaged(midRun), altered(midRun), altered(initialState)), (state) => {
        const { reading, problems } = onlyRun(tuning, { [file]: state })
        expect(reading.view.key).toBe(`tuning:${workDir}`)
        for (const problem of problems) expect(problem.line).toBeGreaterThan(0)
      }),
    )
  })
})
