/**
 * Replaces a file that other programs write too, only if it is unchanged. Compare and rename would lose writes in
 * between, so the present file is hard linked, ours is renamed over it, and then the link is compared: if it differs,
 * it is put back. A program that had the file open writes on into the link, which is watched for two seconds. A rename
 * by another program between our link and our rename is found by folder events. Without hard links the file is held
 * open and a copy is put back. Weaker there: a new file is not whole at once, a crash in these microseconds loses the
 * last write, and a rename in them is not found.
 */
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, open, readFile, stat, utimes } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { containedPath } from './containedPath'
import { describeFileError, isCode } from './fileErrors'
import { FolderEvents } from './folderEvents'
import { isWithoutLinks, placeNew, stageFile, stageNow, stagingName, type StagedFile } from './stagedWrite'

export interface Swap {
  /** Relative to the root, with `/`. */
  readonly file: string
  /** Expected content; null for no file. */
  readonly before: string | null
  /** Null deletes the file. */
  readonly after: string | null
  /** Of both texts, where either is binary. */
  readonly encoding?: 'base64' | undefined
  /** For a new file: the file it is moved from. Keeps its mode, and its times where the text is the same. */
  readonly from?: string | undefined
  /** For a new file: the file it is a copy of. Keeps its mode. */
  readonly like?: string | undefined
  readonly mode?: number | undefined
}

export interface SwapOptions {
  /** Project folder without symbolic links. */
  readonly root: string
  /** For Maestro: no symbolic link below the root, new files readable by their owner only. */
  readonly isStrict?: boolean
  readonly signal?: AbortSignal
}

type Aftermath =
  | { readonly kind: 'written'; readonly theirs: string }
  /** It replaced the file in the same instant; what it wrote is lost. */
  | { readonly kind: 'replaced' }

export interface Swapped {
  readonly mode?: number
  /** Settles within two seconds; undefined when nobody else wrote. Never rejects. */
  readonly aftermath: Promise<Aftermath | undefined>
}

export class SwapConflict extends AppError {
  readonly file: string

  constructor(file: string) {
    super('CONFLICT', `${file} was changed by another program in the meantime.`, {
      hint: 'Check the file as it is now, then try again.',
    })
    this.file = file
  }
}

/** ms for which the replaced file is watched. */
const WATCH_MS = 2_000
const CHECK_INTERVAL_MS = 40
/** ms without a change after which a file counts as whole; an empty one never does. */
const SETTLED_MS = 400
/** ms; a file that is still being written then is taken as it is. */
const MAX_WRITE_MS = 10_000

/**
 * @throws SwapConflict when the file is not `before`
 * @throws AppError FORBIDDEN for a place outside the project, INVALID for a file that is no UTF-8 text where `before` is
 */
export async function compareAndSwap(swap: Swap, options: SwapOptions): Promise<Swapped> {
  const { file, before, after, encoding } = swap
  if (before === after) return { aftermath: Promise.resolve(undefined) }
  try {
    const path = await containedPath(file, options)
    if (before === null) return await create(path, swap, options)
    const expected = Buffer.from(before, encoding)
    await expect(path, swap, expected)
    return after === null
      ? await remove(path, file, expected, options)
      : await replace(path, file, expected, Buffer.from(after, encoding), options)
  } catch (error) {
    throw describeFileError(error, file, 'written')
  }
}

/**
 * Only microseconds and no sync lie between reading and replacing, so that it succeeds even with a program that writes
 * all the time.
 * @param merge returns undefined to leave the file as it is
 * @throws SwapConflict when the file changed even so
 * @throws AppError like {@link compareAndSwap}
 */
