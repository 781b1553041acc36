import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packagesAreInstalled } from './setup.mjs'

describe('packagesAreInstalled', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-setup-'))
    mkdirSync(join(folder, 'node_modules'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (file, packages) => writeFileSync(join(folder, file), JSON.stringify({ packages }))
  const lock = (packages) => write('package-lock.json', { '': { name: 'app' }, ...packages })
  const installed = (packages) => write('node_modules/.package-lock.json', packages)

  it('is so when every package is there in its version', () => {
    lock({ 'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' } })
    installed({ 'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' } })
    expect(packagesAreInstalled(folder)).toBe(true)
  })

  it('is not so before the first install', () => {
    lock({})
    expect(packagesAreInstalled(folder)).toBe(false)
  })

  it('is not so when a version, the file behind it, or a package is another', () => {
    lock({ 'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' } })
    for (const found of [
      { version: '4.0.1', integrity: 'sha512-a' },
      { version: '4.0.0', integrity: 'sha512-b' },
    ]) {
      installed({ 'node_modules/zod': found })
      expect(packagesAreInstalled(folder)).toBe(false)
    }
    installed({})
    expect(packagesAreInstalled(folder)).toBe(false)
  })

  it('does not miss an optional package of another platform', () => {
    lock({ 'node_modules/binding-win32': { version: '1.0.0', optional: true } })
    installed({})
    expect(packagesAreInstalled(folder)).toBe(true)
  })

  it('says so when there is no lock file', () => {
    expect(() => packagesAreInstalled(folder)).toThrow('package-lock.json cannot be read')
  })
})
