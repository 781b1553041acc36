import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError, diskError } from '@shared/contract/errors'
import { makePrivateDatabase } from '../files/privateFiles'
import { migrations, type Migration } from './migrations'

export type { Database, Statement } from 'better-sqlite3'

/**
 * Opens Bridgedeck's own database and brings it to the newest version. Each step runs in one transaction with its
 * version number, so that a crash in between leaves a database that the next start can go on with.
 * @throws AppError CONFLICT when a newer Bridgedeck wrote the file, UNSUPPORTED on a Node that is too old.
 */
export function openDatabase(path: string, steps: readonly Migration[] = migrations): Database.Database {
  requireNodeApi()
  const database = openPrivate(path)
  try {
    database.pragma('busy_timeout = 3000')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    migrate(database, steps)
    return database
  } catch (error) {
    database.close()
    throw diskError(error, path) ?? error
  }
}

function openPrivate(path: string): Database.Database {
  try {
    makePrivateDatabase(path)
    return new Database(path)
  } catch (error) {
    throw diskError(error, path) ?? error
  }
}

export const databasePathIn = (dataFolder: string): string => join(dataFolder, 'bridgedeck.sqlite')

/**
 * Opens it beside the process that owns it; undefined where there is none of this version yet.
 * @throws AppError CONFLICT when a newer Bridgedeck wrote the file
 */
export function openForReading(path: string): Database.Database | undefined {
  if (!existsSync(path)) return undefined
  requireNodeApi()
  const database = new Database(path, { readonly: true })
  try {
    database.pragma('busy_timeout = 3000')
    const version = Number(database.pragma('user_version', { simple: true }))
    if (version > migrations.length) throw newerVersion(version, migrations.length)
    if (version === migrations.length) return database
    database.close()
    return undefined
  } catch (error) {
    database.close()
    throw error
  }
}

/** better-sqlite3 13 is built for Node-API 10 (Node 22.14); on an older Node it ends the process without a word. */
function requireNodeApi(): void {
  if (Number(process.versions.napi) >= 10) return
  throw new AppError('UNSUPPORTED', `This is Node ${process.versions.node}, too old for the settings’ database.`, {
    hint: 'Start it with npm, which takes the right Node, or with Node 22.14 or newer.',
  })
}

/**
 * Opens it, or moves a file that is no database any more aside and starts with an empty one; `setAside` then says so.
 * @throws AppError CONFLICT when a newer Bridgedeck wrote the file.
 */
export function openOrStartAfresh(path: string): { database: Database.Database; setAside: AppError | undefined } {
  try {
    return { database: openDatabase(path), setAside: undefined }
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !broken.includes(error.code)) throw error
    const kept = `${path}.corrupt-${Date.now()}`
    renameSync(path, kept)
    // What SQLite keeps beside a database belongs to the broken one.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    const setAside = new AppError('INVALID', 'The settings could not be read and start afresh.', {
      hint: `The old file is kept as ${basename(kept)}.`,
      cause: error,
    })
    return { database: openDatabase(path), setAside }
  }
}

const newerVersion = (version: number, known: number): AppError =>
  new AppError(
    'CONFLICT',
    `The settings were written by a newer Bridgedeck (version ${version}, this one knows ${known}).`,
    { hint: 'Start the newer Bridgedeck, or set BRIDGEDECK_DATA to another folder.' },
  )

const broken = ['SQLITE_NOTADB', 'SQLITE_CORRUPT']

/** The version is read inside the transaction: window and command line may both be the first to open it. */
function migrate(database: Database.Database, steps: readonly Migration[]): void {
  const migrateOnce = database.transaction((): boolean => {
    const version = Number(database.pragma('user_version', { simple: true }))
    if (version > steps.length) {
      throw newerVersion(version, steps.length)
    }
    const step = steps[version]
    if (!step) return false
    step(database)
    database.pragma(`user_version = ${version + 1}`)
    return true
  })
  while (migrateOnce.immediate());
}
