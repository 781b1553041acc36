import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, parseJson, printJson, type JsonObject } from '@shared/json'
import { parseRegistry } from './registryFile'
import { printRegistry } from './registryPrinter'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../test/fixtures', name), 'utf8')
const print = ({ rest, entries, others }: ReturnType<typeof parseRegistry>) =>
  printRegistry({ rest, entries: entries.values(), others })

describe('the examples of spec 001', () => {
  it('tasks.json is printed byte for byte', () => {
    const text = fixture('spec001/tasks.json')
    expect(print(parseRegistry(text))).toBe(text)
  })

  it.each(['task', 'result', 'session'])('%s.json is printed byte for byte', (name) => {
    const text = fixture(`spec001/${name}.json`)
    expect(printJson(parseJson(text, name))).toBe(text)
  })
})

describe('tasks.json', () => {
  it('is an object with an empty list when there are no tasks', () => {
    expect(printRegistry({ rest: {}, entries: [], others: [] })).toBe('{\n  "tasks": []\n}')
  })

  it.each([
    ['{"tasks": [', 'tasks.json:1:12: a value or “]” was expected, the file ends here.'],
    ['[]', 'tasks.json:1:1: an object with the list “tasks” was expected.'],
    ['{}', 'tasks.json:1:1: a list was expected as “tasks”.'],
    ['{\n  "tasks": {}\n}', 'tasks.json:2:12: a list was expected as “tasks”.'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => parseRegistry(text)).toThrow(message)
  })

  it('keeps what is no entry, and says where it stands', () => {
    const text = '{\n  "tasks": [\n    42,\n    {\n      "id": "0001_read"\n    }\n  ],\n  "version": 3\n}'
    const registry = parseRegistry(text)
    expect(registry.notices).toEqual([
      'tasks.json:3:5: an object with a text of at most 300 characters as “id” was expected; it is left as it is.',
    ])
    expect(print(registry)).toBe(text)
  })

  it('takes the last of two entries with one id, and keeps both', () => {
    const text = '{"tasks":[{"id":"0001_a","status":"running"},{"id":"0001_a","status":"stopped"}]}'
    const registry = parseRegistry(text)
    expect(registry.entries.get('0001_a')).toMatchObject({ status: 'stopped' })
    expect(registry.notices[0]).toMatch(/^tasks\.json:1:46: the id 0001_a comes again/)
    expect(JSON.parse(print(registry))).toEqual(JSON.parse(text))
  })

  it('keeps every key that it does not know, whatever it holds', () => {
    const entry = fc.dictionary(fc.string(), fc.jsonValue()).map((fields) => ({ ...fields, id: 'x' }))
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 3, selector: JSON.stringify }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (entries, rest) => {
          const registry = { ...rest, tasks: entries.map((fields, index) => ({ ...fields, id: `000${index + 1}_x` })) }
          const again: unknown = JSON.parse(print(parseRegistry(JSON.stringify(registry))))
          expect(again).toEqual(JSON.parse(JSON.stringify(registry)))
        },
      ),
    )
  })

  it('is printed as JSON that means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const holder = JSON.parse(JSON.stringify({ value, args: value })) as JsonObject
        expect(isJsonObject(holder) && JSON.parse(printJson(holder))).toEqual(holder)
      }),
    )
  })
})
