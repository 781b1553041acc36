import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { damagePage, fillDatabase, PAGE, ROWS, structureOf } from '../../test/support/damagedDatabase'
import { openDatabase } from './database'
import { NoteStore } from './notes'
import { DataFolderGone, OwnDatabase } from './ownDatabase'
import { contentsOfTables, takeRepairNotice } from './repair'
import { tablesOf } from './salvage'

let samples: string
let sample: string
beforeAll(() => {
  samples = mkdtempSync(join(tmpdir(), 'bridgedeck-sample-'))
  sample = join(samples, 'filled.sqlite')
  fillDatabase(sample)
})
afterAll(() => rmSync(samples, { recursive: true, force: true }))

let folder: string
let file: string
let opened: OwnDatabase | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-damage-'))
  file = join(folder, 'bridgedeck.sqlite')
  copyFileSync(sample, file)
})
afterEach(() => {
  opened?.close()
  opened = undefined
  rmSync(folder, { recursive: true, force: true })
})

const open = () => (opened = OwnDatabase.open(file))
const setAside = () => readdirSync(folder).filter((name) => /^bridgedeck\.sqlite\.corrupt-\d+$/.test(name))
const countOf = (database: OwnDatabase, table: string) =>
  z.object({ n: z.number() }).parse(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).n

