import { describe, expect, it } from 'vitest'
import { argumentsOf, commandText, presets } from './agentPresets'

const plain = { model: null, args: [], maxTurns: null, maxCost: null }

describe('the command line of an agent', () => {
  it('has the preset’s own words, then the model and the limits, then the person’s', () => {
    expect(
      argumentsOf({ preset: 'claude', model: 'opus', args: ['--allowedTools', 'Edit'], maxTurns: 5, maxCost: 0.5 }),
    ).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      'opus',
      '--max-turns',
      '5',
      '--max-budget-usd',
      '0.5',
      '--allowedTools',
      'Edit',
    ])
    expect(argumentsOf({ ...plain, preset: 'codex', model: 'fast', args: ['--sandbox', 'read-only'] })).toEqual([
      'exec',
      '--json',
      '-m',
      'fast',
      '--sandbox',
      'read-only',
      '-',
    ])
    expect(argumentsOf({ ...plain, preset: 'custom', model: 'unknown', maxTurns: 3, args: ['x'] })).toEqual(['x'])
    expect(argumentsOf({ ...plain, preset: 'gemini', maxTurns: 3, maxCost: 1 })).toEqual(presets.gemini.fixed)
  })

  it('asks for one object at the end where the preset can print one', () => {
    expect(argumentsOf({ ...plain, preset: 'gemini', model: 'fast', args: ['--sandbox'] }, true)).toEqual([
      '--output-format',
      'json',
      '-m',
      'fast',
      '--sandbox',
    ])
    expect(argumentsOf({ ...plain, preset: 'claude' }, true)).toEqual(['-p', '--output-format', 'json'])
    expect(argumentsOf({ ...plain, preset: 'codex' }, true)).toEqual(argumentsOf({ ...plain, preset: 'codex' }))
  })

  it('is shown so that it says what it is: quoted, with nothing that a dialog would obey', () => {
    expect(
      commandText({
        ...plain,
        preset: 'custom',
        command: '/opt/my agent',
        args: ['a b', "it's", '$(id)', 'new\nline', 'turned\u202e', ''],
      }),
    ).toBe(String.raw`'/opt/my agent' 'a b' 'it'\''s' '$(id)' 'new\u{a}line' 'turned\u{202e}' ''`)
  })
})
