import { describe, expect, it } from 'vitest'
import { liveState } from '../../test/support/machineState'
import { resumeOffer, whyStandsStill } from './standsStill'

describe('a machine that is sampled', () => {
  it('is told to be paused, with Resume', () => {
    const paused = { ...liveState, execution: 'paused' } as const
    expect(whyStandsStill(paused)).toMatch(/Built-in C64 is paused/)
    expect(resumeOffer(paused)?.label).toBe('Resume')
  })

  it('is told to have jammed, where only a reset helps', () => {
    const jammed = { ...liveState, execution: 'jammed' } as const
    expect(whyStandsStill(jammed)).toMatch(/JAM/)
    expect(resumeOffer(jammed)).toBeNull()
  })

  it('has nothing to say while it runs', () => {
    expect([whyStandsStill(liveState), resumeOffer(liveState), whyStandsStill(undefined)]).toEqual([null, null, null])
  })
})
