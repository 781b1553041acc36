import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { unclear } from './unclear'

const index = '---\ntype: project\nstatus: in_progress\ncurrent_iteration: 3\ncost_so_far: 1.50\n---\n'
const tasks = '## Discovery Phase\n- [x] a\n\n## Architecture Phase\n- [ ] b\n'
const manifest = (text: string) => ({ '.noodlecrew/manifest.yml': text })
const doubts = (files: Readonly<Record<string, string | Uint8Array>>) =>
  unclear(crewState({ 'INDEX.md': index, 'tasks.md': tasks, ...files })).map(({ text }) => text)

describe('what a crew stops at', () => {
  it('is clear in files of the specification, and where nothing is said', () => {
    expect(doubts({})).toEqual([])
    expect(doubts({ 'INDEX.md': '# Tapes\n' })).toEqual([])
    expect(doubts({ 'INDEX.md': '# Tapes\n\n- **Iteration:** 7/100\n- **Cost:** $2.31 / $30\n' })).toEqual([])
    expect(doubts({ 'INDEX.md': '# Tapes\n\n| Iteration | - |\n| Cost | n/a |\n' })).toEqual([])
    expect(doubts(manifest('validation:\n  human_gates:\n'))).toEqual([])
    expect(doubts(manifest('validation:\n  human_gates: []\nexecution:\n  max_cost:\n'))).toEqual([])
    expect(doubts(manifest('validation:\n  human_gates: [Discovery Phase, architecture]\n'))).toEqual([])
    expect(doubts(manifest('validation:\n  human_gates: discovery\n'))).toEqual([])
    expect(doubts(manifest('phases: [launch]\nvalidation:\n  human_gates: [launch]\n'))).toEqual([])
  })

  it.each([
    ['limit', manifest('execution:\n  max_iterations: lots\n'), 'max_iterations: "lots"'],
    ['budget', manifest('execution:\n  max_cost: [30]\n'), 'max_cost: a list'],
    ['negative limit', manifest('execution:\n  max_iterations: -1\n'), 'max_iterations: "-1"'],
    ['infinite budget', manifest('execution:\n  max_cost: .inf\n'), 'max_cost'],
    ['count of iterations', { 'INDEX.md': index.replace('3', 'many') }, 'current_iteration: "many"'],
    ['cost', { 'INDEX.md': index.replace('1.50', '"a lot"') }, 'cost_so_far'],
    ['negative count', { 'INDEX.md': index.replace('3', '-3') }, 'current_iteration'],
    ['gate', manifest('validation:\n  human_gates: true\n'), 'human_gates: "true"'],
    ['map of gates', manifest('validation:\n  human_gates: { discovery: yes }\n'), 'human_gates: a map'],
    ['gate of no phase', manifest('validation:\n  human_gates: [dicsovery]\n'), '"dicsovery", which is no phase'],
    ['folder of questions', manifest('workflow:\n  questions_dir: ../elsewhere\n'), 'questions_dir: "../elsewhere"'],
    ['torn INDEX.md', { 'INDEX.md': index.slice(0, 30) }, 'Cannot read INDEX.md'],
    ['torn manifest', manifest('execution:\n  max_iterations: [7\n'), 'Cannot read .noodlecrew/manifest.yml'],
    ['list of tasks that is no text', { 'tasks.md': Uint8Array.of(0x23, 0) }, 'Cannot read tasks.md'],
  ])('is unclear with a %s that cannot be read', (_, files, text) => {
    expect(doubts(files)).toEqual([expect.stringContaining(text)])
  })

  it('is clear with a stray byte that is not UTF-8', () => {
    const bytes = new TextEncoder().encode(tasks.replace('a', '\u00e9'))
    expect(doubts({ 'tasks.md': bytes.filter((byte) => byte !== 0xa9) })).toEqual([])
  })
})
