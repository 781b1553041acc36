/** What a person does with a tuning run, byte by byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPatch } from 'diff'
import { act as actOn, actionsOf, NOW, offered, runFiles, type Texts } from '../../../../test/support/actions'
import type { EditValues } from '@shared/contract/edits'
import { tuning } from '../format'

const work = '.workflow/.scratchpad/skill-tuning-20260210080000'
const stateFile = `${work}/state.json`
const backup = `${work}/backups/notes-backup`
const orchestrator = '# Orchestrator\n\n1. Collect.\n2. Add to the history.\n3. Write.\n'
const collect = '# Collect\r\n\r\nRead all.\r\n'
/** The person has looked: its issues are gone. */
const passed = { verdict: 'pass' }
const diff =
  '--- a/phases/orchestrator.md\n+++ b/phases/orchestrator.md\n@@ -3,3 +3,3 @@\n 1. Collect.\n-2. Add to the history.\n+2. Add to the history, keep five.\n 3. Write.\n'
const fixed = orchestrator.replace('history.', 'history, keep five.')

const issue = (id: string, severity: string) => ({
  id,
  type: 'context_explosion',
  severity,
  priority: 1,
  location: { file: 'phases/orchestrator.md' },
  description: 'd',
  evidence: [],
  root_cause: 'r',
  impact: 'i',
  suggested_fix: 's',
  related_issues: [],
})
const fix = (id: string, issues: string[], changes: object[]) => ({
  id,
  issue_ids: issues,
  strategy: 'sliding_window',
  description: `Description of ${id}`,
  rationale: 'r',
  changes,
  risk: 'low',
  estimated_impact: 'e',
  verification_steps: [],
})
const state = {
  status: 'running',
  started_at: '2026-02-10T08:00:03.120Z',
  updated_at: '2026-02-10T08:14:40.002Z',
  target_skill: { name: 'notes', path: '.claude/skills/notes', execution_mode: 'autonomous', phases: [], specs: [] },
  user_issue_description: 'Context grows',
  focus_areas: [],
  diagnosis: Object.fromEntries(
    ['context', 'memory', 'dataflow', 'agent'].map((area) => [
      area,
      {
        status: 'completed',
        issues_found: 0,
        severity: 'none',
        execution_time_ms: 1,
        details: { patterns_checked: [], patterns_matched: [], evidence: [], recommendations: [] },
      },
    ]),
  ),
  issues: [issue('CTX-1', 'high'), issue('CTX-2', 'medium'), issue('MEM-1', 'high'), issue('AGT-1', 'high')],
  issues_by_severity: { critical: 0, high: 3, medium: 1, low: 0 },
  proposed_fixes: [
    fix('FIX-1', ['CTX-1'], [{ file: 'phases/orchestrator.md', action: 'modify', diff }]),
    fix(
      'FIX-2',
      ['MEM-1'],
      [
        { file: 'specs/limits.md', action: 'create', new_content: '# Limits\n' },
        { file: 'phases/collect.md', action: 'delete' },
      ],
    ),
    fix(
      'FIX-10',
      ['AGT-1'],
      [{ file: 'phases/collect.md', action: 'modify', old_content: 'Read all.', new_content: 'Read the paths.' }],
    ),
  ],
  applied_fixes: [],
  pending_fixes: [],
  iteration_count: 0,
  max_iterations: 5,
  quality_score: 50,
  quality_gate: 'review',
  completed_actions: [
    'action-init',
    'action-diagnose-context',
    'action-diagnose-memory',
    'action-diagnose-dataflow',
    'action-diagnose-agent',
    'action-generate-report',
    'action-propose-fixes',
  ],
  current_action: null,
  action_history: [],
  errors: [],
  error_count: 0,
  max_errors: 3,
  work_dir: work,
  backup_dir: backup,
  theirs: { kept: ['as it is'] },
}
const skill: Texts = {
  '.claude/skills/notes/SKILL.md': '# Notes\n',
  '.claude/skills/notes/phases/orchestrator.md': orchestrator,
  '.claude/skills/notes/phases/collect.md': collect,
}
const at = (name: string) => `.claude/skills/notes/${name}`
const print = (value: unknown) => JSON.stringify(value, undefined, 2)
const project = (changes: object = {}, others: Texts = {}): Texts => ({
  ...skill,
  [stateFile]: print({ ...state, ...changes }),
  ...others,
})
const act = (files: Texts, name: string, target = '', values: EditValues = {}) =>
  actOn(tuning, files, name, target, values)
