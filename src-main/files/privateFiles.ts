/** What is this user's alone: folders 0700, files 0600. On Windows, the user's profile folder sees to that. */
import { chmodSync, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs'
import { AppError } from '@shared/contract/errors'

const OTHERS = 0o077
const OTHERS_WRITE = 0o022

/** Makes the folder, or takes the access of others from one that is this user's. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  restrict(folder)
}

/** Takes the access of others from a file or folder, where it is this user's; nothing where there is none. */
export function restrict(path: string): void {
  if (process.platform === 'win32') return
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && isOwn(found) && (found.mode & OTHERS) !== 0) chmodSync(path, found.mode & 0o700)
}

/**
 * Looks at a folder that this user's processes meet in.
 * @throws AppError FORBIDDEN where another user owns it or the link to it, or may write into it
 */
export function requireOwnFolder(folder: string): void {
  if (process.platform === 'win32') return
  const found = statSync(folder)
  if (isOwn(lstatSync(folder)) && isOwn(found) && (found.mode & OTHERS_WRITE) === 0) return
  throw notOurs(folder)
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
  new AppError('FORBIDDEN', `${path} belongs to another user, or others may write there.`, {
    hint: 'Remove it, or set BRIDGEDECK_DATA to a folder of your own with a short path.',
  })
