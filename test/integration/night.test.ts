/** A short night; the whole one is `npm run bench -- night`. */
import { expect, it } from 'vitest'
import { runNight } from '../support/night'
import { nightLoops } from '../support/nightLoops'

const TASKS = 3

it('hosts, agents and machines killed at random leave each task done once, each cent and commit counted, and nothing alive', async () => {
  const options = { projects: 1, tasks: TASKS, odd: 0.1, turnTime: 1_000, killWithin: 1_000, maxKills: 3 }
  const { damage, turns } = await runNight(options)
  expect(damage).toEqual([])
  expect(Object.keys(turns).sort()).toEqual(nightLoops.map(({ name }) => name).sort())
  for (const count of Object.values(turns)) expect(count).toBeGreaterThanOrEqual(TASKS)
}, 580_000)