const stateOf = (files: Texts) => JSON.parse(files[stateFile] ?? '') as typeof state
const updated = { updated_at: '2026-03-02T10:00:00.000Z' }
/** The state with one more action in its two lists. */
const done = (before: object, action: string, outputs: readonly string[] = []) => {
  const { completed_actions: names, action_history: history } = before as typeof state
  const entry = {
    action,
    started_at: '2026-03-02T10:00:00.000Z',
    completed_at: '2026-03-02T10:00:00.000Z',
    result: 'success',
    output_files: outputs,
  }
  return { completed_actions: [...names, action], action_history: [...history, entry] }
}
const refused =
  (files: Texts, name: string, target: string, values: EditValues = {}, remembered?: ReadonlyMap<string, string>) =>
  () =>
    tuning.plan(runFiles(tuning, files, remembered), { name, target, values, now: NOW })
const needOf = (files: Texts) => tuning.read(runFiles(tuning, files))?.view.needs[0]

describe('Choosing fixes', () => {
  it('answers the approval and changes the list of pending fixes and the time alone', () => {
    const files = project()
    const [action] = actionsOf(tuning, files)
    expect(action).toMatchObject({
      name: 'select-fixes',
      answersNeed: true,
      source: needOf(files)?.source,
      fields: [
        {
          kind: 'several',
          options: [{ value: 'FIX-1', label: 'FIX-1: Description of FIX-1' }, { value: 'FIX-2' }, { value: 'FIX-10' }],
        },
      ],
    })
    const { after, plan } = act(files, 'select-fixes', '', { fixes: ['FIX-10', 'FIX-1'] })
    expect(after[stateFile]).toBe(
      files[stateFile]
        ?.replace('"pending_fixes": []', '"pending_fixes": ["FIX-1", "FIX-10"]')
        .replace('2026-02-10T08:14:40.002Z', '2026-03-02T10:00:00.000Z'),
    )
    expect(plan.changes).toHaveLength(1)
    expect(needOf(after)).toBeUndefined()
  })

  it('writes nothing, the time neither, when the same ones are chosen again', () => {
    expect(act(project({ pending_fixes: ['FIX-1'] }), 'select-fixes', '', { fixes: ['FIX-1'] }).plan.changes).toEqual(
      [],
    )
  })

  it('says what happens when none is chosen, and takes none that was not proposed', () => {
    const files = project({ pending_fixes: ['FIX-1'] })
    expect(act(files, 'select-fixes').plan.warnings).toEqual([expect.stringContaining('no fix')])
    expect(refused(files, 'select-fixes', '', { fixes: ['FIX-3'] })).toThrow('Fixes must be some of the options')
  })
})

