/**
 * Whole files, replaced in one step. A file is staged beside its target (written, on disk) and then renamed over it, so
 * that readers see the old one or the new one, and a crash leaves one of the two. `atomically` does both steps in one
 * call; here a caller can look at the target once more between them.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inOpenedFolder, requireOpenedInside } from './agentFolders'
import { isCode } from './fileErrors'

export interface StagedFile {
  readonly path: string
  /** Renames it over its target. */
  commit(): Promise<void>
  /** The same with nothing of this process in between. */
  commitNow(): void
  discard(): Promise<void>
}

/** Of content in pieces, between two syncs. More makes others on the disk wait longer, less takes longer in sum. */
const SYNC_BYTES = 1024 * 1024

/** What is left of a process that was killed is removed after this time. */
const ABANDONED_AFTER_MS = 60_000

const staged = /^\..+\.([0-9a-f]{6})[0-9a-f]{6}\.tmp$/

/** A name beside `path` that nothing else has; it tells which process stages there. */
export const stagingName = (path: string, pid = process.pid): string =>
  join(
    dirname(path),
    `.${basename(path)}.${pid.toString(16).padStart(6, '0').slice(-6)}${randomBytes(3).toString('hex')}.tmp`,
  )

/**
 * @param content Pieces are synced on the way, so that what others sync meanwhile waits for a part of it and not for the whole:
 *   journalling file systems commit in order.
 * @param like whose mode, and owner where it is told, the file gets; otherwise what the process gives new files
 */
export async function stageFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>,
  like?: { mode: number; uid?: number; gid?: number },
): Promise<StagedFile> {
  const temporary = stagingName(path)
  try {
    // Nobody else reads it before it has its mode.
    const file = await open(temporary, 'wx', like ? 0o600 : 0o666)
    try {
      await requireOpenedInside(temporary, file)
      if (like) {
        const { uid, gid } = await file.stat()
        if ((like.uid ?? uid) !== uid || (like.gid ?? gid) !== gid) await file.chown(like.uid ?? uid, like.gid ?? gid)
        await file.chmod(like.mode & 0o7777)
      }
      if (typeof content === 'string' || content instanceof Uint8Array) await file.writeFile(content)
      else {
        let unsyncedBytes = 0
        for await (const piece of content) {
          await file.writeFile(piece)
          unsyncedBytes += piece.length
          if (unsyncedBytes < SYNC_BYTES) continue
          await file.datasync()
          unsyncedBytes = 0
        }
      }
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return stagedFile(temporary, path)
}

/** The same at once, with nothing of this process in between, and not on disk yet. */
export function stageNow(path: string, content: string, like: Stats): StagedFile {
  const temporary = stagingName(path)
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      const { uid, gid } = fstatSync(file)
      if (like.uid !== uid || like.gid !== gid) fchownSync(file, like.uid, like.gid)
      fchmodSync(file, like.mode & 0o7777)
      writeFileSync(file, content)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return stagedFile(temporary, path)
}

const stagedFile = (temporary: string, path: string): StagedFile => ({
  path: temporary,
  commit: () => persistently(() => rename(temporary, path)),
  commitNow: () => renameSync(temporary, path),
  discard: () => rm(temporary, { force: true }),
})

/**
 * Gives the content of a file a second name that nothing has yet: by a hard link, or where the disk has none (FAT, some network
 * folders) by a copy, which a reader may find half made for a moment.
 * @throws EEXIST when something has the name
 */
export async function placeNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/** Also where a link is refused to this one file, as it has too many or belongs to somebody else. */
export const isWithoutLinks = (error: unknown): boolean =>
  isCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')

/** Of a file that is nobody else's. */
export const PRIVATE = { mode: 0o600 }

/** Resolves when the new content is on disk under this name. @param like as of `stageFile` */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  like?: { readonly mode: number },
): Promise<void> {
  const file = await stageFile(path, content, like)
  try {
    await file.commit()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Replaces a file that a person or an agent chose; one that an agent named stays in the folders that the agent may use. */
export const replaceChosenFile = (
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> =>
  inOpenedFolder(path, async (place) => {
    const like = await stat(place).catch(() => undefined)
    // Only root may give a file to its owner again.
    await replaceFile(place, content, like && process.getuid?.() !== 0 ? { mode: like.mode } : like)
  })

/**
 * Removes what a killed process staged in this folder.
 * @param options.isOurs whether only processes of this computer stage there: then nothing is waited for once they ended
 */
export async function removeAbandoned(folder: string, { isOurs = false } = {}): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => staged.test(name))) {
    const path = join(folder, name)
    if (isOurs && !isAlive(parseInt(staged.exec(name)?.[1] ?? '', 16))) {
      await rm(path, { force: true, recursive: true })
      continue
    }
    // One that another process is just done with is gone by now.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true, recursive: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

/** On Windows a rename fails for a moment while a virus scanner, an indexer or a reader has the file open. */
async function persistently(action: () => Promise<void>): Promise<void> {
  for (let delay = 10; ; delay *= 2) {
    try {
      await action()
      return
    } catch (error) {
      if (process.platform !== 'win32' || delay > 1_000 || !isCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error
      await wait(delay)
    }
  }
}
