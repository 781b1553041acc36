import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../finding'
import { plain } from './located'
import { parseLocatedJson } from './locatedJson'
import { parseLocatedYaml } from './locatedYaml'
import { spliceJson, spliceYaml, type Entry, type Path } from './splice'
import { StateText } from './stateFile'
import type { Json } from '@shared/json'

const json = (text: string, path: Path, value: Json | undefined) =>
  applyEdits(text, spliceJson(parseLocatedJson(new StateText('a.json', text)), path, value))
const yaml = (
  text: string,
  path: Path,
  value: string | number | boolean | null | undefined | readonly string[] | Entry,
) => applyEdits(text, spliceYaml(parseLocatedYaml(new StateText('a.yml', text)), path, value))

describe('a value in JSON', () => {
  it('is replaced in its own bytes', () => {
    expect(json('{ "a" : 1,\r\n\t"b": [ 1,2 ] }', ['b', 1], 30)).toBe('{ "a" : 1,\r\n\t"b": [ 1,30 ] }')
  })

  it('keeps the byte order mark', () => {
    expect(json('\uFEFF{"a":"x"}\n', ['a'], 'y')).toBe('\uFEFF{"a":"y"}\n')
  })

  it('is added with the indentation of the file', () => {
    expect(json('{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n', ['a', 'c'], ['x'])).toBe(
      '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": [\n\t\t\t"x"\n\t\t]\n\t}\n}\n',
    )
  })

  it('is taken away with its comma', () => {
    expect(json('{\n  "a": 1,\n  "b": 2\n}\n', ['b'], undefined)).toBe('{\n  "a": 1\n}\n')
  })

  it('is added and taken away without a touch to its neighbours, however they are written', () => {
    const text = '{\r\n\t"a" : { "b":1, "c": {"d" :2} },"e":[ 1 ]\r\n}'
    expect(json(text, ['a', 'x'], { y: 1 })).toBe(text.replace('{"d" :2}', '{"d" :2}, "x": { "y": 1 }'))
    expect(json(text, ['f'], true)).toBe(text.replace('[ 1 ]', '[ 1 ],\r\n\t"f": true'))
    expect(json(text, ['a', 'b'], undefined)).toBe(text.replace('"b":1, ', ''))
    expect(json(text, ['a', 'c'], undefined)).toBe(text.replace(', "c": {"d" :2}', ''))
    expect(json('{"a":{"b":1}}', ['a', 'b'], undefined)).toBe('{"a":{}}')
    expect(json('{\n  "a": {}\n}', ['a', 'b', 'c'], 1)).toBe('{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}')
    expect(json('{"a":{}}', ['a', 'b'], [])).toBe('{"a":{"b":[]}}')
  })

  it('changes nothing when it is there already', () => {
    expect(json('{"a":1}', ['a'], 1)).toBe('{"a":1}')
  })

  it('reads back as what was set, with everything else as it was', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
        fc.string(),
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom(0, 2, '\t'),
        (before, key, value, indentation) => {
          const text = JSON.stringify(before, null, indentation)
          const after = json(text, [key], value as Json)
          expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify({ ...before, [key]: value })))
        },
      ),
    )
  })
})