describe('Applying the next fix', () => {
  const files = project({ pending_fixes: ['FIX-1', 'FIX-2'] })
  const entry = {
    fix_id: 'FIX-1',
    applied_at: '2026-03-02T10:00:00.000Z',
    success: true,
    backup_path: `${backup}/before-FIX-1`,
    verification_result: 'pending',
    rollback_available: true,
  }
  const listed = {
    ...entry,
    changes_made: [
      { file: 'phases/orchestrator.md', action: 'modified', backup: `${backup}/before-FIX-1/phases/orchestrator.md` },
    ],
  }

  it('changes the skill truly, keeps what was there, and says so in the state and beside it', () => {
    const { plan, after } = act(files, 'apply-fix', 'FIX-1')
    expect(plan.changes.map(({ file, before }) => [file, before === null])).toEqual([
      [`${backup}/before-FIX-1/phases/orchestrator.md`, true],
      [at('phases/orchestrator.md'), false],
      [stateFile, false],
      [`${work}/fixes/applied-fixes.json`, true],
    ])
    expect(after[at('phases/orchestrator.md')]).toBe(fixed)
    expect(after[`${backup}/before-FIX-1/phases/orchestrator.md`]).toBe(orchestrator)
    expect(stateOf(after)).toEqual({
      ...state,
      ...updated,
      ...done(state, 'action-apply-fix', [`${work}/fixes/applied-fixes.json`]),
      pending_fixes: ['FIX-2'],
      applied_fixes: [entry],
    })
    expect(after[`${work}/fixes/applied-fixes.json`]).toBe(`${print([listed])}\n`)
  })

  it('appends the comment of the original only when asked to', () => {
    const { after } = act(files, 'apply-fix', 'FIX-1', { also: ['marker'] })
    expect(after[at('phases/orchestrator.md')]).toBe(`${fixed}\n\n<!-- Applied fix FIX-1: Description of FIX-1 -->\n`)
  })

  it('comes one after the other', () => {
    expect(refused(files, 'apply-fix', 'FIX-2')).toThrow('Apply FIX-1 before FIX-2.')
    expect(refused(files, 'apply-fix', 'FIX-10')).toThrow('No action apply-fix')
  })

  it('creates and deletes files', () => {
    const { after } = act(project({ pending_fixes: ['FIX-2'] }), 'apply-fix', 'FIX-2')
    expect(after[at('specs/limits.md')]).toBe('# Limits\n')
    expect(after[at('phases/collect.md')]).toBeUndefined()
    expect(after[`${backup}/before-FIX-2/phases/collect.md`]).toBe(collect)
    expect(JSON.parse(after[`${work}/fixes/applied-fixes.json`] ?? '')).toMatchObject([
      {
        changes_made: [
          { file: 'specs/limits.md', action: 'created', backup: null },
          { file: 'phases/collect.md', action: 'deleted' },
        ],
      },
    ])
  })

  it('replaces a text that is there once', () => {
    const { after } = act(project({ pending_fixes: ['FIX-10'] }), 'apply-fix', 'FIX-10')
    expect(after[at('phases/collect.md')]).toBe(collect.replace('Read all.', 'Read the paths.'))
  })

  it('adds to the list that is beside the state', () => {
    const list = '[{ "fix_id": "FIX-0" }]\n'
    const { after } = act({ ...files, [`${work}/fixes/applied-fixes.json`]: list }, 'apply-fix', 'FIX-1')
    expect(JSON.parse(after[`${work}/fixes/applied-fixes.json`] ?? '')).toEqual([{ fix_id: 'FIX-0' }, listed])
    const odd = act({ ...files, [`${work}/fixes/applied-fixes.json`]: '{"count":1}' }, 'apply-fix', 'FIX-1')
    expect(odd.after[`${work}/fixes/applied-fixes.json`]).toBe('{"count":1}')
    expect(odd.plan.warnings).toEqual([expect.stringContaining(`${work}/fixes/applied-fixes.json`)])
  })

  const withChange = (change: object, others: Texts = {}) =>
    project({ pending_fixes: ['FIX-1'], proposed_fixes: [fix('FIX-1', [], [change])] }, others)
  const applied = (change: object, others: Texts = {}) =>
    act(withChange(change, others), 'apply-fix', 'FIX-1').after[at('phases/orchestrator.md')]

  it.each([
    ['wrong counts', diff.replace('@@ -3,3 +3,3 @@', '@@ -3,9 +3,1 @@')],
    ['another place', diff.replace('@@ -3,3 +3,3 @@', '@@ -1,3 +1,3 @@')],
    ['no names of files', diff.split('\n').slice(2).join('\n')],
    ['CRLF', diff.replaceAll('\n', '\r\n')],
    ['no line end at its end', diff.replace(/\n$/, '')],
  ])('takes a diff with %s', (_, text) => {
    expect(applied({ file: 'phases/orchestrator.md', action: 'modify', diff: text })).toBe(fixed)
  })

  it('keeps CRLF and the byte order mark of the file', () => {
    const text = `\uFEFF${orchestrator.replaceAll('\n', '\r\n')}`
    expect(
      applied({ file: 'phases/orchestrator.md', action: 'modify', diff }, { [at('phases/orchestrator.md')]: text }),
    ).toBe(`\uFEFF${fixed.replaceAll('\n', '\r\n')}`)
  })

  it('is refused, and changes nothing, where a change does not fit', () => {
    expect(
      refused(
        withChange(
          { file: 'phases/orchestrator.md', action: 'modify', diff },
          { [at('phases/orchestrator.md')]: fixed },
        ),
        'apply-fix',
        'FIX-1',
      ),
    ).toThrow('the lines that it changes are not there')
    expect(
      refused(
        withChange({ file: 'phases/orchestrator.md', action: 'modify', diff: '+ history = history.slice(-5)' }),
        'apply-fix',
        'FIX-1',
      ),
    ).toThrow('does not say what it changes')
    expect(refused(withChange({ file: 'phases/orchestrator.md', action: 'modify' }), 'apply-fix', 'FIX-1')).toThrow(
      'does not say what it changes',
    )
    expect(
      refused(
        withChange({ file: 'phases/orchestrator.md', action: 'modify', old_content: 'e', new_content: 'x' }),
        'apply-fix',
        'FIX-1',
      ),
    ).toThrow('is there 4 times')
    expect(refused(withChange({ file: 'SKILL.md', action: 'create', new_content: 'x' }), 'apply-fix', 'FIX-1')).toThrow(
      'already exists',
    )
    expect(refused(withChange({ file: 'gone.md', action: 'delete' }), 'apply-fix', 'FIX-1')).toThrow('does not exist')
    expect(refused(withChange({ file: 'SKILL.md', action: 'rename' }), 'apply-fix', 'FIX-1')).toThrow(
      '"rename" is not a kind of change',
    )
  })

  it('never leaves the skill’s folder', () => {
    for (const name of ['../../../secret', '/etc/passwd', 'C:\\x', '~/x', 'phases/*.md', '', 'multiple/..']) {
      expect(refused(withChange({ file: name, action: 'create', new_content: 'x' }), 'apply-fix', 'FIX-1')).toThrow(
        'is not a single file of the skill',
      )
    }
    const create = { file: 'x.md', action: 'create', new_content: 'x' }
    const elsewhere = (path: string) =>
      project({
        target_skill: { ...state.target_skill, path },
        pending_fixes: ['FIX-1'],
        proposed_fixes: [fix('FIX-1', [], [create])],
      })
    for (const path of ['..', '/tmp', '.git', '.claude'])
      expect(refused(elsewhere(path), 'apply-fix', 'FIX-1')).toThrow('is no skill of this project')
    const id = project({ pending_fixes: ['../x'], proposed_fixes: [fix('../x', [], [create])] })
    expect(refused(id, 'apply-fix', '../x')).toThrow('cannot name a folder')
  })
})

