import { journalEntrySchema, type JournalEntry } from '@shared/contract/orchestration'
import { z } from 'zod'
import type { Database, Statement } from './database'
import { readableRow, readableRows } from './rows'

const MAX_KEPT_ENTRIES = 100_000

const momentSchema = z.object({ time: z.number(), files: z.int(), changes: z.int(), writer: z.string().nullable() })
export type Moment = z.infer<typeof momentSchema>

const columns =
  'id AS entry, time, project, run, file, kind, field, value_before AS "from", value_after AS "to", hash, writer'

const lastSchema = z.object({ hash: z.string().nullable(), writer: z.string().nullable() }).optional()

export class Journal {
  readonly #database: Database
  readonly #last: Statement

  constructor(database: Database) {
    this.#database = database
    this.#last = database.prepare(
      'SELECT hash, writer FROM journal WHERE project = ? AND file = ? ORDER BY id DESC LIMIT 1',
    )
  }

  add(entries: readonly Omit<JournalEntry, 'entry'>[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO journal (time, project, run, file, kind, field, value_before, value_after, hash, writer)
       VALUES (@time, @project, @run, @file, @kind, @field, @from, @to, @hash, @writer)`,
    )
    this.#database.transaction(() => {
      for (const entry of entries) insert.run(entry)
    })()
  }

  lastSeen(
    project: number,
    file: string,
  ): { readonly hash: string | null; readonly writer: string | null } | undefined {
    return lastSchema.parse(this.#last.get(project, file))
  }

  /**
   * The newest first.
   * @param run null for all of the project's
   * @param before an entry's number; null for the newest
   */
  page(project: number, run: string | null, before: number | null, limit: number): JournalEntry[] {
    const rows = this.#database
      .prepare(
        `SELECT ${columns} FROM journal WHERE project = @project AND (@run IS NULL OR run = @run) AND (@before IS NULL OR id < @before)
         ORDER BY id DESC LIMIT @limit`,
      )
      .all({ project, run, before, limit })
    return readableRows(journalEntrySchema, rows)
  }

  attribute(project: number, file: string, hash: string, writer: string, since: number): void {
    this.#database
      .prepare(
        'UPDATE journal SET writer = @writer WHERE project = @project AND file = @file AND hash = @hash AND time >= @since',
      )
      .run({ project, file, hash, writer, since })
  }

  moments(project: number, run: string, limit: number): Moment[] {
    const rows = this.#database
      .prepare(
        `SELECT time, COUNT(DISTINCT file) AS files, COUNT(*) AS changes, MAX(writer) AS writer FROM journal
         WHERE project = @project AND run = @run GROUP BY time ORDER BY time DESC LIMIT @limit`,
      )
      .all({ project, run, limit })
    return readableRows(momentSchema, rows).reverse()
  }

  filesOf(project: number, run: string): string[] {
    const rows = this.#database
      .prepare('SELECT DISTINCT file FROM journal WHERE project = ? AND run = ?')
      .all(project, run)
    return readableRows(z.object({ file: z.string() }), rows).map(({ file }) => file)
  }

  /**
   * @param time ms since 1970
   * @returns the version of that time and since when it was there; undefined when nothing is known
   */
  versionAt(project: number, file: string, time: number): { hash: string | null; time: number } | undefined {
    const row: unknown = this.#database
      .prepare('SELECT hash, time FROM journal WHERE project = ? AND file = ? AND time <= ? ORDER BY id DESC LIMIT 1')
      .get(project, file, time)
    return readableRow(z.object({ hash: z.string().nullable(), time: z.number() }), row)
  }

  versionsOf(project: number, file: string, limit: number): { hash: string; time: number }[] {
    const rows = this.#database
      .prepare(
        `SELECT hash, MAX(time) AS time FROM journal WHERE project = ? AND file = ? AND hash IS NOT NULL
         GROUP BY hash ORDER BY MAX(id) DESC LIMIT ?`,
      )
      .all(project, file, limit)
    return readableRows(z.object({ hash: z.string(), time: z.number() }), rows)
  }

  prune(project: number, kept = MAX_KEPT_ENTRIES): void {
    this.#database
      .prepare(
        'DELETE FROM journal WHERE project = @project AND id <= (SELECT id FROM journal WHERE project = @project ORDER BY id DESC LIMIT 1 OFFSET @kept)',
      )
      .run({ project, kept })
  }
}
