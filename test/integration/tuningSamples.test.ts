import { describe, expect, test } from 'vitest'
import { parseSamples, samplePatterns, scoreSample, tuningSamples, type SampleArea } from '../support/tuningSamples'

const MIN_SAMPLES = 60
const MIN_MARKED = 4
const areas: readonly SampleArea[] = ['agent', 'context', 'dataflow', 'memory']

describe.each(areas)('The labelled set for the %s scanner', (area) => {
  const samples = tuningSamples(area)

  test('has enough samples, about half of them without an issue', () => {
    expect(samples.length).toBeGreaterThanOrEqual(MIN_SAMPLES)
    const good = samples.filter(({ expected }) => expected.length === 0).length / samples.length
    expect(good).toBeGreaterThan(0.4)
    expect(good).toBeLessThan(0.65)
  })

  test.each(samplePatterns[area])('has several samples of %s', (pattern) => {
    const marked = samples.filter(({ expected }) => expected.some((issue) => issue.pattern === pattern))
    expect(marked.length).toBeGreaterThanOrEqual(MIN_MARKED)
  })

  test('names each sample once, and holds no text twice', () => {
    expect(repeated(samples.map(({ title }) => title))).toEqual([])
    expect(repeated(samples.map(({ files }) => JSON.stringify([...files])))).toEqual([])
  })

  test('holds texts at paths of a skill', () => {
    const files = samples.flatMap(({ source, files }) => [...files].map(([path, text]) => ({ source, path, text })))
    expect(samples.filter(({ files }) => files.size === 0)).toEqual([])
    expect(files.filter(({ path }) => !/^([\w-]+\/)*[\w-]+\.md$/u.test(path))).toEqual([])
    expect(files.filter(({ text }) => text.trim() === '' || /[«»]/u.test(text))).toEqual([])
  })

  test('marks lines that say something', () => {
    const marked = samples.flatMap(({ source, files, expected }) =>
      expected.flatMap(({ file = '', lines }) =>
        lines.map((line) => ({ source, line, text: files.get(file)?.split('\n')[line - 1]?.trim() ?? '' })),
      ),
    )
    expect(marked.filter(({ text }) => text === '')).toEqual([])
  })

  test('closes every fence that it opens', () => {
    const open = samples.filter(({ files }) =>
      [...files.values()].some((text) => text.split('\n').filter((line) => line.startsWith('```')).length % 2 === 1),
    )
    expect(open.map(({ source }) => source)).toEqual([])
  })
})

test('Only phases of more than 5,000 characters are said to lack a summary', () => {
  const sizes = tuningSamples('context').flatMap(({ files, expected }) =>
    expected.flatMap(({ pattern, file = '' }) =>
      pattern === 'missing_summarization' ? [files.get(file)?.length ?? 0] : [],
    ),
  )
  expect(Math.min(...sizes)).toBeGreaterThan(5000)
})

const set = { name: 'set.txt', patterns: samplePatterns.context, filler: 'Words.\n' }

const text = `=== two files  «agent_return_bloat»
>>> phases/a.md
# A

x.push(1)  «history_accumulation»
x.push(2) «history_accumulation» «full_content_passing»

>>> phases/b.md «missing_summarization»
# B
«fill to 30»
The end.

=== nothing wrong
>>> SKILL.md
---
name: fine
---
`

describe('A file of the labelled set', () => {
  test('gives files without their marks', () => {
    const [first, second] = parseSamples(text, set)
    expect([...(first?.files ?? [])]).toEqual([
      ['phases/a.md', '# A\n\nx.push(1)\nx.push(2)\n'],
      ['phases/b.md', '# B\nWords.\nWords.\nWords.\nWords.\nThe end.\n'],
    ])
    expect(second?.files.get('SKILL.md')).toBe('---\nname: fine\n---\n')
    expect(second).toMatchObject({ title: 'nothing wrong', source: 'set.txt:13', expected: [] })
  })

  test('marks lines, files and whole skills', () => {
    expect(parseSamples(text, set)[0]?.expected).toEqual([
      { pattern: 'agent_return_bloat', lines: [] },
      { pattern: 'history_accumulation', file: 'phases/a.md', lines: [3, 4] },
      { pattern: 'full_content_passing', file: 'phases/a.md', lines: [4] },
      { pattern: 'missing_summarization', file: 'phases/b.md', lines: [] },
    ])
  })

  test.each([
    ['a mark that its area does not have', '=== a\n>>> b.md\nx «nested_calls»', 'set.txt:3'],
    ['a file that is there twice', '=== a\n>>> b.md\n>>> b.md', 'set.txt:3'],
    ['text that belongs to no file', '=== a\nwords', 'set.txt:2'],
  ])('is refused with %s', (_, wrong, where) => {
    expect(() => parseSamples(wrong, set)).toThrow(where)
  })
})

describe('The score of a sample', () => {
  const [sample] = parseSamples(text, set)
  const expected = sample?.expected ?? []
  const score = (...found: { pattern: string; file: string; line?: number }[]) => scoreSample({ expected }, found)

  test('counts an issue once, at any of its lines', () => {
    const places = [3, 4].map((line) => ({ pattern: 'history_accumulation', file: 'phases/a.md', line }))
    expect(score(...places)).toMatchObject({ hits: 1, wrong: [] })
    expect(score({ pattern: 'agent_return_bloat', file: 'phases/b.md' })).toMatchObject({ hits: 1, wrong: [] })
  })

  test('names what was missed', () => {
    expect(score({ pattern: 'missing_summarization', file: 'phases/b.md', line: 1 }).missed).toHaveLength(3)
    expect(score().missed).toHaveLength(4)
  })

  test('counts what is not there, or stands at another line, as wrong once for each file', () => {
    const other = [1, 2].map((line) => ({ pattern: 'history_accumulation', file: 'phases/a.md', line }))
    const elsewhere = { pattern: 'missing_summarization', file: 'phases/a.md' }
    expect(score(...other, elsewhere)).toMatchObject({ hits: 0, wrong: [other[0], elsewhere] })
  })
})

const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at)
