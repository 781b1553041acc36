import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defaultSettings } from '@shared/contract/settings'
import { dataVersions } from '../files/dataVersion'
import { ChildStore } from './children'
import { openDatabase } from './database'
import { Journal } from './journal'
import { migrations } from './migrations'
import { NoteStore } from './notes'
import { SettingsStore } from './settings'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-storage-'))
  file = join(folder, 'bridgedeck.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('opening the database', () => {
  it('brings a database of every earlier version to the newest', () => {
    for (let version = 0; version <= migrations.length; version++) {
      const path = join(folder, `from-${version}.sqlite`)
      openDatabase(path, migrations.slice(0, version)).close()
      const database = openDatabase(path)
      expect(database.pragma('user_version', { simple: true })).toBe(migrations.length)
      database.close()
    }
  })

  it('has the version that a data folder is known by', () => {
    expect(dataVersions.database).toBe(migrations.length)
  })

  it('drops what the journal had of runs whose names cannot be shown', () => {
    const before = openDatabase(file, migrations.slice(0, 6))
    before.exec("INSERT INTO projects (path, opened_at, is_open) VALUES ('/one', 0, 1)")
    const insert = before.prepare(
      "INSERT INTO journal (time, project, run, file, kind) VALUES (0, 1, @run, 'state.json', 'seen')",
    )
    for (const name of ['good', 'a\nb', 'a\u009bb', 'läuft']) insert.run({ run: `metashell:${name}` })
    before.close()
    const database = openDatabase(file)
    expect(new Journal(database).page(1, null, null, 10).map(({ run }) => run)).toEqual([
      'metashell:läuft',
      'metashell:good',
    ])
    database.close()
  })

  it('refuses a database of a newer Bridgedeck and leaves it as it was', () => {
    openDatabase(file, [...migrations, () => undefined]).close()
    expect(() => openDatabase(file)).toThrow(AppError)
    const database = openDatabase(file, [...migrations, () => undefined])
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.length + 1)
    database.close()
  })

  it('can be done by several processes that are all the first', async () => {
    // The other one lets go after a time: opening blocks this process, which can say nothing meanwhile.
    const script = `require(${JSON.stringify(resolve('node_modules/better-sqlite3'))})`
    const hold = spawn(process.execPath, [
      '-e',
      `const d = new (${script})(${JSON.stringify(file)}); d.pragma('journal_mode = WAL'); d.exec('BEGIN IMMEDIATE'); process.stdout.write('held'); setTimeout(() => { d.exec('COMMIT'); d.close() }, 300)`,
    ])
    await once(hold.stdout, 'data')
    const database = openDatabase(file)
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.length)
    database.close()
    await once(hold, 'close')
  })

  it('keeps the earlier version when a step fails, and nothing of the step', () => {
    const broken = [
      ...migrations,
      (database: import('better-sqlite3').Database) => {
        database.exec('CREATE TABLE half (n INTEGER)')
        throw new Error('a broken step')
      },
    ]
    expect(() => openDatabase(file, broken)).toThrow('a broken step')
    const database = openDatabase(file)
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'half'").get()).toEqual({ n: 0 })
    database.close()
  })
})

describe('settings', () => {
  it('start with the defaults and outlive a restart', () => {
    let database = openDatabase(file)
    let settings = new SettingsStore(database)
    expect(settings.current).toEqual(defaultSettings)
    settings.change({ standard: 'ntsc', kernalRom: '/roms/kernal' })
    database.close()
    database = openDatabase(file)
    settings = new SettingsStore(database)
    expect(settings.current).toEqual({ ...defaultSettings, standard: 'ntsc', kernalRom: '/roms/kernal' })
    database.close()
  })

  it('fall back one by one when a stored value no longer fits', () => {
    const database = openDatabase(file)
    new SettingsStore(database).change({ standard: 'ntsc', keyMapping: 'positional' })
    database.prepare("UPDATE settings SET value = '\"secam\"' WHERE name = 'standard'").run()
    database.prepare("INSERT INTO settings (name, value) VALUES ('keyOverrides', '{broken')").run()
    expect(new SettingsStore(database).current).toEqual({ ...defaultSettings, keyMapping: 'positional' })
    database.close()
  })

  it('tell their listeners of a change', () => {
    const database = openDatabase(file)
    const settings = new SettingsStore(database)
    const heard: string[] = []
    settings.onChange(({ standard }) => heard.push(standard))
    settings.change({ standard: 'ntsc' })
    expect(heard).toEqual(['ntsc'])
    database.close()
  })
})

describe('children', () => {
  it('are found again while they run and forgotten when they have ended', async () => {
    const database = openDatabase(file)
    const children = new ChildStore(database)
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const pid = child.pid ?? 0
    children.record({ pid, startedAt: Date.now(), purpose: 'vice', port: 6502 })
    expect(children.reconcile().map((found) => found.pid)).toEqual([pid])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(children.reconcile()).toEqual([])
    database.close()
  })

  it.runIf(process.platform === 'linux')('are not mistaken for a later process with the same pid', () => {
    const database = openDatabase(file)
    const children = new ChildStore(database)
    children.record({ pid: process.pid, startedAt: Date.now() - 3_600_000, purpose: 'vice', port: null })
    expect(children.reconcile()).toEqual([])
    database.close()
  })
})

describe('notes', () => {
  it('keep a small fact until it is deleted', () => {
    const database = openDatabase(file)
    const notes = new NoteStore(database)
    notes.set('vice.speed', '100')
    expect(notes.get('vice.speed')).toBe('100')
    notes.delete('vice.speed')
    expect(notes.get('vice.speed')).toBeUndefined()
    database.close()
  })
})
