import { z } from 'zod'
import type { Database } from './database'
import { childIsAlive } from './children'

const hostSchema = z.object({
  /** Of the process that hosts it. */
  pid: z.int(),
  /** ms since 1970, when that process started. */
  processStart: z.number(),
  project: z.int(),
  system: z.string(),
  folder: z.string(),
  startedAt: z.number(),
  /** What it was at last. */
  step: z.string().nullable(),
  /** What the person does when it was interrupted; null for a loop, which is started again. */
  goOn: z.string().nullable().default(null),
})
/** Which process hosts the loop of a run. */
export type Host = z.infer<typeof hostSchema>

const PREFIX = 'host '

const isAlive = ({ pid, processStart }: Host): boolean => childIsAlive({ pid, startedAt: processStart })

/**
 * One host at most for each run, over all processes that share this database: a row with its owner, which counts as long as
 * that process is alive. Names are whole paths, so that one run in two projects is one.
 */
export class HostStore {
  readonly #database: Database
  /** ms since 1970. */
  readonly #processStart = Date.now() - process.uptime() * 1000

  constructor(database: Database) {
    this.#database = database
  }

  /** @returns the living owner when it is somebody else, else undefined: it is ours now */
  take(name: string, host: Omit<Host, 'pid' | 'processStart'>): Host | undefined {
    return this.#database
      .transaction((): Host | undefined => {
        const owner = this.#owner(name)
        if (owner && isAlive(owner)) return owner
        this.#write(name, { ...host, pid: process.pid, processStart: this.#processStart })
        return undefined
      })
      .immediate()
  }

  note(name: string, step: string): void {
    const owner = this.#owner(name)
    if (owner?.pid === process.pid) this.#write(name, { ...owner, step })
  }

  release(name: string): void {
    this.#database.prepare('DELETE FROM notes WHERE name = ?').run(PREFIX + name)
  }

  /** The living owner. */
  owner(name: string): Host | undefined {
    const owner = this.#owner(name)
    return owner && isAlive(owner) ? owner : undefined
  }

  /** Takes away those whose process ended before its loop did, and tells them. */
  reconcile(): Host[] {
    const rows = z
      .array(z.object({ name: z.string(), value: z.string() }))
      .parse(this.#database.prepare("SELECT name, value FROM notes WHERE name LIKE ? || '%'").all(PREFIX))
    return rows.flatMap(({ name, value }) => {
      const host = parse(value)
      if (host && isAlive(host)) return []
      this.release(name.slice(PREFIX.length))
      return host ? [host] : []
    })
  }

  #owner(name: string): Host | undefined {
    const row = z
      .object({ value: z.string() })
      .optional()
      .parse(this.#database.prepare('SELECT value FROM notes WHERE name = ?').get(PREFIX + name))
    return row && parse(row.value)
  }

  #write(name: string, host: Host): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)')
      .run(PREFIX + name, JSON.stringify(host))
  }
}

const parse = (text: string): Host | undefined => hostSchema.safeParse(JSON.parse(text)).data
