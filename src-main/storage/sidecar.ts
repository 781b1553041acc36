import { z } from 'zod'
import type { Database, Statement } from './database'
import { readableRow, readableRows } from './rows'

const rowSchema = z.object({ name: z.string(), value: z.string() })

/** Another run may take the place of the one whose records these are, so its id is kept under this name. */
export const RUN_ID = 'run id'

/** What a run's format has no field for, by name. */
export class SidecarStore {
  readonly #database: Database
  readonly #onRemembered: (project: number, run: string) => void
  readonly #all: Statement
  readonly #get: Statement
  readonly #set: Statement
  readonly #remove: Statement

  constructor(database: Database, onRemembered: (project: number, run: string) => void = () => undefined) {
    this.#database = database
    this.#onRemembered = onRemembered
    this.#all = database.prepare(
      "SELECT name, value FROM sidecar WHERE project = ? AND run = ? AND name NOT LIKE 'draft %'",
    )
    this.#get = database.prepare('SELECT value FROM sidecar WHERE project = ? AND run = ? AND name = ?')
    this.#set = database.prepare('INSERT OR REPLACE INTO sidecar (project, run, name, value) VALUES (?, ?, ?, ?)')
    this.#remove = database.prepare('DELETE FROM sidecar WHERE project = ? AND run = ? AND name = ?')
  }

  all(project: number, run: string): Map<string, string> {
    const found = readableRows(rowSchema, this.#all.all(project, run))
    return new Map(found.map(({ name, value }) => [name, value]))
  }

  get(project: number, run: string, name: string): string | undefined {
    const row: unknown = this.#get.get(project, run, name)
    return readableRow(z.object({ value: z.string() }), row)?.value
  }

  of(project: number, run: string) {
    return {
      get: (name: string) => this.get(project, run, name),
      set: (values: Readonly<Record<string, string | null>>) => this.remember(project, run, values),
    }
  }

  ofProject(project: number): Map<string, Map<string, string>> {
    const found = readableRows(
      rowSchema.extend({ run: z.string() }),
      this.#database
        .prepare("SELECT run, name, value FROM sidecar WHERE project = ? AND name NOT LIKE 'draft %'")
        .all(project),
    )
    const byRun = new Map<string, Map<string, string>>()
    for (const { run, name, value } of found) {
      const remembered = byRun.get(run) ?? new Map<string, string>()
      byRun.set(run, remembered.set(name, value))
    }
    return byRun
  }

  owners(project: number): Map<string, string> {
    const rows = this.#database.prepare('SELECT run, value FROM sidecar WHERE project = ? AND name = ?')
    const found = readableRows(z.object({ run: z.string(), value: z.string() }), rows.all(project, RUN_ID))
    return new Map(found.map(({ run, value }) => [run, value]))
  }

  /** What the run spent moves too; drafts stay. */
  move(project: number, from: string, to: string): void {
    this.#database.transaction(() => {
      this.#database
        .prepare("UPDATE OR REPLACE sidecar SET run = ? WHERE project = ? AND run = ? AND name NOT LIKE 'draft %'")
        .run(to, project, from)
      this.#database.prepare('UPDATE spending SET run = ? WHERE project = ? AND run = ?').run(to, project, from)
    })()
    for (const run of [from, to]) this.#onRemembered(project, run)
  }

  keepDraft(project: number, run: string, form: string, values: string | null): void {
    const name = `draft ${form}`
    this.#write(project, run, name, values)
  }

  draft(project: number, run: string, form: string): string | undefined {
    return this.get(project, run, `draft ${form}`)
  }

  remember(project: number, run: string, values: Readonly<Record<string, string | null>>): void {
    this.rememberAll(project, new Map([[run, values]]))
  }

  /** In one write for many runs, as each write waits for the disk. */
  rememberAll(project: number, byRun: ReadonlyMap<string, Readonly<Record<string, string | null>>>): void {
    this.#database.transaction(() => {
      for (const [run, values] of byRun)
        for (const [name, value] of Object.entries(values)) this.#write(project, run, name, value)
    })()
    for (const run of byRun.keys()) this.#onRemembered(project, run)
  }

  #write(project: number, run: string, name: string, value: string | null): void {
    if (value === null) this.#remove.run(project, run, name)
    else this.#set.run(project, run, name, value)
  }
}
