/** A short night; the whole one is `npm run bench -- night`. */
import { expect, it } from 'vitest'
import { runNight } from '../support/night'

it('hosts and agents killed at random leave each task done once, each cent and commit counted, and nothing alive', async () => {
  const report = await runNight({ projects: 1, tasks: 4, odd: 0.1, turnTime: 1_500, killWithin: 1_000, maxKills: 5 })
  expect(report.damage).toEqual([])
  expect(report.turns).toBeGreaterThanOrEqual(2 * 4)
}, 580_000)
