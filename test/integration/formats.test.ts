/** Every format's reader against bytes that nobody meant for it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { formats } from '../../src-main/formats/formats'
import { readFrontMatter } from '../../src-main/formats/text/frontMatter'
import { parseLocatedJson } from '../../src-main/formats/text/locatedJson'
import { parseLocatedYaml } from '../../src-main/formats/text/locatedYaml'
import { StateText } from '../../src-main/formats/text/stateFile'
import { runsIn } from '../support/projectFiles'

const example = (path: string) => readFileSync(`test/fixtures/${path}`)

/** The files that each format reads, as its specification shows them. */
const samples: Readonly<Record<string, Readonly<Record<string, Uint8Array>>>> = {
  metashell: {
    '.meta/context.md': example('spec000/context.md'),
    '.meta/session.json': example('spec000/session.json'),
    '.meta/config.json': Buffer.from('{"max_gap_retries": 2, "paths": {"artifacts": "artifacts"}}'),
    'artifacts/plan.json': Buffer.from('{"phase_id": "01", "tasks": [{"id": "01", "title": "A", "dependencies": []}]}'),
    'artifacts/summary_02.json': Buffer.from(
      '{"task_id": "02", "status": "checkpoint", "options": ["a"], "verification_result": {"success": true}}',
    ),
    'artifacts/verification.json': Buffer.from(
      '{"phase_id": "01", "passed": true, "checks": [{"verdict": "fail"}], "gaps": []}',
    ),
  },
  ncrew: {
    'INDEX.md': example('spec002/INDEX.md'),
    'tasks.md': example('spec002/tasks.md'),
    'questions/a-1-b.md': example('spec002/question.md'),
    '.noodlecrew/manifest.yml': Buffer.from(
      'phases: [discovery]\ncrew:\n  experts:\n    - role: a\n      phase: discovery\nvalidation: {human_gates: [discovery]}\n',
    ),
  },
  maestro: { '.gemini/state/active-session.md': example('spec003/active-session.md') },
  tuning: { '.workflow/.scratchpad/skill-tuning-20260210080000/state.json': example('spec004/mid-run.json') },
}

const samplesOf = (name: string) => samples[name] ?? {}

/** One edit of a file's bytes: cut off, cut out, overwritten or filled in. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 40 }),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom(
        '[',
        '{',
        '"',
        '---\n',
        '\r\n',
        'null',
        '[]',
        '{}',
        '## ',
        '- [ ] x\n',
        '-1',
        '1e999',
        '"__proto__"',
        '\u2028',
      )
      .map((text) => Buffer.from(text)),
  ),
  end: fc.boolean(),
})

describe.each(formats)('The reader of $name', (format) => {
  const runs = (files: Record<string, Uint8Array>) => runsIn(format, files)

  it('has its run in the samples', () => {
    expect(runs(samplesOf(format.name)).map(({ reading }) => reading.view.system)).toEqual([format.name])
  })

  it('never throws, whatever bytes the files are made of', () => {
    const names = Object.keys(samplesOf(format.name))
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(damage, { minLength: 1, maxLength: 4 }), (name, edits) => {
        let bytes = samplesOf(format.name)[name] ?? new Uint8Array()
        for (const { at, cut, bytes: filling, end } of edits) {
          const from = Math.floor(at * bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, from), filling, ...(end ? [] : [bytes.subarray(from + cut)])])
        }
        for (const { reading, problems } of runs({ ...samplesOf(format.name), [name]: bytes })) {
          // What crosses to the window and to --json is plain data.
          expect(structuredClone(reading)).toEqual(reading)
          for (const { line, column, found, expected } of problems)
            expect(line > 0 && column > 0 && found !== '' && expected !== '').toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['empty', ''],
    ['only a byte order mark', '\uFEFF'],
    ['one very long line', `"${'x'.repeat(2_000_000)}`],
    ['very many lines', '- [ ] x\n'.repeat(100_000)],
    ['deeply nested JSON', '{"a":'.repeat(100_000)],
    ['deeply nested front matter', `---\n${'- '.repeat(50_000)}`],
    ['spaces and nothing else', ' '.repeat(1_000_000)],
    ['spaces with a line separator', `# ${' '.repeat(500_000)}\u2028`],
    ['a table of bars', '|'.repeat(500_000)],
  ])('copes with files that are %s', (_, text) => {
    for (const name of Object.keys(samplesOf(format.name))) {
      const findings = runs({ ...samplesOf(format.name), [name]: Buffer.from(text) }).flatMap(
        ({ problems }) => problems,
      )
      expect(Array.isArray(findings)).toBe(true)
    }
  })

  it('reads files with CRLF and a byte order mark as it reads them without', () => {
    const view = (change: (text: string) => string) =>
      JSON.stringify(
        runs(
          Object.fromEntries(
            Object.entries(samplesOf(format.name)).map(([name, bytes]) => [
              name,
              Buffer.from(change(Buffer.from(bytes).toString())),
            ]),
          ),
        ).map(({ reading }) => reading.view),
      ).replaceAll('\\r\\n', '\\n')
    expect(view((text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`)).toBe(view((text) => text))
  })
})

describe('The parsers below them', () => {
  it('never throw, whatever the text', () => {
    const pieces = fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '-',
          '- ',
          ' ',
          '\n',
          '\r\n',
          '\t',
          '---',
          '|',
          '>',
          '&a',
          '*a',
          '!!str',
          '? ',
          '#',
          '%',
          '\\',
          '\uFEFF',
          '\u0000',
          'a',
          '1',
          '~',
        ),
      )
      .map((all) => all.join(''))
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string({ unit: 'binary' })), (text) => {
        const documents = [
          parseLocatedJson(new StateText('a.json', text)),
          parseLocatedYaml(new StateText('a.yml', text)),
          readFrontMatter(new StateText('a.md', `---\n${text}`)).document,
        ]
        for (const { findings } of documents)
          for (const { line, column } of findings) expect([line > 0, column > 0]).toEqual([true, true])
      }),
      { numRuns: 300 },
    )
  })
})
