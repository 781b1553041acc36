import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase, type Database } from './database'
import { ProjectStore } from './projects'

let folder: string
let database: Database
let store: ProjectStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-projects-'))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  store = new ProjectStore(database)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const numbers = Array.from({ length: 40 }, (_, number) => number + 1)
const paths = () => store.all.map(({ path }) => path)

it.each<[string, () => void]>([
  ['were trusted without being opened', () => numbers.forEach((number) => store.trust(`/${number}`, 'it', number))],
  [
    'were open together',
    () => {
      const ids = numbers.map((number) => store.opened(`/${number}`, number).id)
      for (const id of ids) store.closed(id)
    },
  ],
])('remembers the last thirty closed projects that %s; to open one of them forgets no other', (_, happen) => {
  happen()
  const before = paths()
  expect(before).toHaveLength(30)
  expect(before).toContain('/40')
  expect(store.opened('/40', 41).forgotten).toEqual([])
  expect(paths().toSorted()).toEqual(before.toSorted())
})
