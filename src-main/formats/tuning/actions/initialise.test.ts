/** What starting a tuning run writes, byte by byte. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { act as actOn, actionsOf, NOW, runFiles, type Texts } from '../../../../test/support/actions'
import type { EditValues } from '@shared/contract/edits'
import { tuning } from '../format'

const work = '.workflow/.scratchpad/skill-tuning-20260302095500'
const stateFile = `${work}/state.json`
const backup = `${work}/backups/release-notes-backup`
const path = '.claude/skills/notes'
const template = readFileSync('test/fixtures/spec004/initial-state.json', 'utf8')
const skill: Texts = {
  [`${path}/SKILL.md`]: '---\r\nname: release-notes\r\nallowed-tools: Read\r\n---\r\n# Notes\r\n',
  [`${path}/phases/orchestrator.md`]: '# Orchestrator\n',
  [`${path}/phases/actions/action-collect.md`]: '',
  [`${path}/specs/limits.md`]: '\uFEFF# Limits\n',
  [`${path}/specs/limits.json`]: '{}\n',
}
const project = (others: Texts = {}): Texts => ({ ...skill, [stateFile]: template, ...others })
const values = { skill: path, problem: 'Context grows too large', focus: ['agent', 'context'] }
const act = (files: Texts, given: EditValues = values) => actOn(tuning, files, 'init', '', given)
const refused = (files: Texts, given: EditValues) => () => {
  const request = { name: 'init', target: '', values: given, now: NOW }
  return tuning.plan(runFiles(tuning, files, undefined, request), request)
}
const needOf = (files: Texts) => tuning.read(runFiles(tuning, files))?.view.needs[0]
const fieldsOf = (files: Texts) => actionsOf(tuning, files).find(({ name }) => name === 'init')?.fields

/** The state as the action leaves it: every other byte of the template stays. */
const started = [
  ['"status": "pending"', '"status": "running"'],
  ['"started_at": null', '"started_at": "2026-03-02T10:00:00.000Z"'],
  ['"updated_at": null', '"updated_at": "2026-03-02T10:00:00.000Z"'],
  ['"name": null', '"name": "release-notes"'],
  ['"path": null', `"path": "${path}"`],
  ['"execution_mode": null', '"execution_mode": "autonomous"'],
  ['"phases": []', '"phases": ["phases/actions/action-collect.md", "phases/orchestrator.md"]'],
  ['"specs": []', '"specs": ["specs/limits.md"]'],
  ['"user_issue_description": ""', '"user_issue_description": "Context grows too large"'],
  ['"focus_areas": []', '"focus_areas": ["context", "agent"]'],
  ['"work_dir": null', `"work_dir": "${work}"`],
  ['"backup_dir": null', `"backup_dir": "${backup}"`],
  ['"completed_actions": []', '"completed_actions": ["action-init"]'],
  [
    '"action_history": []',
    `"action_history": [
    {
      "action": "action-init",
      "started_at": "2026-03-02T10:00:00.000Z",
      "completed_at": "2026-03-02T10:00:00.000Z",
      "result": "success",
      "output_files": []
    }
  ]`,
  ],
].reduce((text, [from = '', to = '']) => text.replace(from, to), template)

it('Starting a run answers its first question: the state changes in these bytes, and each file of the skill is copied', () => {
  const files = project()
  expect(actionsOf(tuning, files)).toMatchObject([{ name: 'init', answersNeed: true, source: needOf(files)?.source }])
  const { plan, after } = act(files)
  expect(after[stateFile]).toBe(started)
  const copies = Object.fromEntries(Object.entries(skill).map(([file, text]) => [file.replace(path, backup), text]))
  expect(after).toEqual({ ...files, ...copies, [stateFile]: started })
  expect(plan).toMatchObject({ summary: 'Started the run for release-notes', warnings: [] })
  expect(plan.changes.at(-1)?.file).toBe(stateFile)
  expect(needOf(after)).toBeUndefined()
  expect(tuning.validate(runFiles(tuning, after)).filter(({ severity }) => severity !== 'info')).toEqual([])
})

it('A skill that was started with can be put back by aborting', () => {
  const running = act(project()).after
  const changed = { ...running, [`${path}/phases/orchestrator.md`]: '# Another\n' }
  expect(actOn(tuning, changed, 'abort', '', { skill: 'restore' }).after).toMatchObject(skill)
})

