import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findAgents, versionIn } from './findAgents'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-find-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o700)
  return path
}
const find = () => findAgents(new AbortController().signal, { PATH: folder })

it.skipIf(process.platform === 'win32')('finds the known agents on the PATH, with their versions', async () => {
  const claude = program('claude', 'test "$*" = --version && echo "2.1.0 (Claude Code)"')
  const opencode = program('opencode', 'echo 1.0.12')
  program('somethingElse', 'echo 1.0')
  expect(await find()).toEqual([
    { preset: 'claude', program: claude, version: '2.1.0' },
    { preset: 'opencode', program: opencode, version: '1.0.12' },
  ])
})

it.skipIf(process.platform === 'win32')(
  'finds one that does not tell its version, or says that it cannot',
  async () => {
    program('gemini', 'echo Loading')
    program('codex', 'echo 3.1; exit 1')
    expect((await find()).map(({ preset, version }) => [preset, version])).toEqual([
      ['gemini', null],
      ['codex', null],
    ])
  },
)

it.each([
  ['codex-cli 0.46.0\n', '0.46.0'],
  ['2.1.0 (Claude Code)', '2.1.0'],
  ['v0.9.0-nightly.1', '0.9.0-nightly.1'],
  ['', null],
])('reads the version in %j', (output, version) => {
  expect(versionIn(output)).toBe(version)
})
