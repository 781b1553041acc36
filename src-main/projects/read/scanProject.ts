/** The project's folder is untrusted: nothing outside is read, and everything is bounded. */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { isFileName } from '@shared/contract/fileName'
import { requireResolvedInside } from '../../files/agentFolders'
import { isInside } from '../../files/containedPath'
import { describeFileError } from '../../files/fileErrors'
import { fileFinding, quote, type Finding } from '../../formats/finding'
import { Listing, within } from '../../formats/listing'

/** Files and folders of one project, and folders in each other. */
const MAX_ENTRIES = 200_000
const MAX_LEVELS = 40
const MAX_PARALLEL_READS = 16

/** They hold many files of other people, and never a run. */
export const skipped: ReadonlySet<string> = new Set(['node_modules', '.git'])

export interface Scan {
  readonly root: string
  readonly listing: Listing
  readonly findings: readonly Finding[]
}

/** @throws AppError when the folder itself cannot be read */
export async function scanProject(folder: string, signal: AbortSignal): Promise<Scan> {
  const root = await realFolder(folder)
  const found = new Found(root)
  let level = ['']
  for (let depth = 0; level.length > 0 && depth < MAX_LEVELS; depth++) {
    const next: string[] = []
    for (let from = 0; from < level.length && !found.isFull; from += MAX_PARALLEL_READS) {
      signal.throwIfAborted()
      const batch = level.slice(from, from + MAX_PARALLEL_READS)
      const listed = await Promise.all(batch.map((path) => listFolder(root, path)))
      for (const { path, entries, error } of listed) {
        if (error !== undefined && path === '') throw describeFileError(error, folder, 'read')
        next.push(...(await found.add(path, entries)))
      }
    }
    level = found.isFull ? [] : next
  }
  if (level[0] !== undefined)
    found.leaveOut(level[0], 'project/depth', `folders more than ${MAX_LEVELS} levels deep`, SEARCHABLE)
  return { root, listing: new Listing(found.files, found.folders), findings: found.findings }
}

interface ListedFolder {
  readonly path: string
  readonly entries?: readonly Dirent[]
  readonly error?: unknown
}

async function listFolder(root: string, path: string): Promise<ListedFolder> {
  try {
    return { path, entries: await readdir(join(root, path), { withFileTypes: true }) }
  } catch (error) {
    return { path, error }
  }
}

class Found {
  readonly files: string[] = []
  readonly folders: string[] = []
  readonly findings: Finding[] = []
  isFull = false
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async add(folder: string, entries: readonly Dirent[] | undefined): Promise<string[]> {
    if (this.isFull) return []
    if (!entries) {
      this.leaveOut(folder, 'project/unreadable', 'a folder that may not be read', 'a folder that can be looked into')
      return []
    }
    const next: string[] = []
    const unshowable: string[] = []
    for (const entry of entries) {
      const path = within(folder, entry.name)
      if (!isFileName(path)) {
        unshowable.push(entry.name)
        continue
      }
      if (this.files.length + this.folders.length >= MAX_ENTRIES) {
        this.isFull = true
        this.leaveOut(folder, 'project/size', `more than ${MAX_ENTRIES} files and folders`, SEARCHABLE)
        return []
      }
      if (entry.isFile()) this.files.push(path)
      else if (entry.isSymbolicLink()) await this.#addLink(path)
      else if (entry.isDirectory() && !skipped.has(entry.name)) {
        this.folders.push(path)
        next.push(path)
      }
    }
    this.#leaveOutNames(folder, unshowable)
    return next
  }

  leaveOut(path: string, rule: string, found: string, expected: string): void {
    this.findings.push(fileFinding(path, rule, 'warning', found, expected))
  }

  #leaveOutNames(folder: string, names: readonly string[]): void {
    const [first, ...more] = names
    if (first === undefined) return
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    this.leaveOut(
      folder,
      'project/name',
      `${quote(first)}${others}, left out as such names cannot be shown`,
      'names in UTF-8 without control characters, at most 1,000 characters with their folders',
    )
  }

  async #addLink(path: string): Promise<void> {
    const { isFile, finding } = await followLink(this.#root, path)
    if (isFile) this.files.push(path)
    if (finding) this.findings.push(finding)
  }
}

const SEARCHABLE = 'a project that can be searched as a whole'

async function realFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    requireResolvedInside(folder, root)
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

/**
 * A link to a file of the project counts as that file; folders are not entered through links, so there are no loops.
 */
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