it('Offers the folders with a SKILL.md, not the copies in runs; the only one is chosen', () => {
  const copy = { [`${backup}/SKILL.md`]: '# Notes\n' }
  expect(fieldsOf(project(copy))?.[0]).toMatchObject({ value: path, options: [{ value: path }] })
  expect(fieldsOf(project({ 'SKILL.md': '# All\n' }))?.[0]).toMatchObject({
    value: null,
    options: [{ value: path }, { value: '.' }],
  })
  expect(fieldsOf({ [stateFile]: template })?.[0]).toMatchObject({
    value: null,
    options: [],
    help: expect.stringContaining('No folder of this project has a SKILL.md') as string,
  })
})

it('Starts from what the state says already, words of its own included', () => {
  const said = template
    .replace('"path": null', `"path": "${path}"`)
    .replace('"user_issue_description": ""', '"user_issue_description": "Slow"')
    .replace('"focus_areas": []', '"focus_areas": ["docs"]')
  const files = project({ [stateFile]: said, 'other/SKILL.md': '# Other\n' })
  expect(fieldsOf(files)).toMatchObject([
    { value: path },
    { value: 'Slow' },
    { value: ['docs'], options: expect.arrayContaining([{ value: 'docs', label: 'docs' }]) as unknown },
  ])
  expect(JSON.parse(act(files, { ...values, focus: ['docs', 'memory'] }).after[stateFile] ?? '')).toMatchObject({
    focus_areas: ['memory', 'docs'],
  })
})

it('Never leaves the project, and takes only a folder with a SKILL.md', () => {
  for (const elsewhere of [
    '..',
    '../x',
    '/etc',
    '~/.claude/skills/x',
    'C:\\x',
    '.claude',
    '.claude/skills/notes/../../..',
    '.git',
    work,
  ]) {
    expect(refused(project(), { ...values, skill: elsewhere })).toThrow('Skill folder must be one of the options')
  }
  expect(refused(project(), { problem: 'x' })).toThrow('Skill folder is missing')
  expect(refused(project(), { skill: path, problem: ' ' })).toThrow('Problem is missing')
})

it.each([
  ['../../../../elsewhere', `${work}/backups/notes-backup`],
  ['Release notes', `${work}/backups/notes-backup`],
  ['"a\\nb"', `${work}/backups/notes-backup`],
  ['', `${work}/backups/notes-backup`],
])('A name that is no name of a folder gives the copy none: %s', (name, expected) => {
  const { after } = act(project({ [`${path}/SKILL.md`]: `---\nname: ${name}\n---\n` }))
  expect(JSON.parse(after[stateFile] ?? '')).toMatchObject({ backup_dir: expected })
  expect(after[`${expected}/SKILL.md`]).toBeDefined()
})

it('Takes the project’s own folder as a skill, without the run and what is hidden', () => {
  const files: Texts = { [stateFile]: template, 'SKILL.md': '# Tools\n', '.env': 'SECRET=1\n', 'phases/one.md': '1\n' }
  const { after } = act(files, { ...values, skill: '.' })
  const state = JSON.parse(after[stateFile] ?? '') as { backup_dir: string }
  expect(state).toMatchObject({
    target_skill: { name: 'skill', path: '.', execution_mode: 'sequential', phases: ['phases/one.md'], specs: [] },
  })
  expect(Object.keys(after).filter((name) => !(name in files))).toEqual([
    `${state.backup_dir}/SKILL.md`,
    `${state.backup_dir}/phases/one.md`,
  ])
})

it('Says what it does not copy and what it replaces, and refuses a skill with too many files', () => {
  const files = project({ [`${path}/picture.bin`]: 'a\u0000b', [`${backup}/SKILL.md`]: '# Older\n' })
  expect(act(files).plan.warnings).toEqual([
    expect.stringMatching(`^Unreadable or larger than 4 MB.*${path}/picture.bin.*${backup}`),
    expect.stringMatching(`replaced: ${backup}/SKILL.md`),
  ])
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${path}/specs/${index}.md`, '']))
  expect(refused(project(many), values)).toThrow('at most 200 can be backed up')
})

it('Is offered only while the run is pending, and says when an agent is at it', () => {
  expect(actionsOf(tuning, act(project()).after).map(({ name }) => name)).not.toContain('init')
  const busy = project({ [stateFile]: template.replace('"current_action": null', '"current_action": "action-init"') })
  expect(act(busy).plan.warnings).toEqual([expect.stringContaining('action-init is running')])
})
