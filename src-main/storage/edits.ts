import { z } from 'zod'
import { editRequestSchema } from '@shared/contract/edits'
import { worktreeSchema } from '@shared/worktree'
import type { Database } from './database'
import { jsonColumn, readableRow, readableRows } from './rows'

const MAX_KEPT_EDITS = 500

const text = z.string().nullable()
const changesSchema = z.object({
  request: editRequestSchema,
  files: z.array(
    z.object({
      file: z.string(),
      before: text,
      after: text,
      encoding: z.literal('base64').optional(),
      from: z.string().optional(),
      like: z.string().optional(),
      mode: z.int().min(0).max(0o7777).optional(),
    }),
  ),
  remembered: z.array(z.object({ name: z.string(), before: text, after: text })),
  git: z
    .object({
      kind: z.enum(['revert', 'reset', 'discard', 'commit', 'stash', 'restore', 'merge', 'throw-away']),
      within: worktreeSchema.optional(),
      before: z.string(),
      head: z.string(),
      backup: z.string(),
      changesBackup: text,
    })
    .optional(),
  overwritten: z.object({ at: z.number(), file: z.string(), by: text, theirs: text }).optional(),
})
export type EditChanges = z.infer<typeof changesSchema>

const rowSchema = z.object({
  edit: z.int(),
  time: z.number(),
  project: z.int(),
  run: z.string(),
  summary: z.string(),
  changes: jsonColumn(changesSchema),
  undoneAt: z.number().nullable(),
})
export type StoredEdit = z.infer<typeof rowSchema>

const columns = 'id AS edit, time, project, run, summary, changes, undone_at AS undoneAt'

export class EditStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add({ time, project, run, summary, changes }: Omit<StoredEdit, 'edit' | 'undoneAt'>): number {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO edits (time, project, run, summary, changes) VALUES (?, ?, ?, ?, ?)')
      .run(time, project, run, summary, JSON.stringify(changes))
    this.#database
      .prepare(
        'DELETE FROM edits WHERE project = @project AND id <= (SELECT id FROM edits WHERE project = @project ORDER BY id DESC LIMIT 1 OFFSET @kept)',
      )
      .run({ project, kept: MAX_KEPT_EDITS })
    return Number(lastInsertRowid)
  }

  get(project: number, edit: number): StoredEdit | undefined {
    const row = this.#database.prepare(`SELECT ${columns} FROM edits WHERE project = ? AND id = ?`).get(project, edit)
    return readableRow(rowSchema, row)
  }

  /**
   * The newest first.
   * @param run null for all of the project's
   */
  page(project: number, run: string | null, limit: number): StoredEdit[] {
    const rows = this.#database
      .prepare(
        `SELECT ${columns} FROM edits WHERE project = @project AND (@run IS NULL OR run = @run) ORDER BY id DESC LIMIT @limit`,
      )
      .all({ project, run, limit })
    return readableRows(rowSchema, rows)
  }

  /** What the edits of a run after a time (ms since 1970) found remembered, the newest first. */
  rememberedBefore(project: number, run: string, time: number): { name: string; before: string | null }[] {
    return readableRows(
      z.object({ name: z.string(), before: text }),
      this.#database
        .prepare(
          `SELECT entry.value ->> 'name' AS name, entry.value ->> 'before' AS before
             FROM edits, json_each(edits.changes, '$.remembered') AS entry
             WHERE project = ? AND run = ? AND time > ? ORDER BY edits.id DESC`,
        )
        .all(project, run, time),
    )
  }

  setChanges(edit: number, changes: EditChanges): void {
    this.#database.prepare('UPDATE edits SET changes = ? WHERE id = ?').run(JSON.stringify(changes), edit)
  }

  setSummary(edit: number, summary: string): void {
    this.#database.prepare('UPDATE edits SET summary = ? WHERE id = ?').run(summary, edit)
  }

  remove(edit: number): void {
    this.#database.prepare('DELETE FROM edits WHERE id = ?').run(edit)
  }

  setUndone(edit: number, at: number): void {
    this.#database.prepare('UPDATE edits SET undone_at = ? WHERE id = ?').run(at, edit)
  }
}
