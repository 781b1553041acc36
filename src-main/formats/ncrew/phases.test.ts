import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'

const listed = { '.noodlecrew/manifest.yml': 'phases: [discovery, launch]\n' }
const read = (tasks: string, more: Readonly<Record<string, string>> = {}) => {
  const { phases, outside } = crewState({ 'INDEX.md': '---\ntype: project\n---\n', 'tasks.md': tasks, ...more })
  return {
    phases: phases.map(({ key, tasks: own }) => [key, own.length]),
    outside: outside.flatMap(({ boxes }) => boxes.map(({ text }) => text)),
  }
}
const criteria = '## Success criteria\n- [ ] It is fast\n\n## Notes\n- [x] Ask Ann\n'

describe('the phases of tasks.md', () => {
  it('are those that the manifest names, where it names one of the headings', () => {
    expect(read(`## Discovery\n- [x] a\n\n## Launch\n- [ ] b\n\n${criteria}`, listed)).toEqual({
      phases: [
        ['discovery', 1],
        ['launch', 1],
      ],
      outside: ['It is fast', 'Ask Ann'],
    })
    expect(read(`## Discovery\n- [x] a\n\n## Phase success criteria\n- [ ] b\n`, listed)).toEqual({
      phases: [['discovery', 1]],
      outside: ['b'],
    })
  })

  it('are those with an expert or a gate, too', () => {
    const crew = 'crew:\n  experts:\n    - { role: tester, phase: User Tests }\nvalidation: { human_gates: [Review] }\n'
    const manifest = { '.noodlecrew/manifest.yml': `${listed['.noodlecrew/manifest.yml']}${crew}` }
    expect(
      read('## Discovery\n- [x] a\n## User tests\n- [ ] b\n## Review\n- [ ] c\n## Notes\n- [ ] d\n', manifest),
    ).toEqual({
      phases: [
        ['discovery', 1],
        ['user-tests', 1],
        ['review', 1],
      ],
      outside: ['d'],
    })
  })

  it('are those in the form of the specification, whatever the manifest names', () => {
    expect(
      read(`## Discovery Phase\n- [x] a\n\n## Build Phase ⏳ PENDING\n- [ ] b\n\n${criteria}`, listed).phases,
    ).toEqual([
      ['discovery', 1],
      ['build', 1],
    ])
  })

  it('are without a manifest those that are called a phase or have its status, and else all', () => {
    expect(read(`## Discovery Phase\n- [x] a\n\n## Build ⏳ PENDING\n- [ ] b\n\n${criteria}`)).toEqual({
      phases: [
        ['discovery', 1],
        ['build', 1],
      ],
      outside: ['It is fast', 'Ask Ann'],
    })
    expect(read('## Discovery\n- [x] a\n\n## Build\n- [ ] b\n').phases).toEqual([
      ['discovery', 1],
      ['build', 1],
    ])
    expect(read('## Research\n- [x] a\n', listed).phases).toEqual([['research', 1]])
  })

  it('have boxes: a heading without any is no phase', () => {
    expect(read('## Discovery Phase\n\n## Launch Phase\n- [ ] a\n\n## Overview\n', listed).phases).toEqual([
      ['launch', 1],
    ])
    expect(read('## Discovery Phase\n\n## Notes\n- [ ] a\n')).toEqual({ phases: [], outside: ['a'] })
  })

  it('end where a heading of a level above begins', () => {
    expect(read('# Tasks\n## Discovery Phase\n- [ ] a\n### Part\n- [ ] b\n# Notes\n- [ ] c\n')).toEqual({
      phases: [['discovery', 2]],
      outside: ['c'],
    })
  })

  it('are of the level that they are written with, also beside notes of level 2', () => {
    expect(read('# Discovery Phase\n- [ ] a\n## Part\n- [ ] b\n# Build Phase\n- [ ] c\n')).toEqual({
      phases: [
        ['discovery', 2],
        ['build', 1],
      ],
      outside: [],
    })
    expect(read('### Discovery Phase\n- [ ] a\n### Build Phase\n- [ ] b\n## Notes\n- [ ] c\n')).toEqual({
      phases: [
        ['discovery', 1],
        ['build', 1],
      ],
      outside: ['c'],
    })
  })
})
