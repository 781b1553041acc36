import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, openReadonly } from './database'
import { MAX_PAGE_CACHE_KIB } from './pageCache'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-cache-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('keeps few pages of an open database', () => {
  const path = join(folder, 'bridgedeck.sqlite')
  const opened = [openDatabase(path), openReadonly(path)]
  const sizes = opened.map((database) => database.pragma('cache_size', { simple: true }))
  for (const database of opened) database.close()
  expect(sizes).toEqual([-MAX_PAGE_CACHE_KIB, -MAX_PAGE_CACHE_KIB])
})
