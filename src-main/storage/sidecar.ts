import { z } from 'zod'
import type { Database } from './database'

const rows = z.array(z.object({ name: z.string(), value: z.string() }))

/** What Bridgedeck remembers of a run that its format has no field for, by name; it goes with the project. */
export class SidecarStore {
  readonly #database: Database
  readonly #onRemembered: (project: number, run: string) => void

  /** @param onRemembered told after something was remembered or taken away */
  constructor(database: Database, onRemembered: (project: number, run: string) => void = () => undefined) {
    this.#database = database
    this.#onRemembered = onRemembered
  }

  all(project: number, run: string): Map<string, string> {
    const found = rows.parse(this.#database.prepare("SELECT name, value FROM sidecar WHERE project = ? AND run = ? AND name NOT LIKE 'draft %'").all(project, run))
    return new Map(found.map(({ name, value }) => [name, value]))
  }

  /** @param values as JSON; null takes the draft away */
  keepDraft(project: number, run: string, form: string, values: string | null): void {
    const name = `draft ${form}`
    if (values === null) this.#database.prepare('DELETE FROM sidecar WHERE project = ? AND run = ? AND name = ?').run(project, run, name)
    else this.#database.prepare('INSERT OR REPLACE INTO sidecar (project, run, name, value) VALUES (?, ?, ?, ?)').run(project, run, name, values)
  }

  /** What the person was typing into a form, as JSON. */
  draft(project: number, run: string, form: string): string | undefined {
    const row: unknown = this.#database.prepare('SELECT value FROM sidecar WHERE project = ? AND run = ? AND name = ?').get(project, run, `draft ${form}`)
    return z.object({ value: z.string() }).optional().parse(row)?.value
  }

  /** All of them or none; `null` takes one away. */
  remember(project: number, run: string, values: Readonly<Record<string, string | null>>): void {
    const set = this.#database.prepare('INSERT OR REPLACE INTO sidecar (project, run, name, value) VALUES (?, ?, ?, ?)')
    const remove = this.#database.prepare('DELETE FROM sidecar WHERE project = ? AND run = ? AND name = ?')
    this.#database.transaction(() => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) remove.run(project, run, name)
        else set.run(project, run, name, value)
      }
    })()
    this.#onRemembered(project, run)
  }
}
