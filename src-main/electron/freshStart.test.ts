import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { moveAside, placeAside, requestFreshStart } from './freshStart'

const NOW = new Date(2026, 10, 29)
let around: string
let folder: string
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'bridgedeck-fresh-'))
  folder = join(around, 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'kept'), 'all of it')
})
afterEach(() => rmSync(around, { recursive: true, force: true }))

it('is nothing where nobody asked', () => {
  expect(moveAside(folder, NOW)).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['kept'])
})

it('moves the folder aside with all that is in it, and leaves an empty one', () => {
  requestFreshStart(folder)
  expect(moveAside(folder, NOW)).toBe(join(around, 'data-before-2026-11-29'))
  expect(readdirSync(join(around, 'data-before-2026-11-29'))).toEqual(['kept'])
  expect(readdirSync(folder)).toEqual([])
  expect(moveAside(folder, NOW)).toBeUndefined()
})

it('takes no place that is taken', () => {
  mkdirSync(join(around, 'data-before-2026-11-29'))
  expect(placeAside(folder, NOW)).toBe(join(around, 'data-before-2026-11-29-2'))
})

it('waits for the process that asked, as it still uses the folder', () => {
  writeFileSync(join(folder, 'start-fresh'), String(process.ppid))
  expect(moveAside(folder, NOW, 0)).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['kept', 'start-fresh'])
})

it.skipIf(process.platform === 'win32')('leaves a link to the folder where it is', () => {
  const link = join(around, 'link')
  symlinkSync(folder, link)
  requestFreshStart(link)
  expect(moveAside(link, NOW)).toBe(join(around, 'data-before-2026-11-29'))
  expect(existsSync(join(folder, 'kept'))).toBe(false)
  expect(readdirSync(link)).toEqual([])
})
