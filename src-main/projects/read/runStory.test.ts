import { describe, expect, it } from 'vitest'
import type { Fact, RunError, WorkState } from '@shared/contract/orchestration'
import { unknown, type PhaseView, type RunView } from '../../formats/run'
import { runStory } from './runStory'

const known = <T>(value: T): Fact<T> => ({ value, source: null })
const phase = (key: string, state: WorkState | null, ...dependencies: string[]): PhaseView => ({
  key,
  title: known(`The ${key}`),
  state: state === null ? unknown() : known(state),
  dependencies: dependencies.map(known),
  tasks: [],
})
const error = (at: string, time: number): RunError => ({
  message: known('no'),
  at,
  time: known(time),
  resolved: false,
})
const story = (phases: readonly PhaseView[], more: Partial<RunView> = {}) =>
  runStory({ phases, currentPhase: unknown(), errors: [], updatedAt: unknown(), ...more })

describe('the story of a run', () => {
  it('is about the phase that failed, since its last error, with what waits for it however indirectly', () => {
    const failed = { ...phase('b', 'failed', 'a'), retries: known(2) }
    const phases = [phase('a', 'done'), failed, phase('c', 'todo', 'b'), phase('d', 'todo', 'c'), phase('e', 'todo')]
    const errors = [error('b', 10), error('b', 30), error('a', 50)]
    expect(story(phases, { errors, currentPhase: known('c') })).toEqual({
      phases: { done: 1, total: 5 },
      phase: {
        number: 2,
        title: 'The b',
        state: 'failed',
        tasks: { done: 0, total: 0 },
        since: 30,
        retries: 2,
        waiting: 2,
      },
    })
  })

  it('takes the time that the run wrote last where no error says when a phase failed', () => {
    expect(story([phase('a', 'failed')], { updatedAt: known(7) }).phase?.since).toBe(7)
  })

  it('is about the current phase, with its tasks, when none failed', () => {
    const tasks = [phase('1', 'done'), phase('2', 'skipped'), phase('3', 'todo')]
    const current = { ...phase('b', 'active'), started: known(5), tasks }
    expect(story([phase('a', 'active'), current], { currentPhase: known('b') }).phase).toMatchObject({
      number: 2,
      since: 5,
      tasks: { done: 2, total: 3 },
    })
  })

  it('is about the next phase when the current one is done, and about none when nothing is left', () => {
    const phases = [phase('a', null), phase('b', 'done'), phase('c', 'todo')]
    expect(story(phases, { currentPhase: known('b') }).phase?.number).toBe(3)
    expect(story(phases.slice(0, 2), { currentPhase: known('b') })).toEqual({
      phases: { done: 1, total: 2 },
      phase: null,
    })
  })

  it('goes round a ring of phases once', () => {
    expect(story([phase('a', 'active', 'b'), phase('b', 'todo', 'a')]).phase?.waiting).toBe(1)
  })
})