describe('a database with a damaged page', () => {
  it('keeps all other tables, whichever table’s first page it is, and says which is lost', () => {
    for (const { name, table, rootPage } of structureOf(sample)) {
      copyFileSync(sample, file)
      damagePage(file, rootPage)
      const database = open()
      const others = tablesOf(database).filter(
        (other) => other !== table && !(table === 'projects' && hasProject(database, other)),
      )
      const notice = takeRepairNotice(database)
      expect(notice, name).toBeDefined()
      for (const other of others) expect(countOf(database, other), `${other} beside ${name}`).toBe(ROWS)
      const isIndex = name !== table
      expect(countOf(database, table), name).toBe(isIndex ? ROWS : 0)
      if (isIndex) expect(notice?.hint, name).toContain('Nothing is known to be lost.')
      else expect(notice?.hint, name).toContain(contentsOfTables[table])
      database.close()
      opened = undefined
    }
    expect(setAside().length).toBeGreaterThan(0)
  })

  it('keeps the rows of a table on either side of it', () => {
    const [root] = structureOf(file).filter(({ name }) => name === 'contents')
    const database = openDatabase(file)
    const pages = z
      .array(z.object({ pageno: z.int() }))
      .parse(database.prepare("SELECT pageno FROM dbstat WHERE name = 'contents' AND pagetype = 'leaf'").all())
    database.close()
    const middle = pages[Math.floor(pages.length / 2)]?.pageno ?? 0
    expect(middle).not.toBe(root?.rootPage)
    damagePage(file, middle)
    const found = open()
    const left = countOf(found, 'contents')
    expect(left).toBeGreaterThan(ROWS / 2)
    expect(left).toBeLessThan(ROWS)
    expect(takeRepairNotice(found)?.hint).toContain('earlier contents of files (some)')
  })

  it('is repaired also where the damage comes while it is open', () => {
    const database = open()
    const notes = new NoteStore(database)
    notes.set('kept', 'before')
    let told = 0
    database.onReopened = () => told++
    const other = openDatabase(file)
    other.pragma('wal_checkpoint(TRUNCATE)')
    other.close()
    const root = structureOf(file).find(({ name }) => name === 'memory_snapshots')?.rootPage ?? 0
    damagePage(file, root)
    database.pragma('shrink_memory')
    expect(database.prepare('SELECT time FROM memory_snapshots').all()).toEqual([])
    expect(told).toBe(1)
    expect(notes.get('kept')).toBe('before')
    expect(takeRepairNotice(database)?.hint).toMatch(
      /^Lost: memory snapshots\. The damaged file is kept as bridgedeck\.sqlite\.corrupt-\d+\.$/,
    )
    expect(takeRepairNotice(database)).toBeUndefined()
  })

  it('starts afresh where nothing can be read, and says so', () => {
    writeFileSync(file, 'this was a database once'.repeat(1000))
    const database = open()
    expect(countOf(database, 'settings')).toBe(0)
    expect(takeRepairNotice(database)?.message).toContain('starts afresh')
    expect(setAside()).toHaveLength(1)
  })

  it('says so also where the file is empty, and not just being made', () => {
    truncateSync(file)
    expect(takeRepairNotice(open())).toBeUndefined()
    opened?.close()
    rmSync(file)
    writeFileSync(file, '')
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    try {
      expect(takeRepairNotice(open())?.message).toContain('starts afresh')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is repaired once by several that have it open', () => {
    const database = open()
    const other = OwnDatabase.open(file)
    try {
      damagePage(file, structureOf(file).find(({ name }) => name === 'agent_calls')?.rootPage ?? 0)
      for (const one of [database, other]) one.pragma('shrink_memory')
      for (const one of [database, other]) expect(one.prepare('SELECT call FROM agent_calls').all()).toEqual([])
      expect(setAside()).toHaveLength(1)
      new NoteStore(other).set('written by', 'the other')
      expect(new NoteStore(database).get('written by')).toBe('the other')
    } finally {
      other.close()
    }
  })
})

it('a database loses nothing by a wrong header', () => {
  for (const offset of [0, 16, 18, 19, 20, 21, 44, 47, 52, 56, 59, 60, 61]) {
    const bytes = readFileSync(sample)
    bytes[offset] = (bytes[offset] ?? 0) ^ 0x04
    writeFileSync(file, bytes)
    const database = open()
    for (const table of tablesOf(database))
      expect(countOf(database, table), `${table}, byte ${offset}`).toBeGreaterThanOrEqual(ROWS)
    database.close()
    opened = undefined
  }
})

it('a database that was cut off at any page opens, and says so', () => {
  const pages = readFileSync(sample).length / PAGE
  for (let page = 1; page < pages; page += 3) {
    copyFileSync(sample, file)
    truncateSync(file, page * PAGE)
    const database = open()
    for (const table of tablesOf(database)) countOf(database, table)
    expect(takeRepairNotice(database), `${page} pages`).toBeDefined()
    database.close()
    opened = undefined
  }
})

it('a large database is looked through in the background, table by table', async () => {
  const large = openDatabase(file)
  const insert = large.prepare("INSERT INTO agent_calls (call, name, result) VALUES (?, 'me', ?)")
  large.transaction(() => {
    for (let call = 1000; call < 1500; call++) insert.run(call, 'x'.repeat(10_000))
  })()
  large.close()
  damagePage(file, structureOf(file).find(({ name }) => name === 'spending_of_day')?.rootPage ?? 0)
  const database = open()
  expect(takeRepairNotice(database)).toBeUndefined()
  await database.check(new AbortController().signal)
  expect(takeRepairNotice(database)?.hint).toContain('Nothing is known to be lost.')
  expect(countOf(database, 'agent_calls')).toBe(ROWS + 500)
})

it('a database that another process holds is not taken for a damaged one', () => {
  const database = open()
  const other = openDatabase(file)
  try {
    database.pragma('busy_timeout = 0')
    other.exec('BEGIN IMMEDIATE')
    expect(() => new NoteStore(database).set('one', '1')).toThrow('database is locked')
    expect(setAside()).toEqual([])
  } finally {
    other.close()
  }
})

it('a database that is closed stays closed', () => {
  const database = open()
  database.close()
  expect(() => new NoteStore(database).get('one')).toThrow('not open')
})

describe('a database whose file is not in its place any more', () => {
  it('refuses to write what nobody would find', () => {
    const database = open()
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    try {
      expect(database.isThere).toBe(false)
      expect(() => new NoteStore(database).set('one', '1')).toThrow(DataFolderGone)
      renameSync(moved, folder)
      new NoteStore(database).set('one', '1')
      expect(new NoteStore(database).get('one')).toBe('1')
    } finally {
      rmSync(moved, { recursive: true, force: true })
    }
  })

  it('goes on with the one that took its place', () => {
    const database = open()
    const other = join(folder, 'other.sqlite')
    const prepared = openDatabase(other)
    new NoteStore(prepared).set('from', 'a backup')
    prepared.close()
    renameSync(other, file)
    expect(new NoteStore(database).get('from')).toBe('a backup')
  })
})

it('every table has its name in a person’s words', () => {
  expect(Object.keys(contentsOfTables).sort()).toEqual(tablesOf(open()).sort())
})

const hasProject = (database: OwnDatabase, table: string): boolean =>
  z
    .array(z.object({ name: z.string() }))
    .parse(database.prepare('SELECT "from" AS name FROM pragma_foreign_key_list(?)').all(table)).length > 0
