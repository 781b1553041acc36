/** A run of skill tuning without any agent: diagnosed, fixes proposed, chosen, applied and verified. */
import { describe, expect, it } from 'vitest'
import { act as actOn, offered, runFiles, type Texts } from '../../../../test/support/actions'
import type { EditValues } from '@shared/contract/edits'
import { startedStateSchema } from '../schema'
import { tuning } from '../format'
import { planStep } from './steps'
import initialState from '../../../../test/fixtures/spec004/initial-state.json'

const work = '.workflow/.scratchpad/skill-tuning-20260210080000'
const stateFile = `${work}/state.json`
const growing = '# One\n\n```js\nhistory.push(reply)\n```\n'
const pending: Texts = {
  'skill/SKILL.md': '---\nname: notes\n---\n# Notes\n',
  'skill/phases/1.md': growing,
  'skill/phases/2.md': '# Two\n\n```js\nconst data = JSON.parse(text)\n```\n',
  [stateFile]: JSON.stringify(initialState, undefined, 2),
}
const writtenIn = (files: Texts): unknown => JSON.parse(files[stateFile] ?? '')
const stateOf = (files: Texts) => startedStateSchema.parse(writtenIn(files))
const act = (files: Texts, name: string, target = '', values: EditValues = {}): Texts =>
  actOn(tuning, files, name, target, values).after
const started = () => act(pending, 'init', '', { skill: 'skill', problem: 'It grows', focus: [] })

describe('Diagnosing a run', () => {
  it('writes the four diagnoses, the issues, the score and the report, and no file of the skill', () => {
    const before = started()
    expect(offered(tuning, before)).toContain('diagnose')
    const after = act(before, 'diagnose')
    const state = stateOf(after)
    expect(state.issues.map(({ id, priority }) => [id, priority])).toEqual([
      ['CTX-1', 1],
      ['DF-1', 2],
    ])
    expect(state).toMatchObject({
      issues_by_severity: { critical: 0, high: 1, medium: 1, low: 0 },
      quality_score: 80,
      quality_gate: 'pass',
      diagnosis: {
        context: { issues_found: 1 },
        memory: { severity: 'none' },
        dataflow: { issues_found: 1 },
        agent: { issues_found: 0 },
      },
    })
    expect(state.completed_actions.slice(-2)).toEqual(['action-diagnose-agent', 'action-generate-report'])
    expect(JSON.parse(after[`${work}/diagnosis/context-diagnosis.json`] ?? '')).toEqual(state.diagnosis.context)
    expect(after[`${work}/tuning-report.md`]).toContain('### CTX-1 (high)')
    const skillOf = (files: Texts) => Object.entries(files).filter(([path]) => path.startsWith('skill/'))
    expect(skillOf(after)).toEqual(skillOf(before))
    expect(offered(tuning, after)).not.toContain('diagnose')
  })

  it('lists what may be no fault, and leaves it out of the score, the gate and the fixes', () => {
    const parser = '```js\nreturn { content, tags }\n```\n'
    const unsure = Object.fromEntries([1, 2, 3].map((name) => [`skill/phases/${name}.md`, parser]))
    const after = act({ ...started(), ...unsure }, 'diagnose')
    expect(stateOf(after)).toMatchObject({
      issues: [1, 2, 3].map(() => ({ severity: 'high', confidence: 'low' })),
      issues_by_severity: { high: 3 },
      quality_score: 100,
      quality_gate: 'pass',
    })
    expect(after[`${work}/tuning-report.md`]).toContain('## Low confidence')
    const run = tuning.read(runFiles(tuning, after))
    expect(run?.details.score).toMatchObject({ health: { score: 100, gate: 'pass' } })
    expect(run?.details.issuesBySeverity).toMatchObject({ counted: { high: 3 }, decisive: { high: 0 } })
    expect(stateOf(act(after, 'propose-fixes')).proposed_fixes).toEqual([])
  })

  it.each(['/etc', '../elsewhere', 'nowhere'])(
    'of a skill at %s, not in the project, says so and scans nothing',
    (path) => {
      const files = started()
      const state = JSON.parse(files[stateFile] ?? '') as { target_skill: object }
      const foreign = JSON.stringify({ ...state, target_skill: { ...state.target_skill, path } })
      const run = runFiles(tuning, { ...files, 'SKILL.md': '# Not meant\n', [stateFile]: foreign })
      expect(() => planStep(run, { name: 'diagnose', target: '' }, { now: 0, startedAt: 0 })).toThrow(
        `"${path}" is no skill of this project.`,
      )
    },
  )

  it('scans the areas in focus only', () => {
    const files = act(pending, 'init', '', { skill: 'skill', problem: 'It grows', focus: ['dataflow'] })
    expect(stateOf(act(files, 'diagnose')).issues.map(({ id }) => id)).toEqual(['DF-1'])
  })

  it('keeps the ids in the next iteration, takes off what is gone, and leaves what another program found', () => {
    const first = act(started(), 'diagnose')
    const state = JSON.parse(first[stateFile] ?? '') as { issues: object[]; diagnosis: object }
    const theirs = { ...state.issues[0], id: 'CTX-9', description: 'It feels slow', evidence: ['slow'] }
    const again = {
      ...first,
      'skill/phases/1.md': `Before.\n\n${growing}`,
      'skill/phases/2.md': '# Two\n',
      [stateFile]: JSON.stringify({
        ...state,
        issues: [theirs, ...state.issues],
        diagnosis: { context: null, memory: null, dataflow: null, agent: null },
      }),
    }
    const { issues } = stateOf(act(again, 'diagnose'))
    expect(issues.map(({ id, location }) => [id, location.line_start])).toEqual([
      ['CTX-9', 4],
      ['CTX-1', 6],
    ])
  })

  it('says which file keeps it from scanning', () => {
    const before = { ...started(), 'skill/odd.md': 'a\0b' }
    expect(() => act(before, 'diagnose')).toThrow('skill/odd.md cannot be read')
  })
})

