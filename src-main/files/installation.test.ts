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

const plain = { ...process.versions }
const electron = { ...process.versions, electron: '45.0.0' }

it('is a checkout where its scripts are, under Electron too', () => {
  mkdirSync(join(folder, 'scripts'))
  writeFileSync(join(folder, 'scripts', 'cli.mjs'), '')
  expect([plain, electron].map((versions) => installationOf(join(folder, 'out'), versions))).toEqual([
    'checkout',
    'checkout',
  ])
})

it('is the npm package under Node, and the app under Electron', () => {
  expect(installationOf(join(folder, 'out'), plain)).toBe('package')
  expect(installationOf(join(folder, 'out'), electron)).toBe('app')
})
