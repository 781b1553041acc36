import { describe, expect, it } from 'vitest'
import type { Fact, RunNeed, WorkState } from '@shared/contract/orchestration'
import { unknown, type PhaseView, type TaskView } from '../../formats/run'
import { withUnblockedWork } from './unblockedWork'

const known = <T>(value: T): Fact<T> => ({ value, source: null })
const task = (key: string, state: WorkState, ...dependencies: string[]): TaskView => ({
  key,
  title: known(key),
  state: known(state),
  dependencies: dependencies.map(known),
})
const phase = (key: string, dependencies: string[], ...tasks: TaskView[]): PhaseView => ({
  ...task(key, 'todo', ...dependencies),
  tasks,
})
const need = (...unblocks: string[]): RunNeed => ({
  kind: 'question',
  title: 'Which?',
  detail: '',
  options: [],
  source: { file: 'q' },
  since: unknown(),
  unblocks,
})
const unblocked = (phases: readonly PhaseView[], ...keys: string[]) =>
  withUnblockedWork({ phases, needs: [need(...keys)] })[0]?.unblocks

describe('what a need unblocks', () => {
  it('is what it names and all that waits for that, however indirectly, in the order of the run', () => {
    const tasks = [task('T1', 'active'), task('T2', 'todo', 'T3'), task('T3', 'todo', 'T1'), task('T4', 'todo')]
    expect(unblocked([phase('P', [], ...tasks)], 'T1')).toEqual(['T1', 'T2', 'T3'])
  })

  it('leaves out what is done, and goes round a ring once', () => {
    const tasks = [task('T1', 'failed', 'T3'), task('T2', 'skipped', 'T1'), task('T3', 'todo', 'T2')]
    expect(unblocked([phase('P', [], ...tasks)], 'T1')).toEqual(['T1', 'T3'])
  })

  it('has the tasks of a phase that waits for the phase of the blocked one', () => {
    const phases = [
      phase('P1', [], task('T1', 'active'), task('T2', 'todo')),
      phase('P2', ['P1'], task('T3', 'todo')),
      phase('P3', ['P2']),
    ]
    expect(unblocked(phases, 'T1')).toEqual(['T1', 'T3', 'P3'])
  })

  it('keeps a key that the plan does not have, and says nothing more of a need that blocks the whole run', () => {
    expect(unblocked([phase('P', [], task('T1', 'todo', 'gone'))], 'gone')).toEqual(['T1', 'gone'])
    expect(unblocked([phase('P', [], task('T1', 'todo'))])).toEqual([])
  })
})
