import { describe, expect, it } from 'vitest'
import { act, offered, runFiles } from '../../../../test/support/actions'
import { maestro } from '../format'
import { newSession, phaseLines, readPhaseLines, sessionId } from './newSession'
import { depthsOf } from './phaseOrder'

const time = '2026-03-02T10:00:00.000Z'
const file = '.gemini/state/active-session.md'
const phases = readPhaseLines(
  'Font: coder\nBars: coder, after 1\nMusic: debugger, after 1\nDisk: devops_engineer, after 2, 3',
)
const create = (lines = phases) =>
  newSession({ task: 'Scroller: "two" lines', design: null, plan: 'docs/plan.md', phases: lines, time, taken: [] })

describe('the id of a session', () => {
  it.each([
    ['Add retry with backoff', [], '2026-03-02-add-retry-with-backoff'],
    ['Über – größer!', [], '2026-03-02-uber-gro-er'],
    ['日本語', [], '2026-03-02-session'],
    ['Tapes', ['2026-03-02-tapes', '2026-03-02-tapes-2'], '2026-03-02-tapes-3'],
  ])('of “%s” is its day and words', (task, taken, id) => {
    expect(sessionId(task, time, taken)).toBe(id)
  })
})

describe('a new session', () => {
  it('keeps every rule of the specification, with all phases pending', () => {
    const { id, text } = create()
    expect(id).toBe('2026-03-02-scroller-two-lines')
    const run = runFiles(maestro, { [file]: text, 'docs/plan.md': '# Plan\n' })
    expect(maestro.validate(run).filter(({ severity }) => severity !== 'info')).toEqual([])
    const { view } = maestro.read(run) ?? {}
    expect(
      view?.phases.map(({ title, state, dependencies }) => [
        title.value,
        state.value,
        dependencies.map(({ value }) => value),
      ]),
    ).toEqual([
      ['Font', 'todo', []],
      ['Bars', 'todo', ['1']],
      ['Music', 'todo', ['1']],
      ['Disk', 'todo', ['2', '3']],
    ])
    expect(text.match(/parallel: \w+/g)).toEqual([
      'parallel: false',
      'parallel: true',
      'parallel: true',
      'parallel: false',
    ])
    expect(text).toContain('\n# Scroller: "two" lines Orchestration Log\n\n## Phase 1: Font (pending)\n')
  })

  it('may have ids that are words', () => {
    const { text } = create([{ id: 'a1', name: 'One', agents: ['coder'], blockedBy: [], files: ['src/one.asm'] }])
    expect(text).toContain('- id: "a1"')
    expect(text).toContain('planned_files: ["src/one.asm"]')
  })

  it.each([
    ['no phases', '', 'no phases'],
    ['a stranger as agent', 'Font: wizard', 'no agent of Maestro'],
    ['a phase that waits for none', 'Font: coder, after 7', 'which is no phase'],
    ['a ring', 'Font: coder, after 2\nBars: coder, after 1', 'wait for each other'],
  ])('is refused with %s', (_what, lines, message) => {
    expect(() => create(readPhaseLines(lines))).toThrow(message)
  })
})

describe('phases in lines', () => {
  it('are read as they are written', () => {
    expect(readPhaseLines(phaseLines(phases))).toEqual(phases)
    expect(() => readPhaseLines('just words')).toThrow('no phase')
  })
})

it('The depth of a phase is its longest way from the start; a ring has none', () => {
  const of = (key: string, ...blockedBy: string[]) => ({ key, blockedBy })
  expect([...depthsOf([of('4', '2', '3'), of('1'), of('2', '1'), of('3', '2'), of('x', 'y'), of('y', 'x')])]).toEqual([
    ['1', 0],
    ['2', 1],
    ['3', 2],
    ['4', 3],
  ])
})

describe('a run that is being planned', () => {
  const plan = '.gemini/plans/2026-03-02-tapes-impl-plan.md'
  const files = {
    '.gemini/plans/2026-03-02-tapes-design.md': '# Tapes\n',
    [plan]:
      '| Phase | Agent | Waits for |\n|---|---|---|\n| 1 Reader | coder | - |\n| 2 Notes | technical_writer | 1 |\n',
  }

  it('offers to create its session from its plan', () => {
    expect(offered(maestro, files)).toContain('create-session')
    const { after, plan: planned } = act(maestro, files, 'create-session', '', {
      task: 'Tapes',
      design: '.gemini/plans/2026-03-02-tapes-design.md',
      plan,
    })
    expect(planned.summary).toBe('Created the session 2026-03-02-tapes')
    expect(after[file]).toContain('name: "Notes"')
    expect(after[file]).toContain(`implementation_plan: "${plan}"`)
  })

  it('takes the phases of a form where the plan has none', () => {
    const { after } = act(maestro, { ...files, [plan]: '# Plan\n' }, 'create-session', '', {
      task: 'Tapes',
      phases: 'Reader: coder\nNotes: technical_writer, after 1',
    })
    expect(after[file]).toContain('blocked_by: [1]')
  })

  it('waits for the approval of its design', () => {
    const gate =
      '{"session_id":"2026-03-02-tapes","entered_at":"2026-03-02T09:00:00Z","approved_at":null,"design_document_path":null}'
    expect(offered(maestro, { ...files, '.gemini/state/2026-03-02-tapes.design-gate.json': gate })).toEqual([
      'approve .gemini/state/2026-03-02-tapes.design-gate.json',
      'install-hooks .gemini/settings.json',
    ])
  })
})