const afterApply = (id: string, values: EditValues = {}, files = project({ pending_fixes: [id] })) =>
  act(files, 'apply-fix', id, values).after

describe('Verifying a fix', () => {
  it('that stands takes its issues off the list and counts anew', () => {
    const before = afterApply('FIX-1')
    const { plan, after } = act(before, 'verify-fix', 'FIX-1', passed)
    expect(plan.summary).toBe('Verified FIX-1: passed')
    const old = stateOf(before)
    expect(stateOf(after)).toEqual({
      ...old,
      ...updated,
      ...done(old, 'action-verify'),
      issues: old.issues.slice(1),
      issues_by_severity: { critical: 0, high: 2, medium: 1, low: 0 },
      quality_score: 65,
      quality_gate: 'pass',
      iteration_count: 1,
      applied_fixes: [{ ...(old.applied_fixes[0] as unknown as object), verification_result: 'pass' }],
    })
    expect(JSON.parse(after[`${work}/fixes/applied-fixes.json`] ?? '')).toMatchObject([{ verification_result: 'pass' }])
    expect(Object.keys(plan.remember ?? {})).toEqual(['resolved issues of FIX-1'])
  })

  it('that stands leaves no other issue related to those that are gone', () => {
    const issues = [issue('CTX-1', 'high'), { ...issue('CTX-2', 'medium'), related_issues: ['CTX-1', 'MEM-1'] }]
    const before = afterApply('FIX-1', {}, project({ pending_fixes: ['FIX-1'], issues }))
    expect(stateOf(act(before, 'verify-fix', 'FIX-1', passed).after).issues).toMatchObject([
      { id: 'CTX-2', related_issues: ['MEM-1'] },
    ])
  })

  it.each(['FIX-2', 'FIX-10'])('that was made stands: %s', (id) => {
    expect(act(afterApply(id), 'verify-fix', id, passed).plan.summary).toBe(`Verified ${id}: passed`)
  })

  it('is unverified without a verdict of the person, and nothing is written', () => {
    const { plan, after } = act(afterApply('FIX-1'), 'verify-fix', 'FIX-1')
    expect(plan).toMatchObject({ summary: 'FIX-1 is unverified', changes: [] })
    expect(plan.warnings).toEqual([expect.stringContaining('Unverified')])
    expect(stateOf(after)).toMatchObject({ issues: state.issues, applied_fixes: [{ verification_result: 'pending' }] })
    expect(act(afterApply('FIX-1'), 'verify-fix', 'FIX-1', { verdict: 'fail' }).plan.summary).toBe(
      'Verified FIX-1: failed',
    )
  })

  it('that is only a comment is not in effect, whatever the person says', () => {
    const marked = {
      ...afterApply('FIX-1'),
      [at('phases/orchestrator.md')]: `${orchestrator}\n\n<!-- Applied fix FIX-1: x -->\n`,
    }
    expect(act(marked, 'verify-fix', 'FIX-1').plan.summary).toBe('Verified FIX-1: failed')
    expect(() => act(marked, 'verify-fix', 'FIX-1', passed)).toThrow('FIX-1 is not in effect')
  })

  it('is in effect where two of its changes touch', () => {
    const touching = [
      {
        file: 'phases/orchestrator.md',
        action: 'modify',
        old_content: '2. Add to the history.\n',
        new_content: '2. Add one.\n',
      },
      {
        file: 'phases/orchestrator.md',
        action: 'modify',
        old_content: '2. Add one.\n3. Write.',
        new_content: '2. Add two.\n3. Write it.',
      },
    ]
    const fixes = state.proposed_fixes.map((fix) => (fix.id === 'FIX-1' ? { ...fix, changes: touching } : fix))
    const applied = afterApply('FIX-1', {}, project({ pending_fixes: ['FIX-1'], proposed_fixes: fixes }))
    expect(applied[at('phases/orchestrator.md')]).toContain('2. Add two.\n3. Write it.')
    expect(act(applied, 'verify-fix', 'FIX-1').plan.summary).toBe('FIX-1 is unverified')
  })

  it('that is gone fails and changes no issues', () => {
    const before = { ...afterApply('FIX-1'), [at('phases/orchestrator.md')]: orchestrator }
    const { plan, after } = act(before, 'verify-fix', 'FIX-1')
    expect(plan.warnings).toEqual([expect.stringContaining(at('phases/orchestrator.md'))])
    expect(stateOf(after)).toMatchObject({
      issues: state.issues,
      quality_score: 50,
      iteration_count: 1,
      applied_fixes: [{ verification_result: 'fail' }],
    })
  })

  it('that failed has counts, score and gate written anew as well', () => {
    const before = {
      ...afterApply(
        'FIX-1',
        {},
        project({
          pending_fixes: ['FIX-1'],
          issues_by_severity: { critical: 9, high: 0, medium: 0, low: 0 },
          quality_score: 0,
          quality_gate: 'fail',
        }),
      ),
      [at('phases/orchestrator.md')]: orchestrator,
    }
    expect(stateOf(act(before, 'verify-fix', 'FIX-1').after)).toMatchObject({
      issues: state.issues,
      issues_by_severity: state.issues_by_severity,
      quality_score: 50,
      quality_gate: 'review',
    })
  })

  it('counts one iteration for all that wait, and none beyond the limit', () => {
    const two = afterApply(
      'FIX-10',
      {},
      { ...afterApply('FIX-1', {}, project({ pending_fixes: ['FIX-1', 'FIX-10'] })) },
    )
    expect(stateOf(act(two, 'verify-fix', 'FIX-1', passed).after).iteration_count).toBe(0)
    expect(
      stateOf(act(act(two, 'verify-fix', 'FIX-1', passed).after, 'verify-fix', 'FIX-10', passed).after).iteration_count,
    ).toBe(1)
    const spent = afterApply('FIX-1', {}, project({ pending_fixes: ['FIX-1'], iteration_count: 5 }))
    expect(stateOf(act(spent, 'verify-fix', 'FIX-1', passed).after).iteration_count).toBe(5)
  })

  describe('by scanning the skill again', () => {
    const growing = '# Orchestrator\n\n```js\nhistory.push(reply)\n```\n'
    const known = { ...issue('CTX-1', 'high'), evidence: ['phases/orchestrator.md:4: history.push(reply)'] }
    /** A run whose only fix replaces a text of the orchestrator and was applied. */
    const replaced = (after: string, issues: string[] = ['CTX-1'], evidence: object = known) => {
      const change = {
        file: 'phases/orchestrator.md',
        action: 'modify',
        old_content: 'history.push(reply)\n',
        new_content: after,
      }
      const files = project(
        { pending_fixes: ['FIX-1'], issues: [evidence], proposed_fixes: [fix('FIX-1', issues, [change])] },
        { [at('phases/orchestrator.md')]: growing },
      )
      return afterApply('FIX-1', {}, files)
    }
    const bounded = 'history.push(reply)\nhistory = history.slice(-5)\n'

    it('passes when its issues are gone', () => {
      const { plan, after } = act(replaced(bounded), 'verify-fix', 'FIX-1')
      expect(plan.summary).toBe('Verified FIX-1: passed')
      expect(plan.warnings).toEqual([])
      expect(plan.notes).toEqual(['Scanned again: CTX-1 no longer found.', 'No issues are left.'])
      expect(stateOf(after)).toMatchObject({ issues: [], applied_fixes: [{ verification_result: 'pass' }] })
    })

    it('fails when one is still there, and the person’s own verdict counts instead', () => {
      const applied = replaced('// Keep it short.\nhistory.push(reply)\n')
      const { plan, after } = act(applied, 'verify-fix', 'FIX-1')
      expect(plan.summary).toBe('Verified FIX-1: failed')
      expect(plan.warnings[0]).toContain('CTX-1 (phases/orchestrator.md:5: history.push(reply))')
      expect(stateOf(after)).toMatchObject({ issues: [{ id: 'CTX-1' }] })
      expect(act(applied, 'verify-fix', 'FIX-1', passed).plan.summary).toBe('Verified FIX-1: passed')
    })

    it('fails when a changed file has a new one', () => {
      const { plan } = act(replaced(`${bounded}return { full_output: reply }\n`), 'verify-fix', 'FIX-1')
      expect([plan.summary, plan.warnings[0]]).toEqual(['Verified FIX-1: failed', expect.stringMatching(/^New with/)])
    })

    it('waits for the person where the scanners do not see the issue, or a file cannot be read', () => {
      const unseen = { ...known, evidence: ['It feels slow'] }
      const { plan } = act(replaced(bounded, ['CTX-1'], unseen), 'verify-fix', 'FIX-1')
      expect([plan.summary, plan.warnings[0]]).toEqual(['FIX-1 is unverified', expect.stringContaining('CTX-1')])
      const unreadable = { ...replaced(bounded), [at('notes.md')]: 'a\0b' }
      expect(act(unreadable, 'verify-fix', 'FIX-1').plan.summary).toBe('FIX-1 is unverified')
    })
  })

  it('is done once', () => {
    const { after } = act(afterApply('FIX-1'), 'verify-fix', 'FIX-1', passed)
    expect(refused(after, 'verify-fix', 'FIX-1')).toThrow('FIX-1 is already verified: pass')
  })
})

