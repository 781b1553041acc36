import Database from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { migrations, type Migration } from './migrations'

export type { Database } from 'better-sqlite3'

/**
 * Opens Bridgedeck's own database and brings it to the newest version. Each step runs in one transaction with its
 * version number, so that a crash in between leaves a database that the next start can go on with.
 * @throws AppError CONFLICT when a newer Bridgedeck wrote the file.
 */
export function openDatabase(path: string, steps: readonly Migration[] = migrations): Database.Database {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 3000')
  try {
    migrate(database, steps)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

function migrate(database: Database.Database, steps: readonly Migration[]): void {
  const version = Number(database.pragma('user_version', { simple: true }))
  if (version > steps.length) {
    throw new AppError('CONFLICT', `The settings were written by a newer Bridgedeck (version ${version}, this one knows ${steps.length}).`, {
      hint: 'Start the newer Bridgedeck, or set BRIDGEDECK_DATA to another folder.',
    })
  }
  steps.slice(version).forEach((step, index) => {
    const next = version + index + 1
    database
      .transaction(() => {
        step(database)
        database.pragma(`user_version = ${next}`)
      })
      .immediate()
  })
}
