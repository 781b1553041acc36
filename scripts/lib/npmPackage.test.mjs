import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePackage } from './npmPackage.mjs'
import { root } from './process.mjs'

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('what is shipped is the same on every computer', () => {
  it.runIf(process.platform !== 'win32')('has modes that no umask changes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-package-'))
    const before = process.umask(0o077)
    try {
      makePackage(folder)
    } finally {
      process.umask(before)
    }
    try {
      const modes = filesBelow(folder).map((file) => [
        file.slice(folder.length + 1),
        (statSync(file).mode & 0o777).toString(8),
      ])
      expect(modes.filter(([, mode]) => mode !== '644')).toEqual([['bridgedeck.cjs', '755']])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each(['main', 'preload', 'renderer', 'client', 'resources'])('has no path of this checkout in out/%s', (part) => {
    const files = filesBelow(join(root, 'out', part))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => readFileSync(file).includes(root))).toEqual([])
  })
})
