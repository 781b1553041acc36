import { closeSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { migrations, type Migration } from './migrations'

/** Data that SQLite reads without an error, but that is damaged all the same. */
export class DamageError extends Error {}

/**
 * @param database where it is open: our own SQL is right, so a name that SQLite does not know means a damaged schema
 */
export function isDamage(error: unknown, path: string, database?: Database.Database): boolean {
  if (error instanceof DamageError) return true
  if (!(error instanceof Database.SqliteError)) return causeOf(error) !== undefined && isDamage(causeOf(error), path)
  if (tellsDamage(error)) return true
  if (error.code.startsWith('SQLITE_READONLY')) return hasWrongFormat(path)
  if (error.code !== 'SQLITE_ERROR') return false
  return database === undefined || hasWrongSchema(database)
}

const tellsDamage = ({ code }: { readonly code: string }): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(code)

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

/**
 * Header offsets 18 and 19 say how the file may be written and read: 1 with a journal, 2 with a WAL; SQLite only reads
 * higher values.
 */
function hasWrongFormat(path: string): boolean {
  const versions = new Uint8Array(2)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, versions, 0, 2, 18)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
  return versions.some((version) => version > 2)
}

function hasWrongSchema(database: Database.Database): boolean {
  try {
    return versionOfSchema(database, migrations) !== migrations.length
  } catch {
    return true
  }
}

export function versionOfSchema(database: Database.Database, steps: readonly Migration[]): number | undefined {
  const schema = schemaOf(database)
  const empty = new Database(':memory:')
  try {
    for (let version = 0; version <= steps.length; version++) {
      if (schemaOf(empty) === schema) return version
      steps[version]?.(empty)
    }
    return undefined
  } finally {
    empty.close()
  }
}

const schemaOf = (database: Database.Database): string =>
  JSON.stringify(
    database
      .prepare(
        `SELECT s.type, s.name, group_concat(c.name || ' ' || c.type) AS columns
         FROM sqlite_schema s LEFT JOIN pragma_table_info(s.name) c GROUP BY s.type, s.name ORDER BY s.type, s.name`,
      )
      .all(),
  )

/**
 * Empty where SQLite finds nothing wrong. Reads all pages of the file or table.
 * @throws where it cannot look
 */
export function problemsOf(database: Pick<Database.Database, 'pragma'>, table?: string): string[] {
  try {
    const rows = database.pragma(table === undefined ? 'quick_check(5)' : `quick_check('${table}')`)
    const texts = Array.isArray(rows) ? rows.map((row: unknown) => Object.values(row ?? {}).join(' ')) : []
    return texts.filter((text) => text !== 'ok')
  } catch (error) {
    if (error instanceof Database.SqliteError && tellsDamage(error)) return [error.message]
    throw error
  }
}
