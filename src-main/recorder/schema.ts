/** Each recording is an SQLite database of its own, so that it is deleted with its file. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { AppError, diskError } from '@shared/contract/errors'
import { makePrivateDatabase } from '../files/privateFiles'
import type { Migration } from '../storage/migrations'
import { limitPageCache } from '../storage/pageCache'
import { isCode } from '../files/fileErrors'

/** `BDRC`, which identifies a recording. */
const APPLICATION_ID = 0x42445243

/**
 * In order, never changed once released.
 *
 * `frames`: every frame in order; `time` in µs since 1970, never decreasing.
 * `deltas`: the changes of a frame in a chain (a space, or the picture) as runs; no row where nothing changed. `id` is
 * frame * 16 + chain, so that rows are only added at the end. `crc` is that of the image after the change.
 * `keyframes`: a chain's whole image before frame `frame`, which starts a block of at most 250 frames. Empty at the start
 * of an epoch, when nothing is known.
 * `columns`: the changes of a page within a block (columns.ts). The last block of a chain may have none yet.
 * `marks`: as `marks.ts` reads them; `time` as that of frames. A recording of the first version has no such table until it is
 * written to.
 */
export const migrations: readonly Migration[] = [
  (database) => {
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.exec(`
      CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE epochs (frame INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, machine TEXT NOT NULL) STRICT;
      CREATE TABLE layouts (layout INTEGER PRIMARY KEY, registers TEXT NOT NULL) STRICT;
      CREATE TABLE frames (frame INTEGER PRIMARY KEY, time INTEGER NOT NULL, seq INTEGER NOT NULL, registers BLOB) STRICT;
      CREATE TABLE deltas (id INTEGER PRIMARY KEY, codec INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
      CREATE TABLE keyframes (
        chain INTEGER NOT NULL, frame INTEGER NOT NULL, codec INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (chain, frame)
      ) STRICT;
      CREATE TABLE columns (
        chain INTEGER NOT NULL, page INTEGER NOT NULL, frame INTEGER NOT NULL,
        codec INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (chain, page, frame)
      ) STRICT, WITHOUT ROWID;
    `)
  },
  (database) =>
    database.exec(
      'CREATE TABLE marks (mark INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, text TEXT NOT NULL, value INTEGER) STRICT',
    ),
]

export function openToWrite(path: string, steps = migrations): Database.Database {
  return opened(path, () => {
    makePrivateDatabase(path)
    const database = new Database(path)
    return guarded(database, () => {
      database.pragma('busy_timeout = 3000')
      limitPageCache(database)
      // Before anything is written: a newer recording stays as it is.
      const version = versionOf(database, path)
      database.pragma('journal_mode = WAL')
      // A power cut may lose the last frames, but none before them.
      database.pragma('synchronous = NORMAL')
      database.pragma('temp_store = MEMORY')
      // The writer makes checkpoints: SQLite's own would interrupt a batch.
      database.pragma('wal_autocheckpoint = 0')
      database
        .transaction(() => {
          for (const step of steps.slice(version)) step(database)
          database.pragma(`user_version = ${Math.max(version, steps.length)}`)
        })
        .immediate()
      return database
    })
  })
}

/** @throws AppError NOT_FOUND, INVALID where it is no recording or damaged, CONFLICT where a newer Bridgedeck made it */
export function openToRead(path: string): Database.Database {
  return opened(path, () => {
    statSync(path)
    const database = new Database(path, { readonly: true, fileMustExist: true })
    return guarded(database, () => {
      database.pragma('busy_timeout = 3000')
      limitPageCache(database)
      if (versionOf(database, path) === 0) throw notRecording(path)
      // SQLite reads what is missing of the last page as zeros: rows would be gone without an error.
      if (statSync(path).size % Number(database.pragma('page_size', { simple: true })) !== 0)
        throw new AppError('INVALID', `${basename(path)} is damaged: its end is missing.`, {
          hint: 'Copy it again from where it came.',
        })
      return database
    })
  })
}

function guarded(database: Database.Database, prepare: () => Database.Database): Database.Database {
  try {
    return prepare()
  } catch (error) {
    database.close()
    throw error
  }
}

function versionOf(database: Database.Database, path: string): number {
  const version = Number(database.pragma('user_version', { simple: true }))
  const application = Number(database.pragma('application_id', { simple: true }))
  const tables = Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
  if (tables > 0 && application !== APPLICATION_ID) throw notRecording(path)
  if (version > migrations.length) {
    throw new AppError(
      'CONFLICT',
      `${basename(path)} was made by a newer Bridgedeck (its version is ${version}, the supported one ${migrations.length}).`,
      { hint: 'Open it with the newer Bridgedeck.' },
    )
  }
  return version
}

const notRecording = (path: string): AppError =>
  new AppError('INVALID', `${basename(path)} is not a Bridgedeck recording.`)

function opened(path: string, open: () => Database.Database): Database.Database {
  try {
    return open()
  } catch (error) {
    throw describeDatabaseError(error, basename(path))
  }
}

export function describeDatabaseError(error: unknown, name: string): unknown {
  if (isCode(error, 'ENOENT')) return new AppError('NOT_FOUND', `There is no recording ${name}.`)
  if (!(error instanceof Database.SqliteError)) return error
  const options = { cause: error }
  switch (error.code) {
    case 'SQLITE_NOTADB':
      return new AppError('INVALID', `${name} is not a Bridgedeck recording.`, options)
    case 'SQLITE_FULL':
    case 'SQLITE_IOERR_WRITE':
    case 'SQLITE_IOERR_SHMSIZE':
      return new AppError('INVALID', `The disk is full: recording to ${name} stopped.`, {
        ...options,
        hint: 'The frames recorded so far are kept. Free some space and record again.',
      })
    case 'SQLITE_BUSY':
      return new AppError('BUSY', `${name} is in use by another program.`, { ...options, hint: 'Try again.' })
    default: {
      const refused = diskError(error, name)
      if (refused) return refused
      if (isDamage(error))
        return new AppError('INVALID', `${name} is damaged (${error.code}: ${error.message}).`, {
          ...options,
          hint: 'Its intact parts can still be exported.',
        })
      return new AppError('INVALID', `${name} could not be used (${error.code}: ${error.message}).`, options)
    }
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')
