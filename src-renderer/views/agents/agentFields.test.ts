import { describe, expect, it } from 'vitest'
import { changeDraft, describeAgent, draftOfAgent, draftOfPreset, parseDraft } from './agentFields'

const draft = {
  ...draftOfPreset('custom'),
  name: ' helper ',
  command: '/bin/helper',
  args: 'a b\n\n--c',
  environment: 'A, B',
}

describe('the form of an agent', () => {
  it('makes an agent of what is typed, and the form of an agent', () => {
    const parsed = parseDraft({ ...draft, maxTurns: '7' })
    expect(parsed).toMatchObject({
      agent: { name: 'helper', args: ['a b', '--c'], environment: ['A', 'B'], timeLimit: 1800, maxTurns: null },
    })
    const claude = parseDraft({ ...draftOfPreset('claude'), maxTurns: '7', maxCost: '0.5' })
    expect(claude).toMatchObject({ agent: { maxTurns: 7, maxCost: 0.5, model: null } })
    if ('agent' in claude) expect(parseDraft(draftOfAgent(claude.agent))).toEqual(claude)
  })

  it('puts what is wrong at its field', () => {
    for (const [field, text] of Object.entries({ name: 'a name', command: '', model: '$(x)', timeLimit: 'long' }))
      expect(parseDraft({ ...draft, [field]: text })).toMatchObject({ problem: { field } })
  })

  it('starts a new agent again with another preset, and keeps what a set-up one has', () => {
    expect(changeDraft(draft, true, 'preset', 'codex')).toEqual(draftOfPreset('codex'))
    expect(changeDraft(draft, false, 'preset', 'codex')).toEqual({ ...draft, preset: 'codex' })
    expect(changeDraft(draft, false, 'preset', 'none')).toEqual(draft)
    expect(changeDraft(draft, false, 'command', 'other').command).toBe('other')
  })

  it('says which limits the program cannot be given, and whether it is there', () => {
    const whys = describeAgent(draft, null).flatMap((field) => ('why' in field && field.why ? [field.name] : []))
    expect(whys).toEqual(['model', 'maxTurns', 'maxCost'])
    const parsed = parseDraft(draft)
    if (!('agent' in parsed)) throw new Error('The draft is an agent.')
    const hints = (program: string | null) =>
      describeAgent(draft, { ...parsed.agent, program }).find(({ name }) => name === 'command')?.hints
    expect(hints(null)).toMatchObject([{ tone: 'problem' }])
    expect(hints('/bin/helper')).toEqual([{ text: 'Found: /bin/helper' }])
  })
})
