import { describe, expect, it } from 'vitest'
import { optionsBySystem } from '@shared/contract/loopOptions'
import { numberOptions, offeredOptions, optionsText } from './runOptions'

describe('the options of a start', () => {
  it('are those that the format takes', () => {
    for (const system of ['metashell', 'ncrew', 'maestro', 'tuning'] as const)
      for (const place of ['a', '.gemini/state/active-session.md']) {
        const { numbers, texts, flags, hasMode, hasAgent, hasCleanup } = offeredOptions({ system, place })
        const more = [
          ...(hasMode ? ['mode'] : []),
          ...(hasAgent ? ['agent'] : []),
          ...(hasCleanup ? ['MAESTRO_CLEANUP_DISPATCH'] : []),
        ]
        const names = [...numbers, ...texts, ...flags, ...more]
        expect(Object.keys(optionsBySystem[system].shape)).toEqual(expect.arrayContaining(names))
      }
  })

  it('have the bounds of the schema that the command line is held to, in their own unit', () => {
    expect(numberOptions.maxTurns).toMatchObject({ min: 1, max: 1_000_000, isWhole: true })
    expect(numberOptions.maxCost).toMatchObject({ min: 0, max: 1_000_000, isWhole: false })
    expect(numberOptions.maxTime).toMatchObject({ min: 1, max: 525_600, unit: 60_000 })
    expect(numberOptions.maxSteps).toMatchObject({ min: 1, max: 1_000 })
  })

  it('read as one line while they are folded', () => {
    expect(optionsText({})).toBe('')
    expect(optionsText({ maxTurns: 5, maxTime: 1_800_000, auto: true, mode: 'parallel' })).toBe(
      '5 turns at most, 30 minutes at most, asks nobody, parallel',
    )
    expect(optionsText({ auto: false, agent: 'claude' })).toBe('claude')
    expect(optionsText({ secondAgent: 'codex' })).toBe('at a usage limit codex')
    expect(optionsText({ MAESTRO_DEFAULT_MODEL: 'flash', MAESTRO_AGENT_TIMEOUT: 20 })).toBe(
      'model flash, 20 minutes an agent may take',
    )
  })
})
