import { describe, expect, it } from 'vitest'
import { projectsCommands, rowSchema, runSchema } from '@shared/contract/orchestration'
import { describeLists, describeRows, describeRun, type KnownRun } from './describeRun'
import { fileFinding } from '../../formats/finding'
import type { Fact, WorkState } from '@shared/contract/orchestration'
import { unknown, type RunView, type TaskView } from '../../formats/run'

const known = <T>(value: T): Fact<T> => ({ value, source: { file: 'state.json', line: 1 } })
const task = (key: string, state: WorkState, ...dependencies: string[]): TaskView => ({
  key,
  title: known(key),
  state: known(state),
  dependencies: dependencies.map(known),
})

const view: RunView = {
  system: 'metashell',
  key: 'one',
  folder: '',
  archived: false,
  id: unknown(),
  title: known('A run'),
  state: known('running'),
  reason: unknown(),
  updatedAt: known(NaN),
  currentPhase: unknown(),
  phases: [],
  needs: [],
  meters: [],
  errors: [],
  artefacts: [],
}
const run = (changes: Partial<RunView>, findings: KnownRun['findings'] = []): KnownRun => ({
  key: 'metashell:state.json',
  view: { ...view, ...changes },
  findings,
  writtenAt: null,
  stale: null,
  revision: 1,
})
const phase = (key: string, state: WorkState, ...tasks: TaskView[]) => ({ ...task(key, state), tasks })

describe('a run as the window is told of it', () => {
  it('says of what is not done which of its dependencies is not done, failed, is missing, or waits for it in turn', () => {
    const tasks = [
      task('T1', 'done'),
      task('T2', 'todo', 'T1'),
      task('T3', 'todo', 'T2', 'T9'),
      task('T4', 'failed'),
      task('T5', 'todo', 'T4', 'T6'),
      task('T6', 'todo', 'T5'),
      task('T7', 'done', 'T2'),
    ]
    const rows = describeRows(run({ phases: [phase('P', 'active', ...tasks)] }))
    expect(rows.map(({ key, blockedBy }) => [key, blockedBy.map((by) => `${by.key} ${by.why}`)])).toEqual([
      ['P', []],
      ['T1', []],
      ['T2', []],
      ['T3', ['T2 unfinished', 'T9 missing']],
      ['T4', []],
      ['T5', ['T4 failed', 'T6 cycle']],
      ['T6', ['T5 cycle']],
      ['T7', []],
    ])
    for (const row of rows) expect(() => rowSchema.parse(row)).not.toThrow()
  })

  it('counts tasks, and phases where they have none, and the meters at 80 % of their limit', () => {
    const meter = (used: number, limit: number | null) => ({
      name: 'm',
      unit: 'turns',
      used: known(used),
      limit: limit === null ? unknown() : known(limit),
    })
    const told = describeRun(
      run({
        phases: [
          phase('P1', 'done', task('T1', 'done'), task('T2', 'skipped'), task('T3', 'failed')),
          phase('P2', 'todo'),
        ],
        meters: [meter(7, 10), meter(8, 10), meter(100, null), meter(0, 0)],
      }),
    )
    expect(runSchema.parse(told)).toMatchObject({
      work: { done: 2, failed: 1, total: 4 },
      warnings: 1,
      updatedAt: { value: null },
    })
  })

  it('is cut to the bounds of the contract, whatever the files hold, and says how much more there is', () => {
    const long = 'x'.repeat(100_000)
    const need = {
      kind: 'question' as const,
      title: long,
      detail: long,
      options: Array<string>(100).fill(long),
      source: { file: long },
      since: known(Infinity),
      unblocks: [long],
    }
    const findings = [
      ...Array.from({ length: 600 }, () => fileFinding('a', 'r', 'info', long, long)),
      fileFinding('z', 'worst', 'error', long, long),
    ]
    const large = run({ title: known(long), needs: Array<typeof need>(600).fill(need) }, findings)
    const answer = projectsCommands['projects.run'].output.parse({
      run: describeRun(large),
      ...describeLists(large, []),
    })
    expect(answer.more).toMatchObject({ needs: 100, findings: 101 })
    expect(answer.findings[0]?.rule).toBe('worst')
  })
})
