/** What following a project asks of the disk, beside reading its names and files: which version a file is, and which folder a folder. */
import { createHash } from 'node:crypto'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { readStateFile } from './projectFiles'
import type { StateFile } from './text/stateFile'

/** What tells one version of a file from another without reading it; empty where there is no file. */
export async function stampOf(root: string, file: string): Promise<string> {
  const found = await stat(join(root, file), { bigint: true }).catch(() => undefined)
  return found?.isFile() ? `${found.ino}:${found.size}:${found.mtimeNs}` : ''
}

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface FileVersion {
  readonly file: StateFile
  /** SHA-256 of its text, hex; of what cannot be read, of what is wrong with it. */
  readonly hash: string
  readonly stamp: string
}

/** A state file as it is now; undefined where there is none. */
export async function readVersion(root: string, path: string): Promise<FileVersion | undefined> {
  // Before the content: what is written meanwhile shows as another version the next time.
  const stamp = await stampOf(root, path)
  if (stamp === '') return undefined
  const file = await readStateFile(root, path)
  if (file.text === null && (await stampOf(root, path)) === '') return undefined
  const content = file.text ?? JSON.stringify([file.findings, stamp])
  return { file, hash: hashOfText(content), stamp }
}

/** Changes when another folder stands in the place. @throws when it cannot be listed */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  await (await opendir(path)).close()
  return `${dev}:${ino}`
}

/** @returns an AppError that names the folder, NOT_FOUND or FORBIDDEN or INVALID */
export function describeFolderError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT') return new AppError('NOT_FOUND', `There is no folder ${path}.`, { hint: 'It may have been moved or deleted: open it where it is now.', cause: error })
  if (code === 'ENOTDIR') return new AppError('INVALID', `${path} is no folder.`, { hint: 'Open the folder that it is in.', cause: error })
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('FORBIDDEN', `The folder ${path} may not be read.`, { hint: 'Check its permissions; it is shown again as soon as it may be read.', cause: error })
  }
  return new AppError('INVALID', `The folder ${path} could not be read (${code}).`, { cause: error })
}