describe('Rolling back a fix', () => {
  const file = at('phases/orchestrator.md')

  it.each([
    ['FIX-1', {}],
    ['FIX-1', { also: ['marker'] }],
    ['FIX-2', {}],
    ['FIX-10', { also: ['marker'] }],
  ] as const)('%s, applied with %j, gives the skill back as it was', (id, values) => {
    const { plan, after } = act(afterApply(id, values), 'roll-back', id)
    expect(Object.fromEntries(Object.entries(after).filter(([name]) => name.startsWith('.claude/')))).toEqual(skill)
    expect(plan.warnings).toEqual([])
    // `rolled_back` is no word of the specification.
    expect(stateOf(after)).toMatchObject({
      applied_fixes: [{ rollback_available: false, verification_result: 'fail' }],
      issues: state.issues,
    })
    expect(JSON.parse(after[`${work}/fixes/applied-fixes.json`] ?? '')).toMatchObject([
      { rollback_available: false, verification_result: 'fail' },
    ])
    expect(refused(after, 'roll-back', id)).toThrow('cannot be rolled back')
  })

  it('opens the issues again that its verification took off the list', () => {
    const { plan: verified, after } = act(afterApply('FIX-1'), 'verify-fix', 'FIX-1', passed)
    const remembered = new Map(
      Object.entries(verified.remember ?? {}).flatMap(([name, value]) =>
        value === null ? [] : [[name, value] as const],
      ),
    )
    const plan = tuning.plan(runFiles(tuning, after, remembered), {
      name: 'roll-back',
      target: 'FIX-1',
      values: {},
      now: NOW,
    })
    const written = JSON.parse(plan.changes.find((change) => change.file === stateFile)?.after ?? '') as typeof state
    expect(written.issues).toEqual([...state.issues.slice(1), state.issues[0]])
    expect(written).toMatchObject({
      issues_by_severity: state.issues_by_severity,
      quality_score: 50,
      quality_gate: 'review',
    })
    expect(plan.remember).toEqual({ 'resolved issues of FIX-1': null })
    expect(act(after, 'roll-back', 'FIX-1').plan.warnings).toEqual([expect.stringContaining('issues were not kept')])
  })

  it('keeps what was changed elsewhere in the file since, and says so', () => {
    const { plan, after } = act(
      { ...afterApply('FIX-1', { also: ['marker'] }), [file]: fixed.replace('# Orchestrator', '# The orchestrator') },
      'roll-back',
      'FIX-1',
    )
    expect(after[file]).toBe(orchestrator.replace('# Orchestrator', '# The orchestrator'))
    expect(plan.warnings).toEqual([expect.stringContaining(`${file} was changed after FIX-1 was applied`)])
  })

  it('is refused where its own lines were changed since', () => {
    expect(
      refused({ ...afterApply('FIX-1'), [file]: fixed.replace('keep five', 'keep six') }, 'roll-back', 'FIX-1'),
    ).toThrow('in the same lines')
    expect(refused({ ...afterApply('FIX-2'), [at('specs/limits.md')]: '# Mine\n' }, 'roll-back', 'FIX-2')).toThrow(
      'was changed after FIX-2 created it',
    )
  })

  it('makes a file again that was deleted since', () => {
    const { [file]: _, ...others } = afterApply('FIX-1')
    const { plan, after } = act(others, 'roll-back', 'FIX-1')
    expect(after[file]).toBe(orchestrator)
    expect(plan.warnings).toEqual([expect.stringContaining(`${file} was deleted since`)])
  })

  it('is refused without the copies', () => {
    const files = Object.fromEntries(Object.entries(afterApply('FIX-1')).filter(([name]) => !name.includes('before-')))
    expect(refused(files, 'roll-back', 'FIX-1')).toThrow('The backup of FIX-1 is missing')
  })

  it('of what the original applied, which only appends its comment, takes the comment away', () => {
    const applied = {
      fix_id: 'FIX-1',
      applied_at: '2026-02-10T08:14:39.900Z',
      success: true,
      backup_path: `${backup}/before-FIX-1`,
      verification_result: 'pending',
      rollback_available: true,
    }
    const files = project(
      { applied_fixes: [applied] },
      {
        [file]: `${orchestrator}\n\n<!-- Applied fix FIX-1: Description -->\n`,
        [`${backup}/before-FIX-1/phases/orchestrator.md`]: orchestrator,
      },
    )
    expect(act(files, 'roll-back', 'FIX-1').after[file]).toBe(orchestrator)
  })
})

