import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { crewStatus, printStatus } from './status'

const index =
  '---\ntype: project\nstatus: in_progress\ncurrent_phase: discovery\ncurrent_iteration: 3\ncost_so_far: 1.50\n---\n'
const manifest = 'phases: [discovery, architecture, implementation, launch]\n'
const tasks = '## Discovery Phase\n- [x] a\n- [x] b\n\n## Architecture Phase\n- [ ] c\n'
const base = { 'INDEX.md': index, 'tasks.md': tasks, '.noodlecrew/manifest.yml': manifest }
const done = { ...base, 'tasks.md': tasks.replace('[ ]', '[x]'), CREW_COMPLETE: '' }

const status = (files: Readonly<Record<string, string>>) => crewStatus(crewState(files), new Map())
const printed = (files: Readonly<Record<string, string>>) => printStatus(status(files))

describe('the status of a crew', () => {
  it('is what the files show, beside what INDEX.md says', () => {
    expect(printed(done)).toContain('Phase: architecture (2/2)\nProgress: 3/3 tasks\n')
    expect(printed(done)).toContain('Status: complete (INDEX.md says in_progress)')
    expect(printed({ ...done, 'INDEX.md': index.replace('in_progress', 'complete') })).toMatch(/^Status: complete$/m)
  })

  it('counts the phases of the list, and of the manifest where there is none', () => {
    expect(status(base)).toMatchObject({ phase: 'architecture', phaseNumber: 2, phases: 2, done: 2, tasks: 3 })
    expect(status({ 'INDEX.md': index, '.noodlecrew/manifest.yml': manifest })).toMatchObject({
      phase: 'discovery',
      phaseNumber: 1,
      phases: 4,
    })
  })

  it('counts no boxes of success criteria or notes, and no heading without boxes', () => {
    const more = '## Overview\n\n## Success criteria\n- [ ] It is fast\n\n## Notes\n- [x] Ask Ann\n'
    const { code: _, ...counts } = status(base)
    expect(status({ ...base, 'tasks.md': `${tasks}\n${more}` })).toMatchObject(counts)
    expect(status({ ...done, 'tasks.md': `${done['tasks.md']}\n${more}` })).toEqual(status(done))
  })

  it('is blocked while boxes outside the phases of a finished crew are open', () => {
    const text = `${done['tasks.md']}\n## Success criteria\n- [ ] It is fast\n`
    expect(status({ ...base, 'tasks.md': text })).toMatchObject({ status: 'blocked', code: 10, done: 3, tasks: 3 })
  })

  it('is blocked while something waits, and in progress without CREW_COMPLETE', () => {
    const asked = { ...base, 'questions/a-001-x.md': 'Which?\n' }
    expect(status(asked)).toMatchObject({ status: 'blocked', code: 10, questions: ['questions/a-001-x.md'] })
    expect(status({ ...base, 'INDEX.md': index.replace('3', 'many') })).toMatchObject({ status: 'blocked', code: 10 })
    expect(status({ ...base, 'INDEX.md': index.replace('in_progress', 'complete') })).toMatchObject({
      status: 'in_progress',
      claimed: 'complete',
    })
    const fresh = { ...base, 'INDEX.md': index.replace('in_progress', 'not_started') }
    expect(status({ ...fresh, 'tasks.md': tasks.replaceAll('[x]', '[ ]') })).toMatchObject({ status: 'not_started' })
  })
})
