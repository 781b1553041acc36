import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { approvedAt, gateName, openGate, reachedAt } from './gates'

const manifest = 'phases: [discovery, architecture]\nvalidation:\n  human_gates: [Discovery]\n'
const project = (tasks: string) => crewState({ 'tasks.md': tasks, '.noodlecrew/manifest.yml': manifest })
const complete = '## Discovery Phase\n- [x] a\n## Architecture Phase\n- [ ] b\n- [ ] c\n'
const begun = complete.replace('[ ] b', '[x] b')
const at = Date.parse('2026-02-03T10:00:00Z')
const open = (tasks: string, known?: string) =>
  openGate(project(tasks), new Map(known === undefined ? [] : [['gate:discovery', known]]))?.phase.name

describe('a gate', () => {
  it('is remembered under its phase', () => {
    const [phase] = project(complete).phases
    expect(phase && gateName(phase)).toBe('gate:discovery')
  })

  it('waits once its phase is complete, and not while it has open tasks', () => {
    expect(open(complete)).toBe('Discovery')
    expect(open(complete.replace('[x]', '[ ]'))).toBeUndefined()
  })

  it('that nothing is known of does not wait any more when the next phase has begun', () => {
    expect(open(begun)).toBeUndefined()
  })

  it('that a turn was seen to reach waits although the same turn began the next phase', () => {
    expect(open(begun, reachedAt(at))).toBe('Discovery')
  })

  it('waits although boxes of notes below it are checked', () => {
    expect(open(`${complete}## Notes\n- [x] Ask Ann\n`)).toBe('Discovery')
  })

  it('does not wait once it is approved', () => {
    expect(open(complete, approvedAt(at))).toBeUndefined()
    expect(open(begun, approvedAt(at))).toBeUndefined()
  })
})