describe('Another iteration', () => {
  const asked = project({ completed_actions: [...state.completed_actions, 'action-verify'], iteration_count: 1 })

  it('empties the four diagnoses', () => {
    expect(actionsOf(tuning, asked).find(({ name }) => name === 'continue')).toMatchObject({
      answersNeed: true,
      source: needOf(asked)?.source,
    })
    const { after } = act(asked, 'continue', '', { go: 'yes' })
    expect(stateOf(after)).toEqual({
      ...stateOf(asked),
      ...updated,
      diagnosis: { context: null, memory: null, dataflow: null, agent: null },
      proposed_fixes: [],
    })
    expect(JSON.parse(after[`${work}/fixes/round-1.json`] ?? '')).toEqual(state.proposed_fixes)
  })

  it('counts a round of which no fix was chosen, and keeps the fixes that were applied', () => {
    const none = act(project(), 'select-fixes').after
    expect(stateOf(none).completed_actions.at(-1)).toBe('action-select-fixes')
    expect(needOf(none)?.title).toBe('Start another iteration')
    expect(stateOf(act(none, 'continue', '', { go: 'yes' }).after).iteration_count).toBe(1)
    const verified = act(afterApply('FIX-1'), 'verify-fix', 'FIX-1', passed).after
    const again = stateOf(act(verified, 'continue', '', { go: 'yes' }).after)
    expect(again).toMatchObject({ iteration_count: 1, proposed_fixes: [{ id: 'FIX-1' }] })
  })

  it('is offered once all that was applied is verified, while there are iterations left', () => {
    const names = (files: Texts) => actionsOf(tuning, files).map(({ name }) => name)
    const waiting = afterApply('FIX-1')
    expect(names(waiting)).not.toContain('continue')
    const verified = act(waiting, 'verify-fix', 'FIX-1', passed).after
    expect(actionsOf(tuning, verified).find(({ name }) => name === 'continue')).toMatchObject({ answersNeed: false })
    const again = act(verified, 'continue', '', { go: 'yes' }).after
    expect(stateOf(again).diagnosis).toEqual({ context: null, memory: null, dataflow: null, agent: null })
    expect(names(again)).not.toContain('continue')
    expect(
      names(
        act(
          afterApply('FIX-1', {}, project({ pending_fixes: ['FIX-1'], iteration_count: 4 })),
          'verify-fix',
          'FIX-1',
          passed,
        ).after,
      ),
    ).not.toContain('continue')
  })

  it('is not wanted: the run is completed', () => {
    expect(stateOf(act(asked, 'continue', '', { go: 'no' }).after)).toEqual({
      ...stateOf(asked),
      ...updated,
      ...done(stateOf(asked), 'action-complete', [`${work}/tuning-summary.md`]),
      status: 'completed',
    })
  })
})

