/** A database of ours with something in every table, and ways to damage it. */
import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { openDatabase } from '../../src-main/storage/database'

export const PAGE = 4096

/** Rows of each table: several pages of the larger ones. */
export const ROWS = 60

const columnSchema = z.array(z.object({ name: z.string(), type: z.string() }))

/** Closed, all of it in the one file. */
export function fillDatabase(path: string): void {
  const database = openDatabase(path)
  try {
    database.transaction(() => {
      for (const { name: table } of structureOf(path).filter(({ type }) => type === 'table')) {
        const columns = columnSchema.parse(database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table))
        const insert = database.prepare(
          `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        for (let row = 1; row <= ROWS; row++)
          insert.run(columns.map(({ name, type }) => valueOf(table, name, type, row)))
      }
    })()
  } finally {
    database.close()
  }
}

function valueOf(table: string, column: string, type: string, row: number): unknown {
  if (column === 'project') return row
  if (type === 'INTEGER') return column === 'set_aside_at' && row === ROWS ? null : row
  if (type === 'REAL') return row
  if (type === 'BLOB') return Buffer.alloc(300, row)
  // Nothing that its reader could not take.
  if (table === 'settings') return column === 'name' ? `setting ${row}` : '"value"'
  if (column === 'content') return '{"images":[],"registers":[]}'
  if (column === 'kind' && table === 'openings') return 'machine'
  return `${column} ${row} ${'x'.repeat(40)}`
}

/** Its tables and indexes, with the page that each begins at, from 1. */
export function structureOf(path: string): { type: string; name: string; table: string; rootPage: number }[] {
  const database = new Database(path, { readonly: true })
  try {
    return z.array(z.object({ type: z.string(), name: z.string(), table: z.string(), rootPage: z.int() })).parse(
      database
        .prepare(
          `SELECT type, name, tbl_name AS "table", rootpage AS rootPage FROM sqlite_schema
             WHERE name NOT LIKE 'sqlite\\_sequence' ESCAPE '\\' ORDER BY rootpage`,
        )
        .all(),
    )
  } finally {
    database.close()
  }
}

/** @param page from 1 */
export function damagePage(path: string, page: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE)
  writeFileSync(path, bytes)
}

/** @param bit of the whole file, from 0 */
export function flipBit(path: string, bit: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor(bit / 8) % bytes.length
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
  writeFileSync(path, bytes)
}
