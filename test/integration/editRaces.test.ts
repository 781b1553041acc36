import { expect, it } from 'vitest'
import { raceEdits } from '../support/editRaces'

it('every one of some hundred answers that race with an agent’s rewrite of the file ends in it, or is told of', async () => {
  const { lost, ...counts } = await raceEdits(300, 60)
  expect(lost).toEqual([])
  expect(counts.merged + counts.conflicts + counts.dropped + counts.raced).toBe(300)
}, 300_000)
