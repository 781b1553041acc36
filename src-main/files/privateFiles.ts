/** Folders 0700, files 0600. On Windows the user's profile folder ensures this. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  type Stats,
} from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError, diskError } from '@shared/contract/errors'
import { isCode } from './fileErrors'

const OTHERS = 0o077
const OTHERS_WRITE = 0o022

/**
 * Removes the access of others from a folder of our own.
 * @throws AppError FORBIDDEN or INVALID where it cannot be made or written
 */
export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const name = `The folder ${folder}`
    throw (
      diskError(refusalAbove(folder) ?? error, name) ??
      new AppError('INVALID', `${name} cannot be used.`, {
        hint: 'Check its path: a file may be in the place of a folder.',
        cause: error,
      })
    )
  }
  restrict(folder)
}

/** Node reports only ENOENT for a read-only disk, so the deepest existing folder above tells the reason. */
function refusalAbove(folder: string): unknown {
  const parent = dirname(folder)
  if (parent !== folder && !statSync(parent, { throwIfNoEntry: false })) return refusalAbove(parent)
  try {
    accessSync(parent, constants.W_OK)
    return undefined
  } catch (error) {
    return error
  }
}

/** SQLite gives the file's mode to the files that it creates beside it. */
export function makePrivateDatabase(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory())
    throw new AppError('INVALID', `A folder is in the place of the file ${path}.`, {
      hint: 'Move it away, or delete it if it is not yours.',
    })
  // An existing file is not opened: closing it would drop SQLite's locks in this process.
  if (!found) closeSync(openSync(path, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm']) restrict(path + suffix)
}

export function restrict(path: string): void {
  if (process.platform === 'win32') return
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || !isOpenToOthers(found)) return
  try {
    chmodSync(path, found.mode & 0o700)
  } catch (error) {
    if (!cannotChange(error)) throw error
  }
}

/** Links are not followed; what vanishes meanwhile is left out. */
export async function restrictTree(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const found = await lstat(folder)
    if (isOpenToOthers(found) && (found.isDirectory() || found.isFile())) await chmod(folder, found.mode & 0o700)
    if (!found.isDirectory()) return
    for (const name of await readdir(folder)) await restrictTree(join(folder, name))
  } catch (error) {
    if (!cannotChange(error)) throw error
  }
}

const isOpenToOthers = (found: Stats): boolean => isOwn(found) && (found.mode & OTHERS) !== 0

/** It is gone, or its disk has no modes or is read-only. */
const cannotChange = (error: unknown): boolean =>
  isCode(error, 'ENOENT', 'ENOTDIR', 'EPERM', 'EACCES', 'ENOTSUP', 'EROFS')

/** @throws AppError FORBIDDEN where another user owns the folder or the link to it, or may write into it */
export function requireOwnFolder(folder: string): void {
  if (process.platform === 'win32') return
  const found = statSync(folder)
  if (!isOwn(lstatSync(folder)) || !isOwn(found)) throw notOurs(folder)
  if ((found.mode & OTHERS_WRITE) === 0) return
  throw new AppError('FORBIDDEN', `Others may write into ${folder}.`, { hint: `Close it to them: chmod 700 ${folder}` })
}

/** @throws AppError FORBIDDEN where another user owns the socket, or may open it */
export function requireOwnSocket(path: string): void {
  if (process.platform === 'win32') return
  const found = lstatSync(path)
  if (found.isSocket() && isOwn(found) && (found.mode & OTHERS) === 0) return
  throw notOurs(path)
}

export function isPrivateFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && isOwn(found) && (found.mode & OTHERS) === 0
}

const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.()

const notOurs = (path: string): AppError =>
  new AppError('FORBIDDEN', `${path} belongs to another user, or others may open it.`, {
    hint: 'Set BRIDGEDECK_DATA to a folder of your own with a short path.',
  })
