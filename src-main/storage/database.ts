import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { isDiskFull } from '@shared/contract/diskProblem'
import { AppError, diskError } from '@shared/contract/errors'
import { MAX_DATABASE_VERSION } from '../files/dataVersion'
import { makePrivateDatabase } from '../files/privateFiles'
import { DamageError, versionOfSchema } from './damage'
import { migrations, type Migration } from './migrations'
import { limitPageCache } from './pageCache'

export interface Database {
  prepare(sql: string): Statement
  transaction<Result>(work: () => Result): Transaction<Result>
  pragma(text: string): unknown
  close(): void
}

export interface Statement {
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
}

export interface Transaction<Result> {
  (): Result
  /** Takes the write lock at the beginning. */
  immediate(): Result
}

/** ms. */
const BUSY_MS = 3_000

export const databasePathIn = (dataFolder: string): string => join(dataFolder, 'bridgedeck.sqlite')

/**
 * Each migration step runs in one transaction with its version number, so that the next start can go on after a crash.
 * @param beforeMigration gets a database of an earlier version as it is
 * @throws AppError CONFLICT when a newer Bridgedeck wrote the file, UNSUPPORTED on a Node that is too old.
 */
export function openDatabase(
  path: string,
  steps: readonly Migration[] = migrations,
  beforeMigration?: (database: Database.Database, path: string) => void,
): Database.Database {
  requireNodeApi()
  const database = openWithWal(path) ?? openWithoutSpace(path)
  try {
    database.pragma('synchronous = FULL')
    limitPageCache(database)
    database.pragma('foreign_keys = ON')
    const version = requireKnown(database, steps)
    if (version > 0 && version < steps.length) beforeMigration?.(database, path)
    migrate(database, steps)
    return database
  } catch (error) {
    database.close()
    throw diskError(error, path) ?? error
  }
}

/** Undefined where the disk is full. */
function openWithWal(path: string): Database.Database | undefined {
  const database = openPrivate(path)
  try {
    database.pragma('journal_mode = WAL')
    return database
  } catch (error) {
    database.close()
    if (isDiskFull(error)) return undefined
    throw diskError(error, path) ?? error
  }
}

/**
 * Without room for a WAL, changes are made in place, so that data can be listed and deleted. Killing the process
 * meanwhile damages the file.
 */
function openWithoutSpace(path: string): Database.Database {
  const database = openPrivate(path)
  try {
    // Leaving WAL mode without its shared-memory file needs exclusive access.
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = MEMORY')
    database.pragma('locking_mode = NORMAL')
    return database
  } catch (error) {
    database.close()
    throw diskError(error, path) ?? error
  }
}

function openPrivate(path: string): Database.Database {
  try {
    makePrivateDatabase(path)
    return new Database(path, { timeout: BUSY_MS })
  } catch (error) {
    throw diskError(error, path) ?? error
  }
}

/** @throws AppError CONFLICT when a newer Bridgedeck wrote the file */
export function openReadonly(path: string): Database.Database {
  requireNodeApi()
  const database = new Database(path, { readonly: true, timeout: BUSY_MS })
  try {
    limitPageCache(database)
    requireKnown(database, migrations)
    return database
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

const versionSchema = z.tuple([z.object({ user_version: z.number() })])

export const versionOf = (database: Database): number =>
  versionSchema.parse(database.pragma('user_version'))[0].user_version

/** Reads the version inside the transaction, as window and command line may both be the first to open the database. */
function migrate(database: Database.Database, steps: readonly Migration[]): void {
  const migrateOnce = database.transaction((): boolean => {
    const version = requireKnown(database, steps)
    const step = steps[version]
    if (!step) return false
    step(database)
    database.pragma(`user_version = ${version + 1}`)
    return true
  })
  while (migrateOnce.immediate());
}

function requireKnown(database: Database.Database, steps: readonly Migration[]): number {
  const path = database.name
  const version = versionOf(database)
  if (version <= steps.length) return version
  if (version > MAX_DATABASE_VERSION && versionOfSchema(database, steps) !== undefined)
    throw new DamageError(`The version is ${version}, the tables are of an earlier one.`)
  throw new AppError(
    'CONFLICT',
    `${path} was written by a newer Bridgedeck (version ${version}; this one reads up to ${steps.length}).`,
    { hint: 'Update Bridgedeck, or set BRIDGEDECK_DATA to another folder.' },
  )
}
