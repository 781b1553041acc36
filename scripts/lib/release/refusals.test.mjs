import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../process.mjs'
import { refusals } from './refusals.mjs'

const ready = { version: '1.2.3', changed: [], changelog: '## 1.2.3\n\nNew.\n', versions: { 'server.json': '1.2.3' } }

describe('a release', () => {
  it('is made of a clean tree whose version is the same everywhere and has its notes', () => {
    expect(refusals(ready)).toEqual([])
    expect(refusals({ ...ready, tag: 'v1.2.3' })).toEqual([])
  })

  it('is refused with uncommitted changes, of which it names a few', () => {
    const changed = Array.from({ length: 7 }, (_, index) => ` M file${index}`)
    const [refusal] = refusals({ ...ready, changed })
    expect(refusal).toContain(' M file4\n  and 2 more')
    expect(refusal).not.toContain('file5')
  })

  it('is refused without notes, with another version in a file, and on another tag', () => {
    const [file, notes, tag, ...more] = refusals({
      ...ready,
      changelog: '## 1.2.2\n\nOld.\n',
      versions: { 'server.json': '1.2.2' },
      tag: 'v1.2.4',
    })
    expect([file, notes, tag]).toEqual([
      expect.stringContaining('server.json has version 1.2.2'),
      expect.stringContaining('CHANGELOG.md'),
      expect.stringContaining('v1.2.4'),
    ])
    expect(more).toEqual([])
  })
})

it('the version of this checkout has its notes, and is the same in the lock file', () => {
  const read = (file) => readFileSync(join(root, file), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  const versions = { 'package-lock.json': lock.version, 'package-lock.json, packages': lock.packages[''].version }
  expect(refusals({ version, changed: [], changelog: read('CHANGELOG.md'), versions })).toEqual([])
})
