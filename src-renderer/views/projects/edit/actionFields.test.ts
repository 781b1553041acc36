import { describe, expect, it } from 'vitest'
import type { OfferedField } from '@shared/contract/edits'
import { describeOffered, parseInput, requestedValues, valuesOf } from './actionFields'

const options = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second\u202e' },
]
const decision: OfferedField = {
  kind: 'line',
  name: 'decision',
  label: 'Decision',
  value: '',
  suggestions: ['Yes', 'No'],
}
const reason: OfferedField = {
  kind: 'text',
  name: 'reason',
  label: 'Reason',
  value: 'old',
  optional: true,
  help: 'Why',
}
const turns: OfferedField = { kind: 'number', name: 'turns', label: 'Turns', value: null, minimum: 1 }
const one: OfferedField = { kind: 'choice', name: 'one', label: 'One', value: null, options }
const several: OfferedField = { kind: 'several', name: 'several', label: 'Several', value: ['a'], options }
const fields = [decision, reason, turns, one, several]

describe('the form of an action', () => {
  it('shows what was typed, elsewhere what the files have', () => {
    expect(valuesOf(fields, { reason: 'new', turns: 3 })).toEqual({
      decision: '',
      reason: 'new',
      turns: '3',
      one: '',
      several: ['a'],
    })
  })

  it('asks for no value that neither the files nor the person gave, and for no optional one that is empty', () => {
    expect(requestedValues(fields, {})).toEqual({ decision: '', reason: 'old', several: ['a'] })
    expect(requestedValues(fields, { reason: '', one: 'b' })).toEqual({ decision: '', one: 'b', several: ['a'] })
  })

  it('takes numbers as numbers', () => {
    expect(parseInput(turns, '3.5')).toBe(3.5)
    expect(parseInput(turns, '')).toBe('')
    expect(parseInput(decision, '3')).toBe('3')
    expect(parseInput(several, ['a', 'b'])).toEqual(['a', 'b'])
  })

  it('marks optional fields, and what changed on disk under a typed one', () => {
    expect(describeOffered(reason, true, String)).toMatchObject({
      kind: 'lines',
      label: 'Reason (optional)',
      required: false,
      hints: [{ text: 'Why' }, { text: 'On disk it is now: old', tone: 'warn' }],
    })
    expect(describeOffered(turns, true, String)).toMatchObject({
      kind: 'number',
      minimum: 1,
      hints: [{ tone: 'warn' }],
    })
    expect(describeOffered(one, false, String)).toMatchObject({ kind: 'radios', required: true, hints: [] })
  })

  it('offers suggestions with their shortcuts, and makes marks in texts visible', () => {
    expect(describeOffered(decision, false, String)).toMatchObject({
      suggestions: [
        { value: 'Yes', shortcut: '1' },
        { value: 'No', shortcut: '2' },
      ],
    })
    const described = describeOffered(several, false, String)
    expect('options' in described && described.options[1]?.label).toBe('Second‹U+202E›')
  })
})
