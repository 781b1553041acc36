import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database'
import { HostStore } from './hosts'
import { migrations } from './migrations'
import { NoteStore } from './notes'

/** The version in which hosts got their own table. */
const HOSTS_VERSION = 6
/** No process has it: Linux counts to 2^22 at most. */
const GONE_PID = 2 ** 30

const run = {
  project: 1,
  system: 'metashell',
  place: '.meta',
  startedAt: 1_700_000_000_123,
  step: null,
  resumeHint: null,
  holder: null,
}

let folder: string
let database: ReturnType<typeof openDatabase>
const open = (version?: number) =>
  (database = openDatabase(
    join(folder, 'bridgedeck.sqlite'),
    version === undefined ? migrations : migrations.slice(0, version),
  ))
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bridgedeck-hosts-'))))
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('hosts', () => {
  it('has one living host for a run, until that releases it', () => {
    const hosts = new HostStore(open())
    expect(hosts.acquire('/a .meta', run)).toBeUndefined()
    hosts.noteStep('/a .meta', 'task 2')
    expect(hosts.acquire('/a .meta', run)).toMatchObject({ ...run, pid: process.pid, step: 'task 2' })
    expect(hosts.acquire('/b .meta', run)).toBeUndefined()
    hosts.release('/a .meta')
    expect(hosts.owner('/a .meta')).toBeUndefined()
    expect(hosts.acquire('/a .meta', run)).toBeUndefined()
  })

  it('gives a run to the next one when its process is gone, and tells of it once', () => {
    const hosts = new HostStore(open())
    hosts.acquire('/a .meta', { ...run, step: 'task 2' })
    hosts.acquire('/b .meta', run)
    database.prepare('UPDATE hosts SET pid = ? WHERE name = ?').run(GONE_PID, '/a .meta')
    expect(hosts.owner('/a .meta')).toBeUndefined()
    expect(hosts.reconcile()).toMatchObject([{ ...run, step: 'task 2', pid: GONE_PID }])
    expect(hosts.reconcile()).toEqual([])
    expect(hosts.owner('/b .meta')).toBeDefined()
  })
})

describe('hosts that an earlier version kept as notes', () => {
  const processStart = Date.now() - process.uptime() * 1000
  const withoutHint = { project: 1, system: 'metashell', folder: '.meta', startedAt: 1_700_000_000_123, step: null }

  it.each([1, 2, 3, 4, 5])('carries them over from version %i, and leaves the other notes', (version) => {
    const notes = new NoteStore(open(version))
    notes.set('vice.speed', '100')
    notes.set('host /a .meta', JSON.stringify({ ...withoutHint, pid: process.pid, processStart }))
    notes.set(
      'host /b .meta',
      JSON.stringify({ ...withoutHint, step: '02', goOn: 'Do it.', pid: GONE_PID, processStart: 5.5 }),
    )
    notes.set('host /c .meta', '{half')
    notes.set('host /d .meta', JSON.stringify({ pid: 'none' }))
    database.close()

    const hosts = new HostStore(open())
    expect(database.pragma('user_version', { simple: true })).toBeGreaterThanOrEqual(HOSTS_VERSION)
    expect(hosts.owner('/a .meta')).toEqual({ ...run, pid: process.pid, processStart })
    expect(hosts.reconcile()).toEqual([
      { ...run, step: '02', resumeHint: 'Do it.', holder: null, pid: GONE_PID, processStart: 5.5 },
    ])
    expect(database.prepare('SELECT name, value FROM notes').all()).toEqual([{ name: 'vice.speed', value: '100' }])
    expect(database.prepare('SELECT name FROM hosts').pluck().all()).toEqual(['/a .meta'])
  })
})