export async function mergeAndSwap(
  file: string,
  merge: (now: string) => string | undefined,
  options: SwapOptions,
): Promise<(Swapped & { readonly before: string; readonly after: string }) | undefined> {
  try {
    const path = await containedPath(file, options)
    const found = readNow(path, file)
    const before = textOf(found, file)
    const after = merge(before)
    if (after === undefined) return undefined
    if (after === before) return { before, after, aftermath: Promise.resolve(undefined) }
    const swapped = await exchange(
      path,
      file,
      found,
      Buffer.from(after),
      stageNow(path, after, statSync(path)),
      options,
    )
    await syncFile(path)
    return { ...swapped, before, after }
  } catch (error) {
    throw describeFileError(error, file, 'written')
  }
}

async function expect(path: string, { file, encoding }: Swap, expected: Buffer): Promise<void> {
  const found = await readFile(path).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) throw new SwapConflict(file)
    throw error
  })
  if (found.equals(expected)) return
  if (encoding === undefined) textOf(found, file)
  throw new SwapConflict(file)
}

function readNow(path: string, file: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw isCode(error, 'ENOENT') ? new SwapConflict(file) : error
  }
}

/** @throws AppError INVALID for bytes that are not valid UTF-8 */
function textOf(bytes: Buffer, file: string): string {
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return text
  throw new AppError('INVALID', `${file} is not UTF-8 text, and is left as it is.`, {
    hint: 'Convert it with an editor first.',
  })
}

/** What stands there by now may be another program's: then that is on disk the sooner. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(() => undefined)
  try {
    await file?.sync()
  } finally {
    await file?.close()
  }
}

async function create(path: string, swap: Swap, options: SwapOptions): Promise<Swapped> {
  const { file, after, encoding, from, like, mode } = swap
  const content = Buffer.from(after ?? '', encoding)
  const source = await sourceOf(from ?? like, options)
  await mkdir(dirname(path), { recursive: true })
  const own = mode === undefined ? (options.isStrict ? { mode: 0o600 } : undefined) : { mode }
  const staged = await stageFile(path, content, source?.owned ?? own)
  try {
    if (from !== undefined && source?.content.equals(content)) await utimes(staged.path, source.atime, source.mtime)
    await placeNew(staged.path, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (isFolder)
      throw new AppError('INVALID', `${file} is a folder.`, { hint: 'Move or remove it first.', cause: error })
    throw new SwapConflict(file)
  } finally {
    await staged.discard()
  }
  return { aftermath: Promise.resolve(undefined) }
}

async function sourceOf(file: string | undefined, options: SwapOptions) {
  if (file === undefined) return undefined
  const path = await containedPath(file, options)
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const { mode, uid, gid, atime, mtime } = found
  const owned = { mode, ...(process.getuid?.() === 0 ? { uid, gid } : {}) }
  return { owned, atime, mtime, content: await readFile(path) }
}

const replace = async (path: string, file: string, expected: Buffer, content: Buffer, options: SwapOptions) =>
  exchange(path, file, expected, content, await stageFile(path, content, await stat(path)), options)

async function exchange(
  path: string,
  file: string,
  expected: Buffer,
  content: Buffer,
  staged: StagedFile,
  { signal }: SwapOptions,
): Promise<Swapped> {
  const events = new FolderEvents(path)
  const kept = stagingName(path)
  let descriptor: number | undefined
  try {
    const isLinked = linkUnlessWithout(path, kept)
    try {
      if (!isLinked) descriptor = openSync(path, 'r')
      await commit(staged)
      descriptor ??= openSync(kept, 'r')
    } catch (error) {
      rmSync(kept, { force: true })
      throw error
    }
    const found = readWhole(descriptor)
    if (!found.equals(expected)) {
      if (isLinked) putBack(path, kept, content)
      else putBackCopy(path, found, fstatSync(descriptor).mode, content)
      throw new SwapConflict(file)
    }
    rmSync(kept, { force: true })
  } catch (error) {
    events.close()
    if (descriptor !== undefined) closeSync(descriptor)
    await staged.discard()
    throw isCode(error, 'ENOENT') ? new SwapConflict(file) : error
  }
  return {
    aftermath: watchReplaced(
      descriptor,
      expected,
      () => events.hasForeign(basename(kept), basename(staged.path), basename(path)),
      signal,
    ).finally(() => events.close()),
  }
}

function linkUnlessWithout(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    return false
  }
}

/** On Windows a rename may have to wait for a reader; elsewhere nothing comes between link and rename. */
async function commit(staged: StagedFile): Promise<void> {
  if (process.platform === 'win32') await staged.commit()
  else staged.commitNow()
}

