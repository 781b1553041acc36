import { createHash } from 'node:crypto'
import { statSync, type Stats } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { isFileName } from '@shared/contract/fileName'
import { readStateFile } from './readStateFile'
import type { StateFile } from '../../formats/text/stateFile'

export function stampOf(root: string, file: string): string {
  const found = lookAt(join(root, file))
  return found?.isFile() ? `${found.ino}:${found.size}:${found.mtimeMs}` : ''
}

/** Changes when names come or go in a folder; empty where there is no folder. */
export function folderStampOf(root: string, folder: string): string {
  const found = lookAt(join(root, folder))
  return found?.isDirectory() ? `${found.ino}:${found.mtimeMs}` : ''
}

export function kindOf(root: string, path: string): 'file' | 'folder' | undefined {
  if (!isFileName(path)) return undefined
  const found = lookAt(join(root, path))
  return found?.isFile() ? 'file' : found?.isDirectory() ? 'folder' : undefined
}

/**
 * Undefined where nothing may be looked at. Synchronous, as many thousands are asked and the thread pool costs three
 * times as much for each.
 */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface FileVersion {
  readonly file: StateFile
  /** SHA-256 of the text, hex; for an unreadable file, of its findings. */
  readonly hash: string
  readonly stamp: string
}

export async function readVersion(root: string, path: string): Promise<FileVersion | undefined> {
  // Taken before the content: a write meanwhile shows as another version the next time.
  const stamp = stampOf(root, path)
  if (stamp === '') return undefined
  const file = await readStateFile(root, path)
  if (file.text === null && stampOf(root, path) === '') return undefined
  const content = file.text ?? JSON.stringify([file.findings, stamp])
  return { file, hash: hashOfText(content), stamp }
}

/**
 * Changes when another folder takes the place.
 * @throws when it cannot be listed
 */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  await (await opendir(path)).close()
  return `${dev}:${ino}`
}

/** @returns an AppError NOT_FOUND, FORBIDDEN or INVALID that names the folder */
export function describeFolderError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT')
    return new AppError('NOT_FOUND', `There is no folder ${path}.`, {
      hint: 'It may have been moved or deleted: open it where it is now.',
      cause: error,
    })
  if (code === 'ENOTDIR')
    return new AppError('INVALID', `${path} is not a folder.`, { hint: 'Open the folder that it is in.', cause: error })
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('FORBIDDEN', `The folder ${path} may not be read.`, {
      hint: 'Check its permissions; it is shown again as soon as it may be read.',
      cause: error,
    })
  }
  return new AppError('INVALID', `The folder ${path} could not be read (${code}).`, { cause: error })
}
