import { z } from 'zod'
import type { Database } from './database'
import { childIsAlive, ownStart } from './children'
import { readableRow, readableRows } from './rows'

const hostSchema = z.object({
  pid: z.int(),
  /** ms since 1970, when that process started. */
  processStart: z.number(),
  project: z.int(),
  system: z.string(),
  place: z.string(),
  /** ms since 1970. */
  startedAt: z.number(),
  step: z.string().nullable(),
  resumeHint: z.string().nullable(),
  holder: z.string().nullable(),
})
export type Host = z.infer<typeof hostSchema>

const COLUMNS =
  'pid, process_start AS processStart, project, system, folder AS place, started_at AS startedAt, step, resume_hint AS resumeHint, holder'

const isAlive = ({ pid, processStart }: Host): boolean => childIsAlive({ pid, startedAt: processStart })

/**
 * At most one host for each run, over all processes that share this database: a row counts as long as its owner is
 * alive. Names are whole paths, so that a run in two projects counts as one.
 */
export class HostStore {
  readonly #database: Database
  /** ms since 1970. */
  readonly #processStart = ownStart()

  constructor(database: Database) {
    this.#database = database
  }

  /** @returns the living owner when it is somebody else; undefined: it is ours now */
  acquire(name: string, host: Omit<Host, 'pid' | 'processStart'>): Host | undefined {
    return this.#database
      .transaction((): Host | undefined => {
        const owner = this.owner(name)
        if (!owner) this.#write(name, { ...host, pid: process.pid, processStart: this.#processStart })
        return owner
      })
      .immediate()
  }

  noteStep(name: string, step: string): void {
    this.#database.prepare('UPDATE hosts SET step = ? WHERE name = ? AND pid = ?').run(step, name, process.pid)
  }

  release(name: string): void {
    this.#database.prepare('DELETE FROM hosts WHERE name = ?').run(name)
  }

  owner(name: string): Host | undefined {
    const row = this.#database.prepare(`SELECT ${COLUMNS} FROM hosts WHERE name = ?`).get(name)
    const host = readableRow(hostSchema, row)
    return host && isAlive(host) ? host : undefined
  }

  reconcile(): Host[] {
    const rows = readableRows(
      hostSchema.extend({ name: z.string() }),
      this.#database.prepare(`SELECT name, ${COLUMNS} FROM hosts`).all(),
    )
    return rows.flatMap(({ name, ...host }) => {
      if (isAlive(host)) return []
      this.release(name)
      return [host]
    })
  }

  #write(name: string, host: Host): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO hosts (name, pid, process_start, project, system, folder, started_at, step, resume_hint, holder)
         VALUES (@name, @pid, @processStart, @project, @system, @place, @startedAt, @step, @resumeHint, @holder)`,
      )
      .run({ name, ...host })
  }
}
