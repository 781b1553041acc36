import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from './fileErrors'

/** Raise `folder` with any of the others, and whenever an older Bridgedeck would drop or overwrite new data. */
export const dataVersions = { folder: 1, database: 14, builtinState: 3, recording: 2 } as const

/** `{ "version": 1 }`: this shape must stay in every version. */
const VERSION_FILE = 'version.json'
const DATABASE_FILE = 'bridgedeck.sqlite'

/** https://www.sqlite.org/fileformat.html#the_database_header */
const DATABASE_HEADER = { bytes: 100, magic: 'SQLite format 3\0', userVersionAt: 60 }
/** A higher version means a damaged file. */
export const MAX_DATABASE_VERSION = 1_000

export function newerData(folder: string): AppError | undefined {
  const version = versionOfFolder(folder) ?? 0
  if (version > dataVersions.folder) return newerFolder(folder, version, dataVersions.folder)
  const database = versionOfClosedDatabase(join(folder, DATABASE_FILE)) ?? 0
  if (database > dataVersions.database && database <= MAX_DATABASE_VERSION)
    return newerFolder(folder, database, dataVersions.database)
  return undefined
}

/** @throws AppError CONFLICT where a newer Bridgedeck wrote the data */
export function requireKnownData(folder: string): void {
  const newer = newerData(folder)
  if (newer) throw newer
}

/** Makes older versions refuse the folder. Replaces a damaged note, and leaves an existing one. */
export function noteDataVersion(folder: string): void {
  if (versionOfFolder(folder) === dataVersions.folder) return
  const path = join(folder, VERSION_FILE)
  const staged = `${path}.${process.pid}`
  try {
    writeFileSync(staged, `${JSON.stringify({ version: dataVersions.folder })}\n`, { mode: 0o600 })
    renameSync(staged, path)
  } catch (error) {
    throw describeFileError(error, path, 'written')
  }
}

const newerFolder = (folder: string, version: number, known: number): AppError =>
  new AppError(
    'CONFLICT',
    `The data in ${folder} was written by a newer Bridgedeck (version ${version}; this one reads up to ${known}). Nothing was changed.`,
    { hint: 'Update Bridgedeck, or set BRIDGEDECK_DATA to another folder.' },
  )

function versionOfFolder(folder: string): number | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, VERSION_FILE), 'utf8'))
    return typeof value === 'object' && value !== null && 'version' in value && Number.isSafeInteger(value.version)
      ? Number(value.version)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Undefined where a process may have it open: closing the file would drop SQLite's locks in this process, and the
 * newest header may still be in the WAL.
 */
function versionOfClosedDatabase(path: string): number | undefined {
  if (existsSync(`${path}-shm`)) return undefined
  const { bytes, magic, userVersionAt } = DATABASE_HEADER
  const header = Buffer.alloc(bytes)
  try {
    const file = openSync(path, 'r')
    try {
      if (readSync(file, header, 0, bytes, 0) < bytes) return undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
  return header.toString('latin1', 0, magic.length) === magic ? header.readUInt32BE(userVersionAt) : undefined
}
