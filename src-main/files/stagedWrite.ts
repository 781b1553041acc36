/**
 * Written and synced beside the target, then renamed over it, so that readers and a crash see the old or the new file.
 * `atomically` does both at once; here a caller can check the target in between.
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
  commit(): Promise<void>
  commitNow(): void
  discard(): Promise<void>
}

/** Bytes between two syncs. More makes others on the disk wait longer, less takes longer in sum. */
const SYNC_BYTES = 1024 * 1024

/** ms after which files left by a killed process are removed. */
const ABANDONED_AFTER_MS = 60_000

const staged = /^\..+\.([0-9a-f]{6})[0-9a-f]{6}\.tmp$/

export const stagingName = (path: string, pid = process.pid): string =>
  join(
    dirname(path),
    `.${basename(path)}.${pid.toString(16).padStart(6, '0').slice(-6)}${randomBytes(3).toString('hex')}.tmp`,
  )

/**
 * @param content pieces are synced on the way, so that other programs' syncs wait for less: journalling file systems
 * commit in order
 * @param like gives mode and, where allowed, owner; otherwise those of new files
 */
export async function stageFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>,
  like?: { mode: number; uid?: number; gid?: number },
): Promise<StagedFile> {
  const temporary = stagingName(path)
  try {
    // Nobody else may read it before it has its mode.
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

/** Not synced to disk. */
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
 * By a hard link, or where the disk has none (FAT, some network folders) by a copy, which readers may see half made.
 * @throws EEXIST when the name is taken
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

export const PRIVATE = { mode: 0o600 }

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

/** A file that an agent named must stay in the folders that the agent may use. */
export const replaceChosenFile = (
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> =>
  inOpenedFolder(path, async (place) => {
    const like = await stat(place).catch(() => undefined)
    await replaceFile(place, content, like && process.getuid?.() !== 0 ? { mode: like.mode } : like)
  })

/**
 * @param options.isOurs only processes of this computer stage there: their files are removed as soon as those have
 * ended
 */
export async function removeAbandoned(folder: string, { isOurs = false } = {}): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => staged.test(name))) {
    const path = join(folder, name)
    if (isOurs && !isAlive(parseInt(staged.exec(name)?.[1] ?? '', 16))) {
      await rm(path, { force: true, recursive: true })
      continue
    }
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
