/** The window's bridge, killed while tasks, a recording and an edit run; `npm run bench -- kills` kills sixty. */
import { describe, expect, it } from 'vitest'
import { killBridges } from '../support/killedBridges'
import { lacks } from '../support/parts'

describe.skipIf(lacks('electron', 'xvfb'))('a bridge that is killed at any moment', () => {
  it('leaves nothing torn and nothing that is wrongly said to run, and the window is live again each time', async () => {
    const { damage, tasks, recordings } = await killBridges(4)
    expect(damage).toEqual([])
    expect(tasks).toBeGreaterThanOrEqual(4)
    expect(recordings).toBeGreaterThanOrEqual(1)
  })
})
