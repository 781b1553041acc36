import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { oldRoms, oldState } from '../../../test/support/oldStates'
import { dataVersions } from '../../files/dataVersion'
import { STATE_VERSION } from './state'
import { StateFile } from './stateFile'

const roms = oldRoms()
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-state-'))
  path = join(folder, 'builtin.state')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => new StateFile(path, roms, (notice) => expect.fail(notice))

it('has the version that a data folder is known by', () => {
  expect(dataVersions.builtinState).toBe(STATE_VERSION)
})

it('resumes a state of an earlier version and keeps a copy, once', async () => {
  const old = oldState('prompt')
  writeFileSync(path, old)
  const file = open()
  const image = await file.load([])
  if (!image) expect.fail('It was not resumed.')
  file.save(() => image)
  await file.saved()
  const kept = `builtin.state.before-${STATE_VERSION}`
  expect(readdirSync(folder).toSorted()).toEqual(['builtin.state', kept])
  expect(readFileSync(join(folder, kept)).equals(old)).toBe(true)
  expect(readFileSync(path).equals(old)).toBe(false)
  writeFileSync(path, oldState('demo'))
  await open().load([])
  expect(readFileSync(join(folder, kept)).equals(old)).toBe(true)
})

it('keeps a damaged state beside the new one', async () => {
  writeFileSync(path, 'no state')
  const notices: string[] = []
  expect(await open().load(notices)).toBeUndefined()
  expect(notices.join()).toContain('builtin.state.unused')
  expect(readFileSync(`${path}.unused`, 'utf8')).toBe('no state')
})

it('never overwrites a state of a newer version', async () => {
  const newer = Buffer.from(oldState('prompt'))
  newer.writeUInt16LE(STATE_VERSION + 1, 8)
  writeFileSync(path, newer)
  const file = open()
  const notices: string[] = []
  expect(await file.load(notices)).toBeUndefined()
  expect(notices.join()).toContain('newer Bridgedeck')
  file.save(() => expect.fail('It was saved.'))
  await file.saved()
  expect(readFileSync(path).equals(newer)).toBe(true)
})
