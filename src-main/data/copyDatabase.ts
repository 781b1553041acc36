import Database from 'better-sqlite3'

/** Database pages per step: some 4 ms, 4 MB. */
const PAGES_AT_ONCE = 1_000
const BUSY_MS = 3_000

/** Others may write to the database meanwhile. */
export async function copyDatabase(from: string, to: string, signal: AbortSignal): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
  try {
    await source.backup(to, {
      progress: () => {
        signal.throwIfAborted()
        return PAGES_AT_ONCE
      },
    })
  } finally {
    source.close()
  }
  // The copy is in WAL mode, so that SQLite would create a WAL beside it.
  change(to, () => undefined)
}

/** Removes what is of use on this computer only, above all passwords. */
export const withoutSecrets = (path: string): void =>
  change(path, (database) => {
    database.pragma('secure_delete = ON')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    if (tables.includes('profiles')) database.exec('UPDATE profiles SET sealed = NULL')
    for (const table of ['children', 'hosts', 'openings'])
      if (tables.includes(table)) database.exec(`DELETE FROM ${table}`)
  })

function change(path: string, work: (database: Database.Database) => void): void {
  const database = new Database(path)
  try {
    database.pragma('journal_mode = DELETE')
    work(database)
  } finally {
    database.close()
  }
}
