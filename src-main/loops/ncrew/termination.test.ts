import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { approvedAt } from '../../formats/ncrew/gates'
import { openOutside, withKnownBoxes } from '../../formats/ncrew/outsideBoxes'
import { crewLimits, crewUsage } from './crewLimits'
import { checkTermination } from './termination'

const index = (fields: string) => `---\ntype: project\nstatus: in_progress\n${fields}\n---\n`
const question = (status: string, more = '') =>
  `---\nfrom: architect\ntype: blocker\nstatus: ${status}\n---\n# BLOCKER: Which\n\n**Decision:** ${more}\n`
const gate = 'phases: [discovery, architecture]\nvalidation:\n  human_gates: [discovery]\n'
const tasks = '## Discovery Phase\n- [x] a\n\n## Architecture Phase\n- [ ] b\n'
const base = { 'INDEX.md': index('current_iteration: 3\ncost_so_far: 1.50'), 'tasks.md': tasks }
const asked = { ...base, 'questions/a-001-x.md': question('pending') }

function code(
  files: Readonly<Record<string, string>>,
  remembered: readonly (readonly [string, string])[] = [],
  wanted: { maxIterations?: number; maxCost?: number } = {},
): number {
  const state = crewState(files)
  return checkTermination(state, crewUsage(state), crewLimits(state, wanted), new Map(remembered)).code
}

describe('a crew', () => {
  it('ends with 0 when CREW_COMPLETE is there, whatever else is', () => {
    expect(code({ ...asked, CREW_COMPLETE: '' })).toBe(0)
    expect(code({ ...asked, CREW_COMPLETE: 'not yet' }, [], { maxIterations: 0 })).toBe(0)
  })

  it('pauses with 10 while a question is pending, in whichever folder', () => {
    expect(code(asked)).toBe(10)
    for (const folder of ['.noodlecrew/questions', 'questions/to-user'])
      expect(code({ ...base, [`${folder}/a-001-x.md`]: question(' "Pending"') })).toBe(10)
    expect(code({ ...base, 'questions/a-001-x.md': question('pending', 'A') })).toBe(10)
    expect(code({ ...base, 'questions/a-001-x.md': question('resolved', 'A') })).toBe(100)
  })

  it('pauses with 10 while a question, a limit or a gate cannot be read clearly', () => {
    for (const status of ['open', 'resolved', 'answered'])
      expect(code({ ...base, 'questions/a-001-x.md': question(status) })).toBe(10)
    expect(code({ ...base, 'questions/a-001-x.markdown': 'Which?\n' })).toBe(10)
    expect(code({ ...base, 'questions/a-001-x.md': question('resolved', 'A').slice(0, 30) })).toBe(10)
    expect(code({ ...base, 'INDEX.md': index('current_iteration: many') })).toBe(10)
    expect(code({ ...base, '.noodlecrew/manifest.yml': 'execution: { max_cost: free }\n' })).toBe(10)
    expect(code({ ...base, '.noodlecrew/manifest.yml': gate.replace('human_gates: [', 'human_gates: [x') })).toBe(10)
  })

  it('pauses with 10 before it looks at a gate or a limit', () => {
    expect(code({ ...asked, '.noodlecrew/manifest.yml': gate }, [], { maxIterations: 1 })).toBe(10)
  })

  it('pauses with 11 at a gate whose phase has just completed, and not inside it nor after its approval', () => {
    const gated = { ...base, '.noodlecrew/manifest.yml': gate }
    expect(code(gated)).toBe(11)
    expect(code(gated, [], { maxIterations: 1 })).toBe(11)
    expect(code({ ...gated, 'tasks.md': tasks.replace('[x]', '[ ]') })).toBe(100)
    expect(code(gated, [['gate:discovery', approvedAt(0)]])).toBe(100)
  })

  it('ends with 20 at as many iterations as there may be, before it looks at the cost', () => {
    expect(code(base, [], { maxIterations: 3 })).toBe(20)
    expect(code(base, [], { maxIterations: 3, maxCost: 1 })).toBe(20)
    expect(code(base, [], { maxIterations: 4 })).toBe(100)
  })

  it('ends with 21 when as much is spent as may be', () => {
    expect(code(base, [], { maxCost: 1.5 })).toBe(21)
    expect(code(base, [], { maxCost: 1.51 })).toBe(100)
  })

  it('takes its limits from the person, then the manifest in either of its forms, then the specification', () => {
    const manifest = (text: string) => ({ ...base, '.noodlecrew/manifest.yml': text })
    expect(crewLimits(crewState(base), {})).toEqual({ maxIterations: 100, maxCost: 30 })
    expect(crewLimits(crewState(manifest('execution:\n  max_iterations: 7\n  max_cost: 2.5\n')), {})).toEqual({
      maxIterations: 7,
      maxCost: 2.5,
    })
    expect(crewLimits(crewState(manifest('crew:\n  llm:\n    max_iterations: 8\n')), { maxCost: 1 })).toEqual({
      maxIterations: 8,
      maxCost: 1,
    })
  })

  it('pauses with 10 once, with every task done, while boxes outside the phases are open', () => {
    const boxes = '\n## Success criteria\n- [ ] It is fast\n- [ ] It is small\n'
    const finished = { ...base, 'tasks.md': `${tasks.replace('[ ]', '[x]')}${boxes}` }
    const known = (files: Readonly<Record<string, string>>) =>
      Object.entries(withKnownBoxes(openOutside(crewState(files)), new Map()))
    expect(code({ ...base, 'tasks.md': `${tasks}${boxes}` })).toBe(100)
    expect(code(finished)).toBe(10)
    expect(code(finished, [], { maxIterations: 3 })).toBe(10)
    expect(code({ ...finished, CREW_COMPLETE: '' })).toBe(0)
    expect(code({ ...finished, 'tasks.md': finished['tasks.md'].replaceAll('[ ]', '[x]') })).toBe(100)
    expect(code(finished, known(finished))).toBe(100)
    const moved = { ...finished, 'tasks.md': `# Tasks\n${finished['tasks.md'].replace('- [ ] It is small\n', '')}` }
    expect(code(moved, known(finished))).toBe(100)
    expect(code({ ...finished, 'tasks.md': `${finished['tasks.md']}- [ ] It is new\n` }, known(finished))).toBe(10)
    expect(code(finished, [['known boxes outside the phases', 'torn']])).toBe(10)
  })

  it('goes on with 100 otherwise, also when INDEX.md says that it is blocked or complete', () => {
    for (const status of ['blocked', 'complete', 'nonsense'])
      expect(code({ ...base, 'INDEX.md': base['INDEX.md'].replace('in_progress', status) })).toBe(100)
    expect(code({ 'tasks.md': tasks, 'INDEX.md': '# nothing\n', '.noodlecrew/manifest.yml': 'phases: []\n' })).toBe(100)
  })
})
