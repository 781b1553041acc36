import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { initSession } from './init'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const text = () => readFileSync(join(folder, '.meta/context.md'), 'utf8')

it('describes the project and its first phase', async () => {
  expect(await initSession({ folder, name: 'Tape tool', idea: '# Read tapes\n\nAll of them.\n' })).toMatchObject({
    created: ['.meta/context.md'],
    kept: [],
  })
  expect(text()).toBe(
    '# Project: Tape tool\n\n## Vision\n\n# Read tapes\n\nAll of them.\n\n## Current Phase Focus\n\nPhase 1: Read tapes\n',
  )
})

it('leaves a description that is there as it is', async () => {
  await initSession({ folder, name: 'One', idea: 'First.' })
  writeFileSync(join(folder, '.meta/context.md'), 'mine')
  expect(await initSession({ folder, name: 'Two', idea: 'Second.' })).toMatchObject({
    created: [],
    kept: ['.meta/context.md'],
  })
  expect(text()).toBe('mine')
})

it('refuses a folder that no other command could name', async () => {
  const strange = join(folder, 'one\ntwo')
  await expect(initSession({ folder: strange, name: 'One', idea: 'First.' })).rejects.toThrow('control character')
  expect(existsSync(strange)).toBe(false)
})
