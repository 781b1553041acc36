import { describe, expect, it } from 'vitest'
import type { OfferedField } from '@shared/contract/edits'
import { describeField, readFieldValues } from './fieldValues'
import { UsageError } from './usageError'

const fields: OfferedField[] = [
  { name: 'answer', label: 'Answer', kind: 'text', value: '' },
  { name: 'reason', label: 'Reason', kind: 'line', value: '', optional: true },
  { name: 'limit', label: 'Limit', kind: 'number', value: null, minimum: 1 },
  {
    name: 'go',
    label: 'Another iteration',
    kind: 'choice',
    value: null,
    options: [
      { value: 'yes', label: 'Yes, diagnose again' },
      { value: 'no', label: 'No, this is enough' },
    ],
  },
  {
    name: 'fixes',
    label: 'Fixes',
    kind: 'several',
    value: [],
    options: [
      { value: 'FIX-1', label: 'FIX-1: One' },
      { value: 'FIX-2', label: 'FIX-2: Two' },
    ],
    optional: true,
  },
]
/** None of them has to be given. */
const read = (...words: string[]) =>
  readFieldValues(
    words,
    fields.map((field) => ({ ...field, optional: true })),
  )

describe('--set', () => {
  it('takes text as it is, whatever is in it', () => {
    expect(read('answer=Yes, go on')).toEqual({ answer: 'Yes, go on' })
    expect(read('answer={"a":1}=[2]\nthen', 'reason= 7 ')).toEqual({ answer: '{"a":1}=[2]\nthen', reason: ' 7 ' })
    expect(read('answer=')).toEqual({ answer: '' })
  })

  it('reads numbers, and says what is none', () => {
    expect(read('limit=12.5')).toEqual({ limit: 12.5 })
    for (const text of ['', ' ', 'many', '1,5', 'Infinity'])
      expect(() => read(`limit=${text}`)).toThrow(`limit takes a number, not “${text}”.`)
  })

  it.each(['yes', 'Yes', 'y', 'TRUE', 'Yes, diagnose again'])(
    'reads a choice by its value, its words, or yes and no: %s',
    (text) => {
      expect(read(`go=${text}`)).toEqual({ go: 'yes' })
    },
  )

  it('says what there is to choose from', () => {
    expect(() => read('go=maybe')).toThrow('go takes one of yes, no, not “maybe”.')
    expect(() => read('fixes=FIX-3')).toThrow('fixes takes any of FIX-1, FIX-2, not “FIX-3”.')
  })

  it('takes a list value by value, as JSON, or empty', () => {
    expect(read('fixes=FIX-2', 'fixes=fix-1')).toEqual({ fixes: ['FIX-2', 'FIX-1'] })
    expect(read('fixes=["FIX-1","FIX-2"]')).toEqual({ fixes: ['FIX-1', 'FIX-2'] })
    expect(read('fixes=')).toEqual({ fixes: [] })
    expect(() => read('fixes=[1]')).toThrow('fixes takes a list of texts')
  })

  it('takes an object of JSON as before, also beside single values', () => {
    expect(read('{"answer":"A=B","fixes":["FIX-1"],"limit":3}')).toEqual({ answer: 'A=B', fixes: ['FIX-1'], limit: 3 })
    expect(read('{"answer":"A"}', 'go=no')).toEqual({ answer: 'A', go: 'no' })
  })

  it('names what is missing, with what it takes', () => {
    expect(() => readFieldValues(['answer=A'], fields)).toThrow(
      'missing for limit: Limit, a number; go: Another iteration, one of yes, no.',
    )
    expect(readFieldValues(['answer=A', 'limit=1', 'go=n'], fields)).toEqual({ answer: 'A', limit: 1, go: 'no' })
  })

  it('refuses what it cannot mean, as wrong usage', () => {
    for (const words of [
      ['decision=A'],
      ['{"decision":"A"}'],
      ['answer'],
      ['{"answer":'],
      ['fixes=["FIX-1"'],
      ['["A"]'],
      ['{"answer":true}'],
      ['answer=A', 'answer=B'],
      ['answer=A', '{"answer":"B"}'],
      ['{"answer":"B"}', 'answer=A'],
    ]) {
      expect(() => read(...words), words.join(' ')).toThrow(UsageError)
    }
    expect(() => read('decision=A')).toThrow(/no value “decision”.* answer, reason, limit, go, fixes\./)
    expect(() => readFieldValues(['a=b'], [])).toThrow(/takes no values/)
  })
})

it('A field says what it takes', () => {
  expect(fields.map(describeField)).toEqual([
    'answer: Answer',
    'reason: Reason (optional)',
    'limit: Limit, a number',
    'go: Another iteration, one of yes, no',
    'fixes: Fixes, any of FIX-1, FIX-2 (optional)',
  ])
})
