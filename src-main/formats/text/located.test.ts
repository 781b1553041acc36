import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { applyEdits, quote } from '../finding'
import { readFrontMatter } from './frontMatter'
import { at, field, foldDotted, numberOf, plain, textOf, type LocatedDocument } from './located'
import { MAX_DEPTH, parseLocatedJson } from './locatedJson'
import { parseLocatedYaml } from './locatedYaml'
import { markdownLines } from './markdown'
import { decodeStateFile, Lines, StateText } from './stateFile'

const json = (text: string) => parseLocatedJson(new StateText('a.json', text))
const yaml = (text: string) => parseLocatedYaml(new StateText('a.yml', text))
const places = ({ findings }: LocatedDocument) =>
  findings.map(({ line, column, rule, found, expected }) => `${line}:${column} ${rule}: ${found}, ${expected}`)

describe('values with their places', () => {
  it('of JSON are its values, each where it is written', () => {
    const text = '\uFEFF{"a": [1, "x"],\r\n "b/c": {"d": null}}'
    const document = json(text)
    expect(document.root && plain(document.root)).toEqual({ a: [1, 'x'], 'b/c': { d: null } })
    const d = at(document.root, 'b/c', 'd')
    expect(d && document.source(d)).toEqual({ file: 'a.json', pointer: '/b~1c/d', line: 2 })
    expect(d && text.slice(d.start, d.end)).toBe('null')
  })

  it('of YAML are those of version 1.2: dates are text, 042 is 42, no is text', () => {
    const document = yaml('created: 2026-01-28\nmode: 042\nflag: no\ncost: 0.00\n')
    expect(document.root && plain(document.root)).toEqual({ created: '2026-01-28', mode: 42, flag: 'no', cost: 0 })
    expect(textOf(field(document.root, 'cost'))).toBe('0.00')
  })

  it('are what JSON.parse gives, for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { root, findings } = json(text)
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(root && JSON.stringify(plain(root))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('are there as far as a broken file goes, with the place of the break', () => {
    const document = json('{"a": 1,\n "b": [2, ')
    expect(numberOf(field(document.root, 'a'))).toBe(1)
    expect(places(document)).toEqual(['2:11 file/json: the end of the file, a value'])
    expect(places(json(''))).toEqual(['1:1 file/json: the end of the file, a value'])
    expect(places(json('{"a": 1 "b": 2}'))).toEqual(['1:9 file/json: "\\"b\\"", “,”'])
    expect(places(yaml('a: [1,\nb: "x'))).toHaveLength(1)
  })

  it('of equal keys are the last, and it is said', () => {
    for (const document of [json('{"a": 1,\n"a": 2}'), yaml('a: 1\na: 2')]) {
      expect(numberOf(field(document.root, 'a'))).toBe(2)
      expect(document.findings).toMatchObject([{ line: 2, column: 1, rule: 'file/duplicate-key' }])
    }
  })

  it('are refused when they nest deeper than any state file', () => {
    const deep = MAX_DEPTH + 1
    expect(json('['.repeat(100_000)).findings).toMatchObject([{ rule: 'file/depth', column: deep }])
    const texts = [
      '['.repeat(deep),
      '- '.repeat(deep),
      '? '.repeat(deep),
      Array.from({ length: 3 * MAX_DEPTH }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
    ]
    for (const text of texts) expect(yaml(text).findings).toMatchObject([{ rule: 'file/depth' }])
  })

  it('do not follow aliases of lists, of which a few lines stand for more than any memory holds', () => {
    const bomb = [
      'a0: &a0 [x]',
      ...Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`),
      'last: *a40',
      'one: &one 1',
      'two: *one',
    ].join('\n')
    const document = yaml(bomb)
    expect(document.findings[0]).toMatchObject({ rule: 'file/yaml-alias', line: 2 })
    expect(numberOf(field(document.root, 'two'))).toBe(1)
  })

  it('under a literal key with dots are read where they were meant, in the place where they stand', () => {
    const text =
      '{"plan": {"tasks": [{"id": "1", "status": "pending"}], "n": 0}, "plan.n": 1, "plan.tasks.0.status": "complete", "a.b.c": 2}'
    const { root, folded } = foldDotted(json(text).root)
    expect(root && plain(root)).toEqual({
      plan: { tasks: [{ id: '1', status: 'complete' }], n: 1 },
      a: { b: { c: 2 } },
    })
    expect(at(root, 'plan', 'n')?.pointer).toBe('/plan.n')
    expect(folded.map(({ name }) => name)).toEqual(['plan.n', 'plan.tasks.0.status', 'a.b.c'])
  })
})

describe('front matter', () => {
  const read = (text: string) => {
    const { document, syntax, bodyStart } = readFrontMatter(new StateText('a.md', text))
    return {
      syntax,
      values: document.root && plain(document.root),
      body: text.slice(bodyStart),
      findings: places(document),
    }
  }

  it('is YAML or JSON between two lines of ---, with LF or CRLF, behind a byte order mark too', () => {
    const values = { a: 1 }
    expect(read('---\na: 1\n---\n# T\n')).toEqual({ syntax: 'yaml', values, body: '# T\n', findings: [] })
    expect(read('\uFEFF---\r\na: 1\r\n---\r\n# T')).toEqual({ syntax: 'yaml', values, body: '# T', findings: [] })
    expect(read('---\n{\n  "a": 1\n}\n---\n')).toEqual({ syntax: 'json', values, body: '', findings: [] })
    expect(read('---\n{a: 1}\n---')).toEqual({ syntax: 'yaml', values, body: '', findings: [] })
  })

  it('may be missing, empty or without an end', () => {
    expect(read('# T\n---\na: 1\n---\n')).toEqual({
      syntax: 'none',
      values: undefined,
      body: '# T\n---\na: 1\n---\n',
      findings: [],
    })
    expect(read('---\n---\n# T')).toEqual({ syntax: 'yaml', values: undefined, body: '# T', findings: [] })
    expect(read('---\na: 1\n')).toMatchObject({
      values: { a: 1 },
      body: '',
      findings: ['1:1 file/front-matter: a file that ends inside its front matter, a line of --- below the values'],
    })
  })

  it('tells where its values stand in the whole file', () => {
    const { document } = readFrontMatter(new StateText('a.md', '---\nb: 2\nc:\n  - x\n---\n'))
    const x = at(document.root, 'c', 0)
    expect(x && document.source(x)).toEqual({ file: 'a.md', pointer: '/c/0', line: 4 })
  })
})

describe('Markdown lines', () => {
  it('are headings and checkboxes, outside fences only', () => {
    const text = '# A #\r\n- [x] one\n  * [ ] two \n```md\n- [ ] not a task\n```\n1. text\n'
    expect(markdownLines(text).map(({ kind, text: content, line }) => [line, kind, content])).toEqual([
      [1, 'heading', 'A'],
      [2, 'checkbox', 'one'],
      [3, 'checkbox', 'two'],
      [4, 'text', '```md'],
      [5, 'text', '- [ ] not a task'],
      [6, 'text', '```'],
      [7, 'text', '1. text'],
    ])
  })

  it.each([
    ['1. [ ] one', ' ', 'one'],
    ['12) [x] one', 'x', 'one'],
    ['* [ ] one', ' ', 'one'],
    ['• [X] one', 'X', 'one'],
    ['-[ ] one', ' ', 'one'],
    ['[ ] one', ' ', 'one'],
    ['- [~] one', '~', 'one'],
    ['- [-] one', '-', 'one'],
    ['- [/] one', '/', 'one'],
    ['- [✔] one', '✔', 'one'],
    ['- [🔄] one', '🔄', 'one'],
    ['- [] one', '', 'one'],
    ['- [  ] one', '  ', 'one'],
    ['- [ x ] one', ' x ', 'one'],
    ['- [\u00a0] one', '\u00a0', 'one'],
    ['- [ ]', ' ', ''],
    ['– [ ] one', ' ', 'one'],
  ])('“%s” is a checkbox', (line, written, text) => {
    expect(markdownLines(line)).toMatchObject([{ kind: 'checkbox', written, text, checked: /[xX✔]/.test(written) }])
    const [box] = markdownLines(line)
    if (box?.kind === 'checkbox') expect(line.slice(box.mark)).toBe(`${written}]${text === '' ? '' : ` ${text}`}`)
  })

  it.each([
    ['- [ ]one', false],
    ['- [x]one', true],
  ])('“%s” is a checkbox without the space', (line, checked) => {
    expect(markdownLines(line)).toMatchObject([{ kind: 'checkbox', checked, text: 'one' }])
  })

  it.each([
    '- [1] a reference',
    '- [x](link)',
    '- [x]: link',
    '- [x][link]',
    '- [a]one',
    '[~] a line',
    'see [ ] here',
    '- [ab] one',
    '1.[x] one',
    '- [[ ] one',
  ])('“%s” is none', (line) => {
    expect(markdownLines(line)).toMatchObject([{ kind: 'text' }])
  })

  it('say where a checkbox has its mark', () => {
    const text = 'x\n\n  - [X] one\n'
    const [box] = markdownLines(text, 2).filter((line) => line.kind === 'checkbox')
    expect(box && [text[box.mark], box.line, box.checked]).toEqual(['X', 3, true])
  })
})

describe('state files', () => {
  const bytes = (...values: number[]) => decodeStateFile('a.md', Uint8Array.from(values), null)

  it('keep their byte order mark and their line ends', () => {
    expect(bytes(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a).text).toBe('\uFEFFa\r\n')
  })

  it('say where they are not UTF-8, and are read all the same', () => {
    expect(bytes(0x61, 0x0a, 0x62, 0xff)).toMatchObject({
      text: 'a\nb\uFFFD',
      findings: [{ rule: 'file/encoding', line: 2, column: 2 }],
    })
    expect(bytes(0xef, 0xbf, 0xbd)).toMatchObject({ text: '\uFFFD', findings: [] })
  })

  it('are no text with zero bytes or in UTF-16', () => {
    expect(bytes(0x61, 0)).toMatchObject({ text: null, findings: [{ rule: 'file/text' }] })
    expect(bytes(0xff, 0xfe, 0x61, 0)).toMatchObject({
      text: null,
      findings: [{ rule: 'file/encoding', found: 'UTF-16LE text' }],
    })
  })

  it('have places from 1:1 on', () => {
    const lines = new Lines('ab\r\nc\n')
    expect([0, 3, 4, 6].map((offset) => lines.place(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 4 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
    ])
  })
})

describe('findings', () => {
  it('quote what is in a file in one short line without control characters', () => {
    expect(quote('a\n\u001b[31m\u009b')).toBe('"a\\n\\u001b[31m\\u009b"')
    expect(quote('x'.repeat(1000)).length).toBeLessThan(80)
  })

  it('repair with edits that stand anywhere', () => {
    expect(
      applyEdits('abcdef', [
        { offset: 1, length: 1, text: 'XX' },
        { offset: 4, length: 0, text: '-' },
      ]),
    ).toBe('aXXcd-ef')
  })
})
