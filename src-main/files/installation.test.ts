import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installationOf } from './installation'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-installation-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is a checkout where its scripts are', () => {
  mkdirSync(join(folder, 'scripts'))
  writeFileSync(join(folder, 'scripts', 'cli.mjs'), '')
  expect(installationOf(join(folder, 'out'))).toBe('checkout')
})

it('is the app where the archive of its window lies beside, else the npm package', () => {
  const out = join(folder, 'command-line', 'out')
  expect(installationOf(out)).toBe('package')
  writeFileSync(join(folder, 'app.asar'), '')
  expect(installationOf(out)).toBe('app')
})
