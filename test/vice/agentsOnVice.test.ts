import { describe, expect, it } from 'vitest'
import { agentsOnVice } from '../support/agentsOnVice'
import { lacks } from '../support/parts'

const DURATION_MS = 20_000

describe.skipIf(lacks('vice', 'xvfb'))('eight agents on one VICE, some of them killed now and then', () => {
  it('each get their own answers, and none is locked out', async () => {
    const { written, kills, faults } = await agentsOnVice(DURATION_MS)
    expect(faults).toEqual([])
    expect(Math.min(...written)).toBeGreaterThan(0)
    expect(kills).toBeGreaterThan(0)
  }, 300_000)
})
