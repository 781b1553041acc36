import { z } from 'zod'
import type { Database } from './database'
import { readableRow, readableRows } from './rows'

const rowSchema = z.object({
  id: z.int(),
  path: z.string(),
  openedAt: z.number(),
  isOpen: z.int().transform(Boolean),
  /** Null when none. */
  trustedAs: z.string().nullable(),
})
export type StoredProject = z.infer<typeof rowSchema>

const MAX_RECENT_PROJECTS = 30

const columns = 'id, path, opened_at AS openedAt, is_open AS isOpen, trusted_as AS trustedAs'

export class ProjectStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The last opened first. */
  get all(): StoredProject[] {
    return readableRows(
      rowSchema,
      this.#database.prepare(`SELECT ${columns} FROM projects ORDER BY opened_at DESC, id DESC`).all(),
    )
  }

  get(id: number): StoredProject | undefined {
    return readableRow(rowSchema, this.#database.prepare(`SELECT ${columns} FROM projects WHERE id = ?`).get(id))
  }

  opened(path: string, openedAt: number): { id: number; forgotten: number[] } {
    return this.#database.transaction(() => {
      const row: unknown = this.#database
        .prepare(
          `INSERT INTO projects (path, opened_at, is_open) VALUES (?, ?, 1)
           ON CONFLICT (path) DO UPDATE SET opened_at = excluded.opened_at, is_open = 1 RETURNING id`,
        )
        .get(path, openedAt)
      return { id: z.object({ id: z.int() }).parse(row).id, forgotten: this.#forgetOldest() }
    })()
  }

  trust(path: string, trustedAs: string, time: number): { id: number; forgotten: number[] } {
    return this.#database.transaction(() => {
      const row: unknown = this.#database
        .prepare(
          `INSERT INTO projects (path, opened_at, is_open, trusted_at, trusted_as) VALUES (@path, @time, 0, @time, @trustedAs)
           ON CONFLICT (path) DO UPDATE SET trusted_at = excluded.trusted_at, trusted_as = excluded.trusted_as RETURNING id`,
        )
        .get({ path, time, trustedAs })
      return { id: z.object({ id: z.int() }).parse(row).id, forgotten: this.#forgetOldest() }
    })()
  }

  distrust(id: number): void {
    this.#database.prepare('UPDATE projects SET trusted_at = NULL, trusted_as = NULL WHERE id = ?').run(id)
  }

  closed(id: number): number[] {
    return this.#database.transaction(() => {
      this.#database.prepare('UPDATE projects SET is_open = 0 WHERE id = ?').run(id)
      return this.#forgetOldest()
    })()
  }

  /** Done at each closing, so that opening a project, as a report does with many, forgets no other. */
  #forgetOldest(): number[] {
    const forgotten = this.all
      .filter(({ isOpen }) => !isOpen)
      .slice(MAX_RECENT_PROJECTS)
      .map(({ id }) => id)
    for (const id of forgotten) this.forget(id)
    return forgotten
  }

  forget(id: number): void {
    this.#database.prepare('DELETE FROM projects WHERE id = ?').run(id)
  }
}
