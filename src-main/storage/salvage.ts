import { closeSync, copyFileSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { problemsOf, versionOfSchema } from './damage'
import { openDatabase, type Database as OwnTables } from './database'
import { migrations } from './migrations'

export interface SalvagedTable {
  readonly table: string
  readonly rows: number
  readonly isWhole: boolean
}

const namesSchema = z.array(z.object({ name: z.string() }))
const rowSchema = z.record(z.string(), z.unknown())
type Row = z.infer<typeof rowSchema>

const ROW = 'row of the table'

/**
 * @param damaged the file, which is only read
 * @param fresh a path where nothing is; afterwards a closed database of the newest version
 * @returns every table that the version of the damaged one has
 */
export function salvage(damaged: string, fresh: string): SalvagedTable[] {
  const source = openReadable(damaged) ?? openReadable(withKnownHeader(damaged, `${fresh}-source`))
  try {
    const version = source && tryTo(() => versionOfSchema(source, migrations))
    const target = openDatabase(fresh, version === undefined ? migrations : migrations.slice(0, version))
    try {
      target.pragma('foreign_keys = OFF')
      const salvaged = tablesOf(target).map((table) => copyTable(source, target, table))
      target.pragma('foreign_keys = ON')
      const orphans = dropOrphans(target)
      if (source) keepCounters(source, target)
      return salvaged.map((kept) => {
        const lost = orphans.get(kept.table) ?? 0
        return { ...kept, rows: kept.rows - lost, isWhole: kept.isWhole && lost === 0 }
      })
    } finally {
      target.close()
      openDatabase(fresh).close()
    }
  } finally {
    source?.close()
    removeDatabase(`${fresh}-source`)
  }
}

function openReadable(path: string): Database.Database | undefined {
  const database = tryTo(() => new Database(path, { readonly: true }))
  if (database && tryTo(() => tablesOf(database).length)) return database
  database?.close()
  return undefined
}

/** What a database of ours always has in the first 100 bytes, by offset (https://www.sqlite.org/fileformat.html#the_database_header). */
const KNOWN_HEADER: readonly (readonly [offset: number, bytes: Uint8Array])[] = [
  [0, Buffer.from('SQLite format 3\0', 'latin1')],
  // Pages of 4,096 bytes, written and read with a WAL, nothing reserved, and the fixed fractions.
  [16, Uint8Array.of(0x10, 0, 2, 2, 0, 64, 32, 32)],
  // Schema format 4.
  [44, Uint8Array.of(0, 0, 0, 4)],
  // No incremental vacuum; UTF-8.
  [52, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)],
]

function withKnownHeader(path: string, copy: string): string {
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  const file = openSync(copy, 'r+')
  try {
    for (const [offset, bytes] of KNOWN_HEADER) writeSync(file, bytes, 0, bytes.length, offset)
  } finally {
    closeSync(file)
  }
  return copy
}

export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

export const tablesOf = (database: Pick<OwnTables, 'prepare'>): string[] =>
  namesSchema
    .parse(
      database
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rootpage",
        )
        .all(),
    )
    .map(({ name }) => name)

const columnsOf = (database: Database.Database, table: string): string[] =>
  namesSchema.parse(database.prepare('SELECT name FROM pragma_table_info(?)').all(table)).map(({ name }) => name)

function copyTable(source: Database.Database | undefined, target: Database.Database, table: string): SalvagedTable {
  if (!source) return { table, rows: 0, isWhole: false }
  const columns = columnsOf(target, table)
  const insert = target.prepare(
    `INSERT OR IGNORE INTO ${table} (rowid, ${columns.join(', ')}) VALUES (@row, ${columns.map((name) => `@${name}`).join(', ')})`,
  )
  let rows = 0
  let refused = 0
  const keep = ({ [ROW]: row, ...values }: Row) => {
    // A flipped bit may give a value a type that its column does not take.
    const done = tryTo(() => insert.run({ ...values, row }).changes)
    if (done === undefined) refused++
    else rows += done
  }
  const isWhole = target.transaction(() => readFromBothEnds(source, table, columns, keep))()
  return {
    table,
    rows,
    isWhole: isWhole && refused === 0 && rows >= countByIndexes(source, table) && !isBroken(source, table),
  }
}

/**
 * Reads up to the first damage from either end: only what stands between is lost.
 * @returns whether there was none
 */
function readFromBothEnds(
  source: Database.Database,
  table: string,
  columns: readonly string[],
  keep: (row: Row) => void,
): boolean {
  const rows = (direction: 'ASC' | 'DESC') =>
    source.prepare(
      `SELECT rowid AS "${ROW}", ${columns.join(', ')} FROM ${table} NOT INDEXED ORDER BY rowid ${direction}`,
    )
  let last = -Infinity
  const read = (direction: 'ASC' | 'DESC', until: (row: number) => boolean): boolean => {
    try {
      for (const found of rows(direction).iterate()) {
        const row = rowSchema.parse(found)
        const number = Number(row[ROW])
        if (until(number)) return true
        if (direction === 'ASC') last = number
        keep(row)
      }
      return true
    } catch {
      return false
    }
  }
  if (read('ASC', () => false)) return true
  read('DESC', (row) => row <= last)
  return false
}

function countByIndexes(source: Database.Database, table: string): number {
  const indexes = tryTo(() => namesSchema.parse(source.prepare('SELECT name FROM pragma_index_list(?)').all(table)))
  const counts = (indexes ?? []).map(({ name }) =>
    tryTo(() =>
      z
        .object({ count: z.number() })
        .parse(source.prepare(`SELECT count(*) AS count FROM ${table} INDEXED BY "${name}"`).get()),
    ),
  )
  return Math.max(0, ...counts.map((found) => found?.count ?? 0))
}

/** Damage of an index alone loses nothing: a fresh one is made from the table. */
function isBroken(source: Database.Database, table: string): boolean {
  const root = tryTo(() =>
    z
      .object({ rootpage: z.int() })
      .parse(source.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)),
  )
  const problems = tryTo(() => problemsOf(source, table)) ?? ['not readable']
  return problems.some((problem) => {
    // SQLite names the tree of a table or an index by its first page.
    const tree = /\bTree (\d+)\b/.exec(problem)?.[1]
    return tree === undefined ? !/\bindex\b/.test(problem) : Number(tree) === root?.rootpage
  })
}

/** @returns how many rows were deleted, by table */
function dropOrphans(target: Database.Database): Map<string, number> {
  const orphans = new Map<string, number>()
  const rows = z.array(z.object({ table: z.string(), rowid: z.number() })).parse(target.pragma('foreign_key_check'))
  target.transaction(() => {
    for (const { table, rowid } of rows) {
      target.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid)
      orphans.set(table, (orphans.get(table) ?? 0) + 1)
    }
  })()
  return orphans
}

/** A number that was given once is not given again. */
function keepCounters(source: Database.Database, target: Database.Database): void {
  tryTo(() => {
    const counters = z
      .array(z.object({ name: z.string(), seq: z.int() }))
      .parse(source.prepare('SELECT name, seq FROM sqlite_sequence').all())
    for (const counter of counters) {
      const { changes } = target
        .prepare('UPDATE sqlite_sequence SET seq = max(seq, @seq) WHERE name = @name')
        .run(counter)
      if (changes === 0) target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (@name, @seq)').run(counter)
    }
  })
}

function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