describe('a value in YAML', () => {
  it('keeps its quotes, comments and line ends', () => {
    const text = 'a: "x" # why\r\nb: \'y\'\r\nc: z\r\n'
    expect(yaml(text, ['a'], 'say "1"')).toBe('a: "say \\"1\\"" # why\r\nb: \'y\'\r\nc: z\r\n')
    expect(yaml(text, ['b'], "it's")).toBe("a: \"x\" # why\r\nb: 'it''s'\r\nc: z\r\n")
    expect(yaml(text, ['c'], 'done')).toBe('a: "x" # why\r\nb: \'y\'\r\nc: done\r\n')
  })

  it('is quoted where it would read as something else', () => {
    expect(yaml('a: x\n', ['a'], '12')).toBe('a: "12"\n')
    expect(yaml('a: x\n', ['a'], 'b: c')).toBe('a: "b: c"\n')
    expect(yaml('a: x\n', ['a'], '# no')).toBe('a: "# no"\n')
    expect(yaml('a: x\n', ['a'], null)).toBe('a: null\n')
  })

  it('is put behind its colon where there was none', () => {
    expect(yaml('a:\nb: 1\n', ['a'], 'x')).toBe('a: x\nb: 1\n')
  })

  it('is added below the last field of its map', () => {
    expect(yaml('a:\n  - b: 1\n    c:\n      - d\ne: 2\n', ['a', 0, 'f'], true)).toBe(
      'a:\n  - b: 1\n    c:\n      - d\n    f: true\ne: 2\n',
    )
    expect(yaml('a: 1', ['b'], 2)).toBe('a: 1\nb: 2')
  })

  it('is added with the maps around it that are missing', () => {
    expect(yaml('a:\r\n  b: 1 # one\r\nc: 2\r\n', ['d', 'e'], 3)).toBe('a:\r\n  b: 1 # one\r\nc: 2\r\nd:\r\n  e: 3\r\n')
  })

  it('may be a list of texts, with brackets or dashes as it was', () => {
    expect(yaml('a: ["x"] # why\nb: 1\n', ['a'], ['y', 'z: 1'])).toBe('a: ["y", "z: 1"] # why\nb: 1\n')
    expect(yaml('a:\r\n  - x\r\n  - y # old\r\nb: 1\r\n', ['a'], ['z', 'y: 2'])).toBe(
      'a:\r\n  - z\r\n  - "y: 2"\r\nb: 1\r\n',
    )
    expect(yaml('- a:\n  - x\n  b: 1\n', [0, 'a'], [])).toBe('- a: []\n  b: 1\n')
    expect(yaml('a:\nb: 1\n', ['a'], ['x'])).toBe('a: ["x"]\nb: 1\n')
    expect(yaml('b: 1\n', ['a'], ['x'])).toBe('b: 1\na: ["x"]\n')
  })

  it('may be an entry, added as its list or map is written', () => {
    const entry = { agent: 'coder', said: 'a: b', resolved: false }
    const lines = (column: string) => `${column}- agent: "coder"\n${column}  said: "a: b"\n${column}  resolved: false\n`
    const inLine = '{ "agent": "coder", "said": "a: b", "resolved": false }'
    expect(yaml('a:\n  - e: []\n    b: 1\n', ['a', 0, 'e', 0], entry)).toBe(`a:\n  - e:\n${lines('      ')}    b: 1\n`)
    expect(yaml('e:\n  - agent: x # why\nb: 1\n', ['e', 1], entry)).toBe(`e:\n  - agent: x # why\n${lines('  ')}b: 1\n`)
    expect(yaml('e: [{agent: x}]\n', ['e', 1], entry)).toBe(`e: [{agent: x}, ${inLine}]\n`)
    expect(yaml('a: {e: []}\n', ['a', 'e', 0], entry)).toBe(`a: {e: [${inLine}]}\n`)
    expect(yaml('b: 1\n', ['e', 0], entry)).toBe(`b: 1\ne: [${inLine}]\n`)
    expect(yaml('u:\n  by: {}\nb: 1\n', ['u', 'by', 'coder'], { input: 1 })).toBe(
      'u:\n  by:\n    coder:\n      input: 1\nb: 1\n',
    )
    expect(yaml('by:\n  x:\n    input: 1\nb: 1\n', ['by', 'coder'], { input: 2 })).toBe(
      'by:\n  x:\n    input: 1\n  coder:\n    input: 2\nb: 1\n',
    )
    expect(() => yaml('e:\n  - a: 1\n', ['e', 0], entry)).toThrow(/^Cannot change e\.0 in /)
  })

  it('keeps the decimals that a number is written with', () => {
    expect(yaml('a: 8.47\n', ['a'], 9)).toBe('a: 9.00\n')
    expect(yaml('a: 8.4\n', ['a'], 9.25)).toBe('a: 9.25\n')
  })

  it('is taken away with its lines', () => {
    expect(yaml('a: 1\nb:\n  - 1\n  - 2\nc: 3\n', ['b'], undefined)).toBe('a: 1\nc: 3\n')
  })

  it('is refused in a map in braces that lacks it, with what to do', () => {
    expect(() => yaml('a: { b: 1 }\n', ['a', 'c'], 2)).toThrow(/^Cannot change a\.c in /)
  })

  it('reads back as what was set', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.constantFrom('x', '"x"', "'x'", ''),
        (value, written) => {
          const after = yaml(`before: 1\nkey: ${written}\nafter: 2\n`, ['key'], value)
          const { root, findings } = parseLocatedYaml(new StateText('a.yml', after))
          expect(findings).toEqual([])
          expect(root && plain(root)).toEqual({ before: 1, key: value, after: 2 })
        },
      ),
    )
  })
})
