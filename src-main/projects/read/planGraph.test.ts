import { describe, expect, it } from 'vitest'
import { planGraph } from './planGraph'
import type { Fact, WorkState } from '@shared/contract/orchestration'
import type { PhaseView, TaskView } from '../../formats/run'

const known = <T>(value: T): Fact<T> => ({ value, source: null })
const unsaid: Fact<WorkState> = { value: null, source: null }
const task = (key: string, state: WorkState | null, ...dependencies: string[]): TaskView => ({
  key,
  title: known(key),
  state: state === null ? unsaid : known(state),
  dependencies: dependencies.map(known),
})
const plan = (...tasks: TaskView[]) => planGraph({ phases: [{ ...task('P', 'active'), tasks } satisfies PhaseView] })
/** Of the tasks, and what they name that is not there. */
const standings = (...tasks: TaskView[]) => plan(...tasks).standings.slice(1)

describe('the plan of a run as a graph', () => {
  it('tells what can be begun from what waits for something that goes on', () => {
    expect(
      standings(
        task('a', 'done'),
        task('b', 'todo', 'a'),
        task('c', 'todo', 'b'),
        task('d', 'active', 'a'),
        task('e', 'todo', 'd'),
        task('f', 'todo'),
      ),
    ).toEqual(['done', 'ready', 'blocked', 'active', 'blocked', 'ready'])
  })

  it('tells that the tasks of a phase wait for what the phase waits for', () => {
    const phases: PhaseView[] = [
      { ...task('P', 'active'), tasks: [task('p1', 'done'), task('p2', 'todo')] },
      { ...task('Q', 'todo', 'P'), tasks: [task('q1', 'todo'), task('q2', 'done')] },
      { ...task('R', 'active', 'Q'), tasks: [task('r1', 'todo')] },
    ]
    expect(planGraph({ phases }).standings).toEqual([
      'active',
      'done',
      'ready',
      'blocked',
      'blocked',
      'done',
      'active',
      'blocked',
    ])
    const [first, ...later] = phases
    expect(first && planGraph({ phases: [{ ...first, state: known('done') }, ...later] }).standings.slice(3)).toEqual([
      'ready',
      'ready',
      'done',
      'active',
      'blocked',
    ])
  })

  it('calls dead what waits for something that failed or is not there, however far before it', () => {
    expect(
      standings(
        task('a', 'failed'),
        task('b', 'todo', 'a'),
        task('c', 'todo', 'b'),
        task('d', 'todo', 'gone'),
        task('e', 'todo', 'd', 'f'),
        task('f', 'todo'),
      ),
    ).toEqual(['failed', 'dead', 'dead', 'dead', 'dead', 'ready', 'missing'])
  })

  it('finds rings, which one that is done opens', () => {
    expect(
      standings(task('a', 'todo', 'c'), task('b', 'todo', 'a'), task('c', 'todo', 'b'), task('d', 'todo', 'c')),
    ).toEqual(['cyclic', 'cyclic', 'cyclic', 'dead'])
    expect(standings(task('a', 'todo', 'c'), task('b', 'done', 'a'), task('c', 'todo', 'b'))).toEqual([
      'blocked',
      'done',
      'ready',
    ])
    expect(standings(task('a', 'todo', 'a'))).toEqual(['cyclic'])
  })

  it('says unknown of a state that no file tells, and blocks what waits for it', () => {
    expect(standings(task('a', null), task('b', 'todo', 'a'))).toEqual(['unknown', 'blocked'])
  })

  it('takes a skipped task for a finished one', () => {
    expect(standings(task('a', 'skipped'), task('b', 'todo', 'a'))).toEqual(['skipped', 'ready'])
  })

  it('has as its critical path the longest chain of what is not done', () => {
    const { critical, items } = plan(
      task('a', 'done'),
      task('b', 'todo', 'a'),
      task('c', 'todo', 'b'),
      task('d', 'todo', 'a'),
      task('e', 'todo', 'c', 'd'),
    )
    expect(critical.map((number) => items[number]?.key)).toEqual(['b', 'c', 'e'])
    expect(plan(task('a', 'todo'), task('b', 'todo')).critical).toEqual([])
    expect(plan(task('a', 'todo', 'gone')).critical).toEqual([])
  })

  it('has as its critical path the chain that takes longest, where any duration is known', () => {
    const timed = (key: string, minutes: number, ...dependencies: string[]): TaskView => ({
      ...task(key, 'done', ...dependencies),
      started: known(0),
      completed: known(minutes * 60_000),
    })
    const { critical, items } = plan(
      timed('a', 1),
      timed('b', 30, 'a'),
      timed('c', 1, 'a'),
      timed('d', 1, 'c'),
      task('e', 'todo', 'b', 'd'),
      task('f', 'skipped', 'e'),
    )
    expect(critical.map((number) => items[number]?.key)).toEqual(['a', 'b', 'e'])
  })

  it('numbers phases before their tasks, and draws a dependency that is named twice once', () => {
    const { phases, edges } = planGraph({
      phases: [
        { ...task('P1', 'done'), tasks: [task('a', 'done')] },
        { ...task('P2', 'todo', 'P1'), tasks: [task('b', 'todo', 'a', 'a')] },
      ],
    })
    expect(phases).toEqual([-1, 0, -1, 2])
    expect(edges).toEqual([0, 2, 1, 3])
  })

  it('takes ten thousand tasks in a chain', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => task(`t${n}`, 'todo', ...(n === 0 ? [] : [`t${n - 1}`])))
    expect(plan(...chain).critical).toHaveLength(10_000)
  })
})
