/** What is this user's alone: folders 0700, files 0600. On Windows, the user's profile folder sees to that. */
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
 * Makes the folder, or takes the access of others from one that is this user's.
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

/** Why nothing can be made in the deepest folder above that is there: Node says of a read-only disk only ENOENT. */
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

/** Makes a file that is to be an SQLite database, or takes the access of others from it: SQLite gives its mode to what it puts beside. */
export function makePrivateDatabase(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory())
    throw new AppError('INVALID', `A folder is in the place of the file ${path}.`, {
      hint: 'Move it away, or delete it if it is not yours.',
    })
  // One that exists is not opened: closing it would drop the locks that SQLite holds on it in this process.
  if (!found) closeSync(openSync(path, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm']) restrict(path + suffix)
}

/** Takes the access of others from a file or folder, where it is this user's; nothing where there is none. */
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

/** The same for all files and folders in it. Links are not followed, and what vanishes meanwhile is left out. */
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

/** Whether others have access to what is this user's. */
const isOpenToOthers = (found: Stats): boolean => isOwn(found) && (found.mode & OTHERS) !== 0

/** It is gone, or its disk has no modes or is read-only. */
const cannotChange = (error: unknown): boolean =>
  isCode(error, 'ENOENT', 'ENOTDIR', 'EPERM', 'EACCES', 'ENOTSUP', 'EROFS')

/**
 * Looks at a folder that this user's processes meet in.
 * @throws AppError FORBIDDEN where another user owns it or the link to it, or may write into it
 */
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

/** Whether this is a folder of this user that nobody else may open. */
export function isPrivateFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && isOwn(found) && (found.mode & OTHERS) === 0
}

const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.()

const notOurs = (path: string): AppError =>
  new AppError('FORBIDDEN', `${path} belongs to another user, or others may open it.`, {
    hint: 'Set BRIDGEDECK_DATA to a folder of your own with a short path.',
  })
