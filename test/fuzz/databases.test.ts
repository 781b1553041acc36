import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, integer, nat, oneof, record, constant } from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { z } from 'zod'
import { AgentCallStore } from '../../src-main/storage/agentCalls'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { ChildStore } from '../../src-main/storage/children'
import { Contents } from '../../src-main/storage/contents'
import { EditStore } from '../../src-main/storage/edits'
import { Journal } from '../../src-main/storage/journal'
import { MemorySnapshotStore } from '../../src-main/storage/memorySnapshots'
import { ProfileStore } from '../../src-main/storage/profiles'
import { ProjectStore } from '../../src-main/storage/projects'
import { SheetStore } from '../../src-main/storage/sheets'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'
import { HostStore } from '../../src-main/storage/hosts'
import { NoteStore } from '../../src-main/storage/notes'
import { OwnDatabase } from '../../src-main/storage/ownDatabase'
import { Quarantine } from '../../src-main/storage/quarantine'
import { contentsOfTables, takeRepairNotice } from '../../src-main/storage/repair'
import { tablesOf } from '../../src-main/storage/salvage'
import { SettingsStore } from '../../src-main/storage/settings'
import { damagePage, fillDatabase, flipBit, PAGE, ROWS } from '../support/damagedDatabase'
import { fuzz } from './fuzz'

let folder: string
let sample: string
let pages: number
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-damage-'))
  sample = join(folder, 'filled.sqlite')
  fillDatabase(sample)
  pages = readFileSync(sample).length / PAGE
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const countSchema = z.object({ n: z.number() })

/** What a bridge does with it at its start. */
function start(database: OwnDatabase): void {
  expect(new SettingsStore(database).current).toBeDefined()
  new ChildStore(database).reconcile(() => true)
  new HostStore(database).reconcile()
  new AgentCallStore(database).page(null, null, 100)
  expect(new AgentRunStore(database).page(null, 100)).toEqual([])
  new Quarantine(database, { records: true, onChange: () => undefined }).close()
  new NoteStore(database).set('written', 'after it')
  new NoteStore(database).startingWith('w')
  new ProfileStore(database).list()
  new MemorySnapshotStore(database).all.forEach(({ name }) => new MemorySnapshotStore(database).get(name))
  new SheetStore(database).get()
  expect(new SpendingStore(database).total).toBeDefined()
  for (const { id } of new ProjectStore(database).all.slice(0, 5)) {
    new SidecarStore(database).ofProject(id)
    new Journal(database).page(id, null, null, 100)
    new EditStore(database).page(id, null, 100)
    new Contents(database).get(id, `hash ${id} ${'x'.repeat(40)}`)
  }
}

function openDamaged(damage: (path: string) => void): void {
  const path = join(folder, 'bridgedeck.sqlite')
  copyFileSync(sample, path)
  damage(path)
  const database = OwnDatabase.open(path)
  try {
    const notice = takeRepairNotice(database)
    for (const table of tablesOf(database)) {
      const { n } = countSchema.parse(database.prepare(`SELECT count(*) AS n FROM ${table}`).get())
      if (n < ROWS && !notice?.message.includes('starts afresh'))
        expect(notice?.hint).toContain(contentsOfTables[table])
    }
    start(database)
  } finally {
    database.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  }
}

describe('a damaged database', () => {
  fuzz(
    'opens, and what it lost is told, whichever bits are flipped',
    array(nat(2 ** 31 - 1), { minLength: 1, maxLength: 3 }),
    (bits) => openDamaged((path) => bits.forEach((bit) => flipBit(path, bit))),
    12,
  )

  fuzz(
    'opens, and what it lost is told, whichever page is overwritten, or the first one missing',
    record({ page: integer({ min: 1, max: 1_000_000 }), how: oneof(constant('overwritten'), constant('missing')) }),
    ({ page, how }) =>
      openDamaged((path) => {
        const at = 1 + (page % pages)
        if (how === 'overwritten') damagePage(path, at)
        // An empty file is told by its age.
        else truncateSync(path, Math.max(1, at - 1) * PAGE)
      }),
    20,
  )
})
