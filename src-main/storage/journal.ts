import { journalEntrySchema, type JournalEntry } from '@shared/contract/orchestration'
import { z } from 'zod'
import type { Database } from './database'

/** Entries of one project that are kept; of more, the oldest go. */
const KEPT = 100_000

const columns = 'id AS entry, time, project, run, file, kind, field, value_before AS "from", value_after AS "to", hash'

/** What was seen to change in the files of projects: only ever added to. */
export class Journal {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** All of them or none. */
  add(entries: readonly Omit<JournalEntry, 'entry'>[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO journal (time, project, run, file, kind, field, value_before, value_after, hash)
       VALUES (@time, @project, @run, @file, @kind, @field, @from, @to, @hash)`,
    )
    this.#database.transaction(() => {
      for (const entry of entries) insert.run(entry)
    })()
  }

  /** Of the file's last entry; undefined when it has none, or was removed. */
  lastHash(project: number, file: string): string | undefined {
    const row: unknown = this.#database.prepare('SELECT hash FROM journal WHERE project = ? AND file = ? ORDER BY id DESC LIMIT 1').get(project, file)
    return z.object({ hash: z.string().nullable() }).optional().parse(row)?.hash ?? undefined
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
    return z.array(journalEntrySchema).parse(rows)
  }

  /** Drops what is beyond the bound. */
  prune(project: number, kept = KEPT): void {
    this.#database
      .prepare('DELETE FROM journal WHERE project = @project AND id <= (SELECT id FROM journal WHERE project = @project ORDER BY id DESC LIMIT 1 OFFSET @kept)')
      .run({ project, kept })
  }
}
