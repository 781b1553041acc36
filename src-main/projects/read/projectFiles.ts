/** A project's folder as it is on disk: untrusted, so nothing outside it is read and everything is bounded. */
import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { isInside } from '../../files/containedPath'
import { describeFileError } from '../../files/fileErrors'
import { fileFinding, type Finding } from '../../formats/finding'
import { Listing, within } from '../../formats/listing'
import { decodeStateFile, type StateFile } from '../../formats/text/stateFile'

/** More than any state file of the four formats holds: 10,000 tasks with 20,000 edges are 1.5 MB. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** Files and folders of one project, and folders in each other. */
const MAX_ENTRIES = 200_000
const MAX_LEVELS = 40
const MAX_PARALLEL_READS = 16

/** They hold other people's files, many of them, and never a run. */
export const skipped: ReadonlySet<string> = new Set(['node_modules', '.git'])

export interface Scan {
  /** The folder without symbolic links. */
  readonly root: string
  readonly listing: Listing
  /** What was not looked into, and why. */
  readonly findings: readonly Finding[]
}

/** @throws AppError when the folder itself cannot be read */
export async function scanProject(folder: string, signal: AbortSignal): Promise<Scan> {
  const root = await realFolder(folder)
  const files: string[] = []
  const folders: string[] = []
  const findings: Finding[] = []
  let level = ['']
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = []
    for (let from = 0; from < level.length; from += MAX_PARALLEL_READS) {
      signal.throwIfAborted()
      const batch = level.slice(from, from + MAX_PARALLEL_READS)
      const entries = await Promise.all(
        batch.map((path) => readdir(join(root, path), { withFileTypes: true }).catch((error: unknown) => ({ error }))),
      )
      for (const [index, listed] of entries.entries()) {
        const path = batch[index] ?? ''
        if ('error' in listed) {
          if (path === '') throw describeFileError(listed.error, folder, 'read')
          findings.push(
            fileFinding(
              path,
              'project/unreadable',
              'warning',
              'a folder that may not be read',
              'a folder that can be looked into',
            ),
          )
          continue
        }
        for (const entry of listed) {
          const name = within(path, entry.name)
          if (files.length + folders.length >= MAX_ENTRIES) {
            findings.push(
              fileFinding(
                path,
                'project/size',
                'warning',
                `more than ${MAX_ENTRIES} files and folders`,
                'a project that can be searched as a whole',
              ),
            )
            return { root, listing: new Listing(files, folders), findings }
          }
          if (entry.isFile()) files.push(name)
          else if (entry.isSymbolicLink()) {
            const { isFile, finding } = await followLink(root, name)
            if (isFile) files.push(name)
            if (finding) findings.push(finding)
          } else if (entry.isDirectory() && !skipped.has(entry.name)) {
            folders.push(name)
            next.push(name)
          }
        }
      }
    }
    level = next
    if (depth + 1 < MAX_LEVELS || level.length === 0) continue
    findings.push(
      fileFinding(
        level[0] ?? '',
        'project/depth',
        'warning',
        `folders more than ${MAX_LEVELS} levels deep`,
        'a project that can be searched as a whole',
      ),
    )
    break
  }
  return { root, listing: new Listing(files, folders), findings }
}

async function realFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    if (!(await stat(root)).isDirectory())
      throw new AppError('INVALID', `${folder} is not a folder.`, { hint: 'Name the folder of a project.' })
    return root
  } catch (error) {
    const described = describeFileError(error, folder, 'read')
    throw toFailure(described).code === 'NOT_FOUND'
      ? new AppError('NOT_FOUND', `There is no folder ${folder}.`, {
          hint: 'Check the path; relative paths start at your working folder.',
          cause: error,
        })
      : described
  }
}

/** A link to a file of the project is that file; folders are not entered through links, so there are no loops. */
async function followLink(root: string, path: string): Promise<{ isFile: boolean; finding?: Finding }> {
  try {
    const target = await realpath(join(root, path))
    if (!isInside(root, target))
      return {
        isFile: false,
        finding: fileFinding(
          path,
          'project/outside',
          'warning',
          'a symbolic link out of the project',
          'files inside it; this one is not read',
        ),
      }
    const found = await stat(target)
    return found.isDirectory()
      ? {
          isFile: false,
          finding: fileFinding(
            path,
            'project/link',
            'info',
            'a symbolic link to a folder',
            'a folder; links to folders are not followed',
          ),
        }
      : { isFile: found.isFile() }
  } catch {
    return {
      isFile: false,
      finding: fileFinding(path, 'project/link', 'info', 'a symbolic link that leads nowhere', 'a file'),
    }
  }
}

/** A file of the listing as text. Whatever is wrong with it is among its findings. */
export async function readStateFile(root: string, path: string): Promise<StateFile> {
  const refuse = (rule: string, found: string, expected: string): StateFile => ({
    path,
    text: null,
    modifiedAt: null,
    findings: [fileFinding(path, rule, 'error', found, expected)],
  })
  try {
    const target = await realpath(join(root, path))
    if (!isInside(root, target))
      return refuse('project/outside', 'a symbolic link out of the project', 'a file inside it')
    // Non-blocking: what was a file may be a pipe by now.
    const file = await open(target, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      const { size, mtimeMs } = found
      if (!found.isFile()) return refuse('file/kind', 'something else than a file', 'a file')
      if (size > MAX_FILE_BYTES)
        return {
          ...refuse('file/size', `${(size / 1024 / 1024).toFixed(1)} MB`, `at most ${MAX_FILE_BYTES / 1024 / 1024} MB`),
          modifiedAt: mtimeMs,
        }
      const bytes = new Uint8Array(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await file.read(bytes, filled, size - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return decodeStateFile(path, bytes.subarray(0, filled), mtimeMs)
    } finally {
      await file.close()
    }
  } catch (error) {
    return refuse(
      'file/unreadable',
      toFailure(describeFileError(error, 'the file', 'read')).message.replace(/\.$/, ''),
      'a file that can be read',
    )
  }
}
