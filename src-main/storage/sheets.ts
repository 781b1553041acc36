import { z } from 'zod'
import type { Database } from './database'
import { readableRow, readableRows } from './rows'

const rowSchema = z.object({
  /** SQLite gives a Buffer, whose `slice` would not copy. */
  bytes: z.instanceof(Uint8Array).transform((bytes) => new Uint8Array(bytes)),
})

const MAX_SET_ASIDE = 10

export class SheetStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(): Uint8Array | null {
    const row = this.#database.prepare('SELECT bytes FROM sheets WHERE set_aside_at IS NULL').get()
    return readableRow(rowSchema, row)?.bytes ?? null
  }

  get setAside(): Uint8Array[] {
    const rows = this.#database
      .prepare('SELECT bytes FROM sheets WHERE set_aside_at IS NOT NULL ORDER BY id DESC')
      .all()
    return readableRows(rowSchema, rows).map(({ bytes }) => bytes)
  }

  /** @param setAsideAt when the one before is set aside, ms since 1970; null where this one takes its place */
  keep(bytes: Uint8Array, setAsideAt: number | null): void {
    this.#database.transaction(() => {
      if (setAsideAt === null) this.#database.prepare('DELETE FROM sheets WHERE set_aside_at IS NULL').run()
      else this.#database.prepare('UPDATE sheets SET set_aside_at = ? WHERE set_aside_at IS NULL').run(setAsideAt)
      this.#database
        .prepare(
          `DELETE FROM sheets WHERE set_aside_at IS NOT NULL AND id NOT IN
             (SELECT id FROM sheets WHERE set_aside_at IS NOT NULL ORDER BY id DESC LIMIT ?)`,
        )
        .run(MAX_SET_ASIDE)
      this.#database.prepare('INSERT INTO sheets (bytes) VALUES (?)').run(Buffer.from(bytes))
    })()
  }
}
