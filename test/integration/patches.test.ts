/** Previews as git and patch read them: what they make of the files is what is written. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, mkdirSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { printPatch } from '../../src-main/cli/patchText'
import type { FileChange } from '../../src-main/formats/edit/action'
import { previewOf } from '../../src-main/projects/edits/previewEdit'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-patch-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('')
const changed = (text: string) => text.replace('line 3\n', 'line three\nand more\n').replace('line 40\n', '')

const cases: readonly (readonly [string, readonly FileChange[]])[] = [
  ['a change in two places', [{ file: 'a.md', before: numbered(60), after: changed(numbered(60)) }]],
  ['no line end at the end', [{ file: 'a.md', before: 'a\nb', after: 'a\nc' }]],
  ['a line end that comes', [{ file: 'a.md', before: 'a\nb', after: 'a\nb\n' }]],
  ['CRLF', [{ file: 'a.md', before: 'a\r\nb\r\n', after: 'a\r\nc\r\n' }]],
  ['a new file', [{ file: 'new/a b.md', before: null, after: 'a\nb\n' }]],
  ['a deleted file', [{ file: 'a.md', before: 'a\nb\n', after: null }]],
  ['a name that is quoted', [{ file: 'a "b" ü.md', before: 'a\n', after: 'b\n' }]],
  [
    'a move with a change',
    [
      { file: 'archive/a.md', before: null, after: changed(numbered(60)), from: 'a b.md' },
      { file: 'a b.md', before: numbered(60), after: null },
    ],
  ],
  [
    'a move alone, and a change beside it',
    [
      { file: 'archive/a.md', before: null, after: 'same\n', from: 'a.md' },
      { file: 'a.md', before: 'same\n', after: null },
      { file: 'b.json', before: '{\n  "a": 1\n}\n', after: '{\n  "a": 2\n}\n' },
    ],
  ],
]

const tools = [
  ['git apply', 'git', ['apply', '--unsafe-paths', '-']],
  ['patch', 'patch', ['-p1', '--binary', '--quiet']],
] as const

describe.each(tools)('%s', (_, program, args) => {
  it.each(cases)('reads %s', (_what, changes) => {
    for (const { file, before } of changes)
      if (before !== null) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), before)
      }
    const { files } = previewOf({ summary: 'Changed', changes, warnings: [] })
    const input = ['Changed', ...printPatch(files), 'Nothing was written. Add --yes to write it.'].join('\n')
    execFileSync(program, [...args], { cwd: root, input: `${input}\n` })
    for (const { file, after } of changes) {
      const path = join(root, file)
      expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(after)
    }
  })

  it('refuses what is shown in part', () => {
    const change = { file: 'a.md', before: null, after: numbered(10_000) }
    const { files, more } = previewOf({ summary: '', changes: [change], warnings: [] })
    expect(more).toBeGreaterThan(0)
    const input = `${printPatch(files).join('\n')}\n`
    expect(() => execFileSync(program, [...args], { cwd: root, input, stdio: ['pipe', 'ignore', 'ignore'] })).toThrow()
  })
})

describe('a preview', () => {
  it('counts what is too large to be told line by line, in bounded time', () => {
    const text = (sign: string) => Array.from({ length: 20_000 }, (_, index) => `${sign}${index}\n`).join('')
    const preview = previewOf({
      summary: '',
      changes: [{ file: 'a.md', before: `same\n${text('a')}`, after: `same\n${text('b')}` }],
      warnings: [],
    })
    expect(preview).toMatchObject({ files: [{ isTooLarge: true, added: 20_000, removed: 20_000, hunks: [] }], more: 0 })
    expect(printPatch(preview.files)).toEqual(['a.md: too large to show: 40000 lines.'])
  })

  it('shows a move as one file', () => {
    const { files } = previewOf({
      summary: '',
      changes: [
        { file: 'archive/a.md', before: null, after: changed(numbered(60)), from: 'a.md' },
        { file: 'a.md', before: numbered(60), after: null },
      ],
      warnings: [],
    })
    expect(files).toMatchObject([{ file: 'archive/a.md', from: 'a.md', kind: 'moved', added: 2, removed: 2 }])
  })
})
