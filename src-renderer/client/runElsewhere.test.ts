import { describe, expect, it } from 'vitest'
import { liveState } from '../../test/support/machineState'
import { limitOfTyping, limitOfVice } from './runElsewhere'

const withoutBasic = { ...liveState, hasBasic: false }
const program = { name: 'game.prg', watched: false, startedAt: 0, reruns: 0, problem: null }

describe('what a machine lacks', () => {
  it('is BASIC where a statement is typed at the prompt of Bridgedeck’s own ROMs', () => {
    expect(limitOfTyping('for i=1 to 9:next', withoutBasic)).toMatch(/no BASIC for FOR/)
    expect(limitOfTyping('poke 53280,0', withoutBasic)).toBeNull()
    expect(limitOfTyping('for i=1 to 9:next', liveState)).toBeNull()
  })

  it('is nothing where a program runs, which may ask for any text', () => {
    expect(limitOfTyping('10', { ...withoutBasic, program })).toBeNull()
  })

  it('may be lacking in VICE too, as far as is known', () => {
    const tune = { kind: 'file', grant: 'one', name: 'tune.sid' } as const
    const vice = { ...liveState, programFiles: { ...liveState.programFiles, music: 'x64sc plays none.' } }
    expect(limitOfVice(tune, vice)).toBe('x64sc plays none.')
    expect(limitOfVice({ ...tune, name: 'game.d64' }, vice)).toBeNull()
    expect(limitOfVice(tune, undefined)).toBeNull()
    expect(limitOfVice({ kind: 'text', text: '10' }, withoutBasic)).toMatch(/no BASIC either/)
  })
})