describe('A run without an agent', () => {
  it('goes from its start to fixes that are applied and verified', () => {
    let files = act(act(started(), 'diagnose'), 'propose-fixes')
    const proposed = stateOf(files)
    expect(proposed.proposed_fixes.map(({ id, issue_ids }) => [id, ...issue_ids])).toEqual([
      ['FIX-1', 'CTX-1'],
      ['FIX-2', 'DF-1'],
    ])
    expect(proposed.completed_actions.at(-1)).toBe('action-propose-fixes')
    expect(JSON.parse(files[`${work}/fixes/fix-proposals.json`] ?? '')).toEqual(proposed.proposed_fixes)
    expect(offered(tuning, files)).not.toContain('propose-fixes')
    files = act(files, 'select-fixes', '', { fixes: ['FIX-1', 'FIX-2'] })
    for (const id of ['FIX-1', 'FIX-2']) files = act(files, 'apply-fix', id)
    for (const id of ['FIX-1', 'FIX-2']) files = act(files, 'verify-fix', id)
    expect(writtenIn(files)).toMatchObject({
      issues: [],
      quality_score: 100,
      iteration_count: 1,
      applied_fixes: [{ verification_result: 'pass' }, { verification_result: 'pass' }],
    })
    expect(writtenIn(act(files, 'continue', '', { go: 'no' }))).toMatchObject({ status: 'completed' })
  })

  it('changes no file of the skill where no fix can be generated, names the issues, and never tries again', () => {
    const passing =
      '```js\nconst [result] = await Promise.all([Task({ prompt: `${JSON.stringify(state)}` }).then(use)])\n```\n'
    const files = act({ ...started(), 'skill/phases/1.md': passing, 'skill/phases/2.md': '' }, 'diagnose')
    const { plan } = actOn(tuning, files, 'propose-fixes')
    expect(plan.changes.map(({ file }) => file)).toEqual([stateFile])
    expect(plan.warnings).toEqual([expect.stringContaining('AGT-1'), expect.stringContaining('CTX-1')])
    expect(stateOf(act(files, 'propose-fixes'))).toMatchObject({
      proposed_fixes: [],
      completed_actions: expect.arrayContaining(['action-propose-fixes']) as string[],
    })
  })
})

describe('The score of each round', () => {
  const remembered = new Map<string, string>()
  const actAndRemember = (files: Texts, name: string, target = '', values: EditValues = {}): Texts => {
    const { after, plan } = actOn(tuning, files, name, target, values, undefined, remembered)
    for (const [key, value] of Object.entries(plan.remember ?? {}))
      if (value === null) remembered.delete(key)
      else remembered.set(key, value)
    return after
  }
  const roundsOf = (files: Texts) => tuning.read(runFiles(tuning, files, remembered))?.details.rounds

  it('is kept as its diagnoses found it and as verified fixes left it, once however often it is diagnosed', () => {
    expect(roundsOf(started())).toEqual([])
    const diagnosed = actAndRemember(started(), 'diagnose')
    const found = { score: 80, gate: 'pass' }
    expect(roundsOf(diagnosed)).toEqual([{ found, left: null }])
    const proposed = actAndRemember(diagnosed, 'propose-fixes')
    const fixes = stateOf(proposed).proposed_fixes.map(({ id }) => id)
    const chosen = actAndRemember(proposed, 'select-fixes', '', { fixes })
    const applied = fixes.reduce((files, id) => actAndRemember(files, 'apply-fix', id), chosen)
    const verified = fixes.reduce((files, id) => actAndRemember(files, 'verify-fix', id, { verdict: 'pass' }), applied)
    expect(roundsOf(verified)).toEqual([{ found, left: { score: stateOf(verified).quality_score, gate: 'pass' } }])
    expect(stateOf(verified).quality_score).toBeGreaterThan(80)
    const again = actAndRemember(actAndRemember(verified, 'continue', '', { go: 'yes' }), 'diagnose')
    expect(roundsOf(again)).toHaveLength(2)
  })

  it('is not shown where what is remembered cannot be read', () => {
    expect(tuning.read(runFiles(tuning, started(), new Map([['rounds', '[{"found":1}]']])))?.details.rounds).toEqual([])
  })
})
