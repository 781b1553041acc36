import { expect, it } from 'vitest'
import { act, actionsOf, runFiles } from '../../test/support/actions'
import { ncrew } from './ncrew/format'

const project = {
  'INDEX.md': '---\ntype: project\nstatus: in_progress\n---\n',
  'tasks.md': '## Build Phase\n- [ ] Engine\n',
}
const turn = JSON.stringify({
  role: 'developer',
  task: 'build/1',
  log: '',
  startedAt: 0,
  endedAt: 1,
  commits: [],
  elsewhere: [],
  left: [],
  before: { head: null, branch: null },
  after: { head: null, branch: null },
  uncommitted: ['a.txt'],
})
const remembers = (more: Readonly<Record<string, string | null>> = {}) => {
  const known = new Map([
    ['turns', '{"first":1,"last":1}'],
    ['turn 1', turn],
  ])
  for (const [name, value] of Object.entries(more)) if (value !== null) known.set(name, value)
  return known
}
const view = (remembered: ReadonlyMap<string, string>) => ncrew.read(runFiles(ncrew, project, remembered))?.view
const asks = { 'uncommitted default': 'ask' }
const names = (remembered: ReadonlyMap<string, string>) =>
  actionsOf(ncrew, project, remembered).flatMap(({ name, answersNeed }) => (answersNeed ? name : []))

it('What a turn left uncommitted is a need where the person is to be asked', () => {
  const known = remembers(asks)
  expect(view(known)).toMatchObject({
    state: { value: 'waiting' },
    needs: [{ kind: 'approval', title: expect.stringContaining('a.txt') as string, source: { file: 'INDEX.md' } }],
  })
  expect(names(known)).toEqual(['commit-changes', 'stash-changes', 'leave-changes'])
})

it.each([
  ['by default', {}],
  ['in a run with a rule of its own', { ...asks, 'uncommitted rule': 'report' }],
])('It is a finding alone %s', (_, more) => {
  const known = remembers(more)
  expect(view(known)).toMatchObject({ state: { value: 'running' }, needs: [] })
  expect(names(known)).toEqual([])
  expect(ncrew.read(runFiles(ncrew, project, known))?.findings).toMatchObject([{ rule: 'ncrew/uncommitted' }])
})

it.each([
  ['commit-changes', { kind: 'commit', files: ['a.txt'], message: 'Mine' }, { message: 'Mine' }],
  ['stash-changes', { kind: 'stash', files: ['a.txt'], message: 'Mine' }, { message: 'Mine' }],
  ['leave-changes', undefined, {}],
])('%s settles it', (name, git, values) => {
  const { plan } = act(ncrew, project, name, '', values, 0, remembers(asks))
  expect(plan.git).toEqual(git)
  expect(plan.changes).toEqual([])
  const after = remembers({ ...asks, ...plan.remember })
  expect(view(after)?.needs).toEqual([])
  expect(ncrew.read(runFiles(ncrew, project, after))?.findings).toEqual([])
})

it('The need stands in a file, also where a folder gives the run away', () => {
  const crew = { ...project, '.noodlecrew/manifest.yml': 'crew: {}\n' }
  const [need] = ncrew.read(runFiles(ncrew, crew, remembers(asks)))?.view.needs ?? []
  expect(need?.source.file).toBe('INDEX.md')
})

it('A rule of the run goes before that of the settings, and can be taken back', () => {
  const set = (rule: string) => act(ncrew, project, 'set-uncommitted', '', { rule }, 0, remembers()).plan.remember
  expect(view(remembers(set('ask')))?.needs).toHaveLength(1)
  expect(set('default')).toEqual({ 'uncommitted rule': null })
})