describe('Ending and resuming', () => {
  it('leaves the run', () => {
    const files = project()
    const { plan } = act(files, 'leave')
    expect(plan.changes).toEqual([])
    const remembered = new Map(
      Object.entries(plan.remember ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    )
    expect(actionsOf(tuning, files, remembered).map(({ name, answersNeed }) => [name, answersNeed])).toContainEqual([
      'resume',
      true,
    ])
    expect(actOn(tuning, files, 'resume', '', {}, NOW, remembered).plan.remember).toEqual({ left: null })
  })

  it('resumes a run that was left or failed, the latter with no errors counted', () => {
    expect(stateOf(act(project({ status: 'user_exit', error_count: 2 }), 'resume').after)).toEqual({
      ...state,
      ...updated,
      error_count: 2,
    })
    const failed = project({ status: 'failed', error_count: 3, errors: [] })
    expect(actionsOf(tuning, failed).map(({ name, answersNeed }) => [name, answersNeed])).toEqual([['resume', true]])
    expect(stateOf(act(failed, 'resume').after)).toEqual({ ...state, ...updated })
  })

  it('resumes a run that ended at its limit with more iterations, or accepts its result', () => {
    const ended = project({ status: 'completed', quality_gate: 'fail', iteration_count: 5 })
    const answering = () => actionsOf(tuning, ended).flatMap(({ name, answersNeed }) => (answersNeed ? [name] : []))
    expect(answering()).toEqual(['resume', 'accept-result'])
    expect(stateOf(act(ended, 'resume', '', { iterations: 7 }).after)).toMatchObject({
      status: 'running',
      iteration_count: 5,
      max_iterations: 7,
      diagnosis: { context: null, memory: null, dataflow: null, agent: null },
    })
    const { plan } = act(ended, 'accept-result')
    expect(plan.changes).toEqual([])
    const remembered = new Map(Object.entries(plan.remember ?? {}).map(([name, value]) => [name, value ?? '']))
    expect(tuning.read(runFiles(tuning, ended, remembered))?.view.needs).toEqual([])
    const again = project({ status: 'completed', quality_gate: 'fail', iteration_count: 7, max_iterations: 7 })
    expect(tuning.read(runFiles(tuning, again, remembered))?.view.needs).toMatchObject([{ kind: 'limit' }])
  })

  it('aborts with a report and the errors, and leaves the skill alone', () => {
    const errors = [
      { action: 'action-verify', message: 'no\nanswer', timestamp: '2026-02-10T08:14:39.900Z', recoverable: true },
    ]
    const files = project({ errors, error_count: 1, current_action: 'action-verify' })
    const { after } = act(files, 'abort')
    expect(stateOf(after)).toEqual({
      ...stateOf(files),
      ...updated,
      ...done(stateOf(files), 'action-abort', [`${work}/errors.json`, `${work}/abort-report.md`]),
      status: 'failed',
      current_action: null,
    })
    expect(JSON.parse(after[`${work}/errors.json`] ?? '')).toEqual(errors)
    expect(after[`${work}/abort-report.md`]).toContain('- action-verify: no answer\n')
    expect(Object.keys(after).filter((name) => !(name in files))).toEqual([
      `${work}/errors.json`,
      `${work}/abort-report.md`,
    ])
  })

  it('aborts and puts the skill back, file by file, without the copies of single fixes', () => {
    const copies = Object.fromEntries(
      Object.entries(skill).map(([name, text]) => [name.replace('.claude/skills/notes', backup), text]),
    )
    const files = act(
      act({ ...project({ pending_fixes: ['FIX-1', 'FIX-2'] }), ...copies }, 'apply-fix', 'FIX-1').after,
      'apply-fix',
      'FIX-2',
    ).after
    const { plan, after } = act(files, 'abort', '', { skill: 'restore' })
    expect(Object.fromEntries(Object.entries(after).filter(([name]) => name.startsWith('.claude/')))).toEqual({
      ...skill,
      [at('specs/limits.md')]: '# Limits\n',
    })
    expect(plan.warnings).toEqual([
      expect.stringMatching(`^Not in the backup.*${at('specs/limits.md')}`),
      expect.stringMatching(`^All changes.* reverted.*${at('phases/orchestrator.md')}`),
    ])
  })
})

it('A request that is not clear is made clear', () => {
  const files = project({
    requirement_analysis: { status: 'needs_clarification', ambiguities: [{ question: 'Which sheets?' }] },
  })
  expect(actionsOf(tuning, files).find(({ name }) => name === 'clarify')).toMatchObject({
    answersNeed: true,
    source: needOf(files)?.source,
    fields: [{ value: 'Context grows', help: 'Which sheets?' }],
  })
  expect(stateOf(act(files, 'clarify', '', { problem: 'Grey sheets' }).after)).toMatchObject({
    user_issue_description: 'Grey sheets',
    requirement_analysis: { status: 'completed', ambiguities: [{ question: 'Which sheets?' }] },
  })
})

it('A literal key with dots is changed where it stands, and CRLF and a byte order mark stay', () => {
  const text =
    `\uFEFF${print({ ...state, completed_actions: [...state.completed_actions, 'action-verify'], 'diagnosis.context': state.diagnosis.context })}`.replaceAll(
      '\n',
      '\r\n',
    )
  const { after } = act({ ...project(), [stateFile]: text }, 'continue', '', { go: 'yes' })
  expect(after[stateFile]?.startsWith('\uFEFF{\r\n')).toBe(true)
  expect(after[stateFile]?.replaceAll('\r\n', '')).not.toContain('\n')
  const parsed = JSON.parse(after[stateFile]?.slice(1) ?? '') as typeof state & { 'diagnosis.context': unknown }
  expect(parsed['diagnosis.context']).toBeNull()
  expect(parsed.diagnosis).toMatchObject({ context: state.diagnosis.context, memory: null })
})

it('Offers nothing for what cannot be read, and only what fits a status', () => {
  expect(offered(tuning, { [stateFile]: '{' })).toEqual([])
  expect(offered(tuning, project({ status: 'completed' }))).toEqual([])
  expect(offered(tuning, project({ status: 'pending' }))).toEqual(['init'])
  expect(offered(tuning, project())).toEqual(['select-fixes', 'leave', 'abort'])
})

it('Any change that a diff describes is made, found by its verification, and taken back', { timeout: 60_000 }, () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '- d', '@@ e', '--- f', '\\ g'), { minLength: 1, maxLength: 12 })
    .map((lines) => `${lines.join('\n')}\n`)
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after)
      const made = createPatch('phases/orchestrator.md', before, after)
      const files = project(
        {
          pending_fixes: ['FIX-1'],
          proposed_fixes: [fix('FIX-1', [], [{ file: 'phases/orchestrator.md', action: 'modify', diff: made }])],
        },
        { [at('phases/orchestrator.md')]: before },
      )
      const applied = act(files, 'apply-fix', 'FIX-1').after
      expect(applied[at('phases/orchestrator.md')]).toBe(after)
      expect(act(applied, 'verify-fix', 'FIX-1', passed).plan.summary).toBe('Verified FIX-1: passed')
      expect(act(applied, 'roll-back', 'FIX-1').after[at('phases/orchestrator.md')]).toBe(before)
    }),
    { numRuns: 60 },
  )
})
