import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Database, Statement } from './database'
import { readableRow, readableRows } from './rows'

const MAX_FILE_BYTES = 4 * 1024 * 1024

/** Of one project, deflated; beyond it the oldest go. */
const MAX_PROJECT_BYTES = 128 * 1024 * 1024

export interface DeflatedText {
  readonly hash: string
  readonly size: number
  readonly deflated: Uint8Array
}

const sizeSchema = z.object({ total: z.number().nullable() })

export class Contents {
  readonly #database: Database
  readonly #budget: number
  readonly #known: Statement
  readonly #insert: Statement
  readonly #totals = new Map<number, number>()

  constructor(database: Database, budget = MAX_PROJECT_BYTES) {
    this.#database = database
    this.#budget = budget
    this.#known = database.prepare('SELECT 1 FROM contents WHERE project = ? AND hash = ?')
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO contents (project, hash, size, deflated) VALUES (?, ?, ?, ?)',
    )
  }

  /**
   * Undefined when the text is there already or too large. Call it before the transaction, as others wait while that
   * holds the lock.
   */
  deflate(project: number, hash: string, text: string): DeflatedText | undefined {
    const size = Buffer.byteLength(text)
    if (size > MAX_FILE_BYTES || this.has(project, hash)) return undefined
    return { hash, size, deflated: deflateRawSync(text, { level: 3 }) }
  }

  put(project: number, { hash, size, deflated }: DeflatedText): void {
    if (this.#insert.run(project, hash, size, deflated).changes === 0) return
    const total = this.#total(project) + deflated.length
    this.#totals.set(project, total)
    if (total > this.#budget) this.#prune(project)
  }

  has(project: number, hash: string): boolean {
    return this.#known.get(project, hash) !== undefined
  }

  get(project: number, hash: string): string | undefined {
    const row: unknown = this.#database
      .prepare('SELECT deflated FROM contents WHERE project = ? AND hash = ?')
      .get(project, hash)
    const found = readableRow(z.object({ deflated: z.instanceof(Uint8Array) }), row)
    if (!found) return undefined
    try {
      return inflateRawSync(found.deflated, { maxOutputLength: MAX_FILE_BYTES }).toString('utf8')
    } catch {
      return undefined
    }
  }

  #total(project: number): number {
    const known = this.#totals.get(project)
    if (known !== undefined) return known
    const row: unknown = this.#database
      .prepare('SELECT SUM(LENGTH(deflated)) AS total FROM contents WHERE project = ?')
      .get(project)
    return sizeSchema.parse(row).total ?? 0
  }

  /** Removes the oldest first, down to nine tenths of the budget; what a file holds now stays. */
  #prune(project: number): void {
    const rows = this.#database
      .prepare(
        `SELECT rowid AS id, LENGTH(deflated) AS length FROM contents WHERE project = @project AND hash NOT IN
         (SELECT hash FROM (SELECT hash, MAX(id) FROM journal WHERE project = @project GROUP BY file) WHERE hash IS NOT NULL)
         ORDER BY rowid`,
      )
      .all({ project })
    let total = this.#total(project)
    for (const { id, length } of readableRows(z.object({ id: z.int(), length: z.int() }), rows)) {
      if (total <= this.#budget * 0.9) break
      this.#database.prepare('DELETE FROM contents WHERE rowid = ?').run(id)
      total -= length
    }
    this.#totals.set(project, total)
  }
}
