import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineAndColumn, offsetOf, parseJson } from './json'

const problem = (text: string): string => {
  try {
    parseJson(text, 'tasks.json')
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('JSON from a file', () => {
  it.each([
    ['an empty file', '', 'tasks.json:1:1: a value was expected, the file ends here.'],
    ['a truncated file', '{\n  "tasks": [\n', 'tasks.json:3:1: a value or “]” was expected, the file ends here.'],
    ['a wrong sign', '{\n  "tasks": [1, }\n', 'tasks.json:2:16: a value was expected, here is "}\\n".'],
    ['a text cut off', '{\n  "tasks": [ "abc', 'tasks.json:2:14: a value or “]” was expected, here is "\\"abc".'],
    ['a key without a value', '{"a" 1}', 'tasks.json:1:6: “:” was expected, here is "1}".'],
    ['two values', '{} {}', 'tasks.json:1:4: the end of the file was expected, here is "{}".'],
    ['a comma too many', '{"a": 1,}', 'tasks.json:1:9: a key in quotes was expected, here is "}".'],
  ])('%s is refused with file, line, column and what was expected', (_what, text, message) => {
    expect(problem(text)).toBe(message)
  })

  it('that is cut off anywhere is refused at a place within it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value, null, 2)
        expect(problem(text.slice(0, cut % text.length))).toMatch(/^tasks\.json:\d+:\d+: .+ was expected/)
      }),
    )
  })

  it('is read behind a byte order mark', () => {
    expect(parseJson('\uFEFF{"tasks":[]}', 'tasks.json')).toEqual({ tasks: [] })
  })

  it('tells where a value stands', () => {
    const text = '{\n  "a": "x,]}\\"",\n  "tasks": [\n    {"id": 1},\n    42\n  ]\n}'
    expect(lineAndColumn(text, offsetOf(text, ['tasks', 1]))).toBe('5:5')
    expect(lineAndColumn(text, offsetOf(text, ['tasks', 0, 'id']))).toBe('4:12')
    expect(lineAndColumn(text, offsetOf(text, ['tasks', 0, 'missing']))).toBe('4:5')
  })

  it('finds every value of any JSON at its place', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), { maxLength: 4 }), (list) => {
        const text = JSON.stringify(list, null, 2)
        for (const [index, entry] of list.entries()) {
          for (const [key, value] of Object.entries(entry)) {
            expect(
              text
                .slice(offsetOf(text, [index, key]))
                .replaceAll(/\s/g, '')
                .startsWith(JSON.stringify(value).replaceAll(/\s/g, '')),
            ).toBe(true)
          }
        }
      }),
    )
  })
})
