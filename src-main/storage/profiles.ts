import { z } from 'zod'
import type { Profile } from '@shared/contract/connections'
import type { Database } from './database'
import { readableRow, readableRows } from './rows'

export interface KeptPassword {
  readonly sealed: Uint8Array
  readonly uniqueId: string | null
}

const profileRow = z.object({ machine: z.string(), title: z.string(), hasPassword: z.int().transform(Boolean) })
const passwordRow = z.object({
  sealed: z.instanceof(Uint8Array).transform((bytes) => new Uint8Array(bytes)),
  uniqueId: z.string().nullable(),
})

export class ProfileStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  list(): Profile[] {
    const rows = this.#database
      .prepare(
        'SELECT machine, title, sealed IS NOT NULL AS hasPassword FROM profiles ORDER BY title COLLATE NOCASE, machine LIMIT 500',
      )
      .all()
    return readableRows(profileRow, rows)
  }

  save(machine: string, title: string): void {
    this.#database
      .prepare(
        'INSERT INTO profiles (machine, title) VALUES (?, ?) ON CONFLICT (machine) DO UPDATE SET title = excluded.title',
      )
      .run(machine, title)
  }

  remove(machine: string): void {
    this.#database.prepare('DELETE FROM profiles WHERE machine = ?').run(machine)
  }

  password(machine: string): KeptPassword | null {
    const row = this.#database
      .prepare('SELECT sealed, unique_id AS uniqueId FROM profiles WHERE machine = ? AND sealed IS NOT NULL')
      .get(machine)
    return readableRow(passwordRow, row) ?? null
  }

  /** Null drops it. A machine that is not kept yet is kept from now on, under its name. */
  setPassword(machine: string, password: KeptPassword | null): void {
    if (password === null) {
      this.#database.prepare('UPDATE profiles SET sealed = NULL, unique_id = NULL WHERE machine = ?').run(machine)
      return
    }
    this.#database
      .prepare(
        `INSERT INTO profiles (machine, title, sealed, unique_id) VALUES (@machine, @machine, @sealed, @uniqueId)
         ON CONFLICT (machine) DO UPDATE SET sealed = excluded.sealed, unique_id = excluded.unique_id`,
      )
      .run({ machine, sealed: Buffer.from(password.sealed), uniqueId: password.uniqueId })
  }
}
