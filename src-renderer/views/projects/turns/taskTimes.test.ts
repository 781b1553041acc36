import { expect, it } from 'vitest'
import { taskTimesOf, workedFor } from './taskTimes'

const loop = { project: 1, system: 'ncrew' as const, place: 'shop' }
const turn = (task: string | null) => ({ ...loop, folder: 'shop', role: 'dev', task })

it('a task took as long as its turns together, and none that did not start', () => {
  const times = taskTimesOf([
    { turn: turn('code/1'), startedAt: 100_000, endedAt: null },
    { turn: turn('code/1'), startedAt: 1_000, endedAt: 4_000 },
    { turn: turn('code/2'), startedAt: null, endedAt: null },
    { turn: turn(null), startedAt: 1_000, endedAt: 2_000 },
    { turn: null, startedAt: 1_000, endedAt: 2_000 },
  ])
  expect([...times.keys()]).toEqual(['code/1'])
  expect(workedFor(times.get('code/1') ?? [], 102_000)).toBe(5_000)
})
