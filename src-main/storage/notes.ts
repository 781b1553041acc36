import { z } from 'zod'
import type { Database } from './database'
import { readableRows } from './rows'

/** Small facts that must outlive a crash, such as a VICE resource to be put back. */
export class NoteStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM notes WHERE name = ?').get(name)
    return z.object({ value: z.string() }).safeParse(row).data?.value
  }

  startingWith(prefix: string): string[] {
    const rows = this.#database
      .prepare('SELECT value FROM notes WHERE substr(name, 1, length(?)) = ? ORDER BY name')
      .all(prefix, prefix)
    return readableRows(z.object({ value: z.string() }), rows).map(({ value }) => value)
  }

  set(name: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)').run(name, value)
  }

  delete(name: string): void {
    this.#database.prepare('DELETE FROM notes WHERE name = ?').run(name)
  }
}