/** @param kept another program's version to restore at `path`, where `ours` stands unless others wrote since */
function putBack(path: string, kept: string, ours: Buffer): void {
  let expected: Buffer | bigint = ours
  for (let theirs = kept; ;) {
    const taken = stagingName(path)
    try {
      linkSync(path, taken)
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      // It was deleted since, and that is the newest decision.
      rmSync(theirs)
      return
    }
    const identity: bigint = statSync(theirs, { bigint: true }).ino
    renameSync(theirs, path)
    const isExpected =
      typeof expected === 'bigint'
        ? statSync(taken, { bigint: true }).ino === expected
        : readFileSync(taken).equals(expected)
    if (isExpected) {
      rmSync(taken)
      return
    }
    // Theirs is newer, so it is the one to stand.
    theirs = taken
    expected = identity
  }
}

/** The same where links cannot be made. Where ours does not stand any more, somebody has decided anew. */
function putBackCopy(path: string, theirs: Buffer, mode: number, ours: Buffer): void {
  const copy = stagingName(path)
  try {
    writeFileSync(copy, theirs, { flag: 'wx', mode: mode & 0o777, flush: true })
    if (readFileSync(path).equals(ours)) renameSync(copy, path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  } finally {
    rmSync(copy, { force: true })
  }
}

async function remove(path: string, file: string, expected: Buffer, { signal }: SwapOptions): Promise<Swapped> {
  const kept = stagingName(path)
  try {
    renameSync(path, kept)
  } catch (error) {
    throw isCode(error, 'ENOENT') ? new SwapConflict(file) : error
  }
  const descriptor = openSync(kept, 'r')
  if (!readFileSync(kept).equals(expected)) {
    closeSync(descriptor)
    try {
      await placeNew(kept, path)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    rmSync(kept)
    throw new SwapConflict(file)
  }
  rmSync(kept)
  const mode = fstatSync(descriptor).mode & 0o7777
  return { mode, aftermath: watchReplaced(descriptor, expected, () => false, signal) }
}

/** Follows the replaced file, which has no name any more, for as long as a program that has it open may still write. */
async function watchReplaced(
  descriptor: number,
  expected: Buffer,
  wasReplaced: () => boolean,
  signal: AbortSignal | undefined,
): Promise<Aftermath | undefined> {
  try {
    const start = performance.now()
    let last = expected
    let changedAt = 0
    for (;;) {
      const time = performance.now()
      const isEnding = signal?.aborted === true
      const now = readWhole(descriptor)
      if (!now.equals(last)) {
        last = now
        changedAt = time
      }
      const isOver = isEnding || time - start >= WATCH_MS
      const isWhole = last.length > 0 && time - changedAt >= SETTLED_MS
      if (last.equals(expected)) {
        if (wasReplaced()) return { kind: 'replaced' }
        if (isOver) return undefined
      } else if (isWhole || isEnding || time - start >= (last.length > 0 ? MAX_WRITE_MS : WATCH_MS))
        return { kind: 'written', theirs: last.toString() }
      await wait(CHECK_INTERVAL_MS, undefined, signal ? { signal } : {}).catch(() => undefined)
    }
  } catch {
    // It cannot be read any more, as on a disk that was taken out.
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

function readWhole(descriptor: number): Buffer {
  const { size } = fstatSync(descriptor)
  const bytes = Buffer.alloc(size)
  let filled = 0
  for (let count = -1; filled < size && count !== 0; filled += count)
    count = readSync(descriptor, bytes, filled, size - filled, filled)
  return bytes.subarray(0, filled)
}
