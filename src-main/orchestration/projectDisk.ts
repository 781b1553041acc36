/** A project's folder on disk, read only: what is in it by name, and single files of it. Links out of it are not followed. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, opendir, readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'
import { fileFinding } from './finding'
import { within } from './listing'
import { decodeStateFile, type StateFile } from './stateFile'

/** Bytes of a state file; a larger one is said to be too large. */
export const LARGEST_STATE_FILE = 8 * 1024 * 1024

/** Names that are looked at in one project. */
const MOST_NAMES = 200_000
const DEEPEST = 64

/** Folders of tools, with more files than all the rest and no run in them. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])
export const isSkipped = (name: string): boolean => skipped.has(name)

export interface Names {
  readonly files: Set<string>
  readonly folders: Set<string>
  /** What was left out, in one sentence each. */
  readonly problems: readonly string[]
}

/** Everything in the folder by name, relative to it with `/`. Links are neither followed nor listed. @throws when it cannot be listed */
export async function readNames(root: string): Promise<Names> {
  const files = new Set<string>()
  const folders = new Set<string>()
  const problems: string[] = []
  let waiting = ['']
  for (let depth = 0; waiting.length > 0 && depth <= DEEPEST; depth++) {
    const next: string[] = []
    for (const folder of waiting) {
      if (files.size + folders.size >= MOST_NAMES) break
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
        if (folder === '') throw error
        // What vanished meanwhile is simply not there.
        if (codeOf(error) !== 'ENOENT') problems.push(`The folder ${folder} could not be read (${codeOf(error)}); what is in it is not shown.`)
        return []
      })
      for (const entry of entries) {
        const path = within(folder, entry.name)
        if (entry.isFile()) files.add(path)
        else if (entry.isDirectory() && !isSkipped(entry.name)) {
          folders.add(path)
          next.push(path)
        }
      }
    }
    waiting = next
  }
  if (files.size + folders.size >= MOST_NAMES) problems.push(`There are more than ${MOST_NAMES.toLocaleString('en')} files and folders; the rest is not looked at.`)
  else if (waiting.length > 0) problems.push(`Folders deeper than ${DEEPEST} levels are not looked at.`)
  return { files, folders, problems }
}

/** Changes when another folder stands in the place. @throws when it cannot be listed */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  await (await opendir(path)).close()
  return `${dev}:${ino}`
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

/** @returns an AppError that names the folder, NOT_FOUND or FORBIDDEN or INVALID */
export function describeFolderError(error: unknown, path: string): AppError {
  const code = codeOf(error)
  if (code === 'ENOENT') return new AppError('NOT_FOUND', `There is no folder ${path}.`, { hint: 'It may have been moved or deleted: open it where it is now.', cause: error })
  if (code === 'ENOTDIR') return new AppError('INVALID', `${path} is no folder.`, { hint: 'Open the folder that it is in.', cause: error })
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('FORBIDDEN', `The folder ${path} may not be read.`, { hint: 'Check its permissions; it is shown again as soon as it may be read.', cause: error })
  }
  return new AppError('INVALID', `The folder ${path} could not be read (${code}).`, { cause: error })
}

/** What tells one state of a file from another without reading it; empty where there is no plain file. */
export async function stampOf(root: string, file: string): Promise<string> {
  const found = await lstat(join(root, file), { bigint: true }).catch(() => undefined)
  return found?.isFile() ? `${found.ino}:${found.size}:${found.mtimeNs}` : ''
}

export interface ReadFile {
  readonly file: StateFile
  /** SHA-256 of its bytes, hex; of one that is too large of its size alone. */
  readonly hash: string
  readonly stamp: string
}

/** A state file as it is now; undefined where there is none, or none inside the project. */
export async function readStateFile(root: string, path: string): Promise<ReadFile | undefined> {
  try {
    return await withFile(root, path, async (handle) => {
      const { size, mtimeMs, mtimeNs, ino } = await handle.stat({ bigint: true })
      const stamp = `${ino}:${size}:${mtimeNs}`
      const modifiedAt = Number(mtimeMs)
      if (size > LARGEST_STATE_FILE) {
        const finding = fileFinding(path, 'file/size', 'error', `${size} bytes`, `at most ${LARGEST_STATE_FILE}`)
        return { file: { path, text: null, modifiedAt, findings: [finding] }, hash: sha256(String(size)), stamp }
      }
      const bytes = await handle.readFile()
      return { file: decodeStateFile(path, bytes, modifiedAt), hash: sha256(bytes), stamp }
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'NOT_FOUND') return undefined
    const finding = fileFinding(path, 'file/read', 'error', error.message, 'a file of the project that may be read')
    return { file: { path, text: null, modifiedAt: null, findings: [finding] }, hash: sha256(error.message), stamp: await stampOf(root, path) }
  }
}

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')

type Handle = Awaited<ReturnType<typeof open>>

/**
 * A plain file of the project, opened for reading. `path` may come from anywhere.
 * @throws AppError FORBIDDEN when it is not inside, NOT_FOUND, INVALID when it is no file
 */
export async function withFile<T>(root: string, path: string, use: (handle: Handle) => Promise<T>): Promise<T> {
  if (isAbsolute(path) || path.includes('\0') || path.split(/[/\\]/).includes('..')) throw outside(path)
  const name = path
  try {
    const real = await realpath(join(root, path))
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) throw outside(path)
    // Not to wait for the other end of a pipe; the last part is not to become a link meanwhile.
    const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      if (!(await handle.stat()).isFile()) throw new AppError('INVALID', `${name} is no file.`)
      return await use(handle)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw describeFileError(error, name, 'read')
  }
}

const outside = (path: string): AppError =>
  new AppError('FORBIDDEN', `${path} is not inside the project.`, { hint: 'Bridgedeck reads nothing outside the folder that you opened.' })
