import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { applyEdits } from './finding'
import { parseLocatedJson } from './text/locatedJson'
import { schemaFindings } from './schemaFindings'
import { StateText } from './text/stateFile'

const schema = z.strictObject({
  status: z.enum(['open', 'closed']),
  count: z.int().min(0),
  tasks: z
    .array(
      z.strictObject({
        id: z.string(),
        note: z.string().nullable(),
        at: z.union([z.int(), z.string()], 'a number or text'),
      }),
    )
    .default([]),
})

const check = (text: string, severities = {}) =>
  schemaFindings(parseLocatedJson(new StateText('a.json', text)), schema, { format: 'x', severities })
const told = (text: string) =>
  check(text).map(
    ({ line, column, rule, severity, found, expected }) =>
      `${line}:${column} ${severity} ${rule}: ${found}, not ${expected}`,
  )

describe('what a schema says against a file', () => {
  it('is nothing when the file follows it', () => expect(check('{"status":"open","count":1}')).toEqual([]))

  it.each([
    ['a missing field', '{"count":1}', ['1:1 error x/required: none, not the field “status”']],
    [
      'a value outside an enumeration',
      '{"status":"ajar","count":1}',
      ['1:11 error x/enum: "ajar", not open or closed'],
    ],
    ['another type', '{"status":"open",\n "count":[]}', ['2:10 error x/type: a list, not a number']],
    ['a broken number', '{"status":"open","count":1.5}', ['1:26 error x/type: 1.5, not a whole number']],
    ['a number too small', '{"status":"open","count":-1}', ['1:26 error x/range: -1, not at least 0']],
    [
      'a field it does not have',
      '{"status":"open","count":1,"mood":"good"}',
      ['1:35 info x/unknown-field: “mood”, not a field of the specification'],
    ],
    [
      'neither of two types',
      '{"status":"open","count":1,"tasks":[{"id":"a","note":null,"at":false}]}',
      ['1:64 error x/type: false, not a number or text'],
    ],
    ['something else as a whole', '[]', ['1:1 error x/type: a list, not an object']],
  ])('%s', (_, text, expected) => expect(told(text)).toEqual(expected))

  it.each([
    ['a word in other capitals', '{"status": "Open", "count": 1}', '{"status": "open", "count": 1}'],
    ['a number in quotes', '{"status": "open", "count": "12"}', '{"status": "open", "count": 12}'],
    [
      'an id without quotes',
      '{"status":"open","count":1,"tasks":[{"id":7,"note":null,"at":1}]}',
      '{"status":"open","count":1,"tasks":[{"id":"7","note":null,"at":1}]}',
    ],
  ])('offers a repair where it is certain: %s', (_, text, repaired) => {
    const [finding] = check(text)
    expect(applyEdits(text, finding?.repair?.edits ?? [])).toBe(repaired)
    expect(check(repaired)).toEqual([])
  })

  it('can be milder where files are known to differ', () => {
    const [finding] = check('{"status":"open","count":1,"tasks":[{"id":"a","at":1}]}', { 'tasks.*.note': 'info' })
    expect(finding).toMatchObject({ severity: 'info', expected: 'the field “note”' })
  })

  it('says nothing of a file that is broken: what is missing may stand behind the break', () =>
    expect(check('{"count":1')).toEqual([]))
})
