/**
 * Another process may change an agent's path between check and use, so the opened file decides. Linux tells where it
 * lies; elsewhere its resolved path must lead to the same device and inode.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { constants, existsSync, type BigIntStats } from 'node:fs'
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { isInside } from './containedPath'
import { isCode } from './fileErrors'
import { realPath } from './realPath'

export interface AgentFolders {
  readonly names: readonly string[]
  readonly roots: readonly string[]
}

const OPENED = '/proc/self/fd'

const current = new AsyncLocalStorage<AgentFolders>()

export function agentFolders(folders: readonly string[]): AgentFolders {
  const roots = folders.map((folder) => realPath(folder))
  return { names: [...new Set([...folders, ...roots])], roots }
}

/** Files that `run` opens by a name in these folders must lie there; its other files are Bridgedeck's own. */
export const withinFolders = <T>(folders: AgentFolders, run: () => T): T => current.run(folders, run)

export const isAgentsPath = (path: string): boolean =>
  current.getStore()?.names.some((name) => isInside(name, resolve(path))) === true

export function isInFolders({ names, roots }: AgentFolders, path: string): boolean {
  const whole = resolve(path)
  return names.some((name) => isInside(name, whole)) && roots.some((root) => isInside(root, realPath(whole)))
}

/** @throws AppError FORBIDDEN where an agent named the path and what was opened by it lies elsewhere */
export async function requireOpenedInside(path: string, handle: FileHandle): Promise<void> {
  const folders = current.getStore()
  if (!folders || !isAgentsPath(path)) return
  if (!(await isOpenedInside(path, handle, folders.roots))) throw outside(path)
}

export function requireResolvedInside(path: string, real: string): void {
  const folders = current.getStore()
  if (folders && isAgentsPath(path) && !folders.roots.some((root) => isInside(root, real))) throw outside(path)
}

export async function placeOfOpened(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  return (await readlink(join(OPENED, String(handle.fd)))).replace(/ \(deleted\)$/, '')
}

async function isOpenedInside(path: string, handle: FileHandle, roots: readonly string[]): Promise<boolean> {
  const place = await placeOfOpened(handle)
  if (place !== undefined) return roots.some((root) => isInside(root, place))
  const opened = await handle.stat({ bigint: true })
  const there = await foundInside(path, roots).catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  })
  return there?.dev === opened.dev && there.ino === opened.ino
}

async function foundInside(path: string, roots: readonly string[]): Promise<BigIntStats | undefined> {
  const real = await realpath(path)
  return roots.some((root) => isInside(root, real)) ? lstat(real, { bigint: true }) : undefined
}

/**
 * Follows links and creates missing folders. For an agent's path on Linux, the place is below the opened folder, so
 * that a swapped folder is not followed.
 */
export async function inOpenedFolder<T>(named: string, write: (place: string) => Promise<T>): Promise<T> {
  const path = realPath(named)
  if (!isAgentsPath(named)) {
    await mkdir(dirname(path), { recursive: true })
    return write(path)
  }
  if (!isAgentsPath(path)) throw outside(named)
  await makeFolder(dirname(path))
  if (process.platform !== 'linux') return write(path)
  const folder = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await requireOpenedInside(dirname(path), folder)
    return await write(join(OPENED, String(folder.fd), basename(path)))
  } finally {
    await folder.close()
  }
}

async function makeFolder(path: string): Promise<void> {
  if (existsSync(path) || !isAgentsPath(path)) return
  await inOpenedFolder(path, async (place) => {
    await mkdir(place).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error
    })
  })
}

const outside = (path: string): AppError =>
  new AppError('FORBIDDEN', `“${basename(path)}” is outside the folders that you may use.`)
