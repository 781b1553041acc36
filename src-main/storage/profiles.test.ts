import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Database } from './database'
import { migrations } from './migrations'
import { ProfileStore } from './profiles'
import { SettingsStore } from './settings'

let folder: string
let database: Database
let profiles: ProfileStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-profiles-'))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  profiles = new ProfileStore(database)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const machine = 'ultimate:c64u'
const sealed = Uint8Array.of(1, 2, 3)

describe('the machines that the person keeps', () => {
  it('are listed by title, with whether they have a password, and outlive a restart', () => {
    profiles.save('vice:6502', 'the emulator')
    profiles.save(machine, 'Desk')
    profiles.setPassword(machine, { sealed, uniqueId: '5D0E8A' })
    database.close()
    database = openDatabase(join(folder, 'bridgedeck.sqlite'))
    profiles = new ProfileStore(database)
    expect(profiles.list()).toEqual([
      { machine, title: 'Desk', hasPassword: true },
      { machine: 'vice:6502', title: 'the emulator', hasPassword: false },
    ])
  })

  it('can be renamed without losing the password', () => {
    profiles.save(machine, 'Desk')
    profiles.setPassword(machine, { sealed, uniqueId: null })
    profiles.save(machine, 'Workshop')
    expect(profiles.list()).toEqual([{ machine, title: 'Workshop', hasPassword: true }])
    const kept = profiles.password(machine)
    expect(kept?.uniqueId).toBeNull()
    expect([...(kept?.sealed ?? [])]).toEqual([1, 2, 3])
  })

  it('lose the password with the machine, and alone', () => {
    profiles.setPassword(machine, { sealed, uniqueId: 'A' })
    profiles.setPassword(machine, null)
    expect(profiles.password(machine)).toBeNull()
    expect(profiles.list()).toEqual([{ machine, title: machine, hasPassword: false }])
    profiles.setPassword(machine, { sealed, uniqueId: 'A' })
    profiles.remove(machine)
    expect(profiles.password(machine)).toBeNull()
    profiles.save(machine, 'again')
    expect(profiles.list()).toEqual([{ machine, title: 'again', hasPassword: false }])
  })

  it.each(migrations.map((_, version) => version))(
    'find their place in a database of version %i, which loses nothing',
    (version) => {
      const path = join(folder, `from-${version}.sqlite`)
      const old = openDatabase(path, migrations.slice(0, version))
      if (version >= 1) new SettingsStore(old).change({ standard: 'ntsc' })
      old.close()
      const migrated = openDatabase(path)
      const kept = new ProfileStore(migrated)
      kept.save(machine, 'Desk')
      expect(kept.list()).toHaveLength(1)
      expect(new SettingsStore(migrated).current.standard).toBe(version >= 1 ? 'ntsc' : 'pal')
      migrated.close()
    },
  )
})
