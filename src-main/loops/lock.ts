/** The file names its holder. A lock whose holder has ended is taken over. */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { describeFileError, isCode } from '../files/fileErrors'
import { placeNew, stagingName } from '../files/stagedWrite'
import { childIsAlive, ownStart } from '../storage/children'

/** ms since 1970; older versions wrote a number. */
const startSchema = z.union([z.number(), z.iso.datetime().transform((text) => Date.parse(text))])
const holderSchema = z.object({
  program: z.string().max(200),
  host: z.string().max(300),
  pid: z.int().min(1),
  startedAt: startSchema,
  since: z.string().max(40).optional(),
})
export type LockHolder = z.infer<typeof holderSchema>

export interface LockOptions {
  readonly subject: string
  readonly waitMs?: number
}

const LOCK_RETRY_MS = 20

/**
 * @param work gets the former holder of a lock that was taken over, a run that ended without releasing it
 * @throws AppError CONFLICT while somebody else holds the lock, or may
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  work: (left: LockHolder | undefined) => Promise<T>,
): Promise<T> {
  const content = `${JSON.stringify(ownHolder())}\n`
  const left = await acquire(path, content, options)
  try {
    return await work(left)
  } finally {
    // Somebody else may have taken the lock meanwhile.
    if ((await readLock(path)) === content) await rm(path, { force: true })
  }
}

const ownHolder = () => ({
  program: 'Bridgedeck',
  host: hostname(),
  pid: process.pid,
  startedAt: new Date(ownStart()).toISOString(),
  since: new Date().toISOString(),
})

async function acquire(
  path: string,
  content: string,
  { subject, waitMs = 0 }: LockOptions,
): Promise<LockHolder | undefined> {
  const deadline = performance.now() + waitMs
  // The lock must be complete from its first moment: without its holder's name it is taken for another program's.
  const staged = stagingName(path)
  try {
    await writeFile(staged, content, { flag: 'wx' })
    for (let left: LockHolder | undefined; ;) {
      if (await tryPlace(staged, path)) return left
      const found = await readLock(path)
      if (found === undefined) continue
      const holder = parseHolder(found)
      if (holder && hasEnded(holder)) {
        await setAside(path, found)
        left = holder
      } else if (performance.now() >= deadline) throw await heldError(path, subject, found, holder)
      else await wait(LOCK_RETRY_MS)
    }
  } catch (error) {
    throw describeFileError(error, path, 'written')
  } finally {
    await rm(staged, { force: true })
  }
}

async function tryPlace(staged: string, path: string): Promise<boolean> {
  try {
    await placeNew(staged, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

async function readLock(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => (isCode(error, 'ENOENT') ? undefined : ''))
}

/** Of several who find the same stale lock only one removes it; a lock acquired meanwhile is put back. */
async function setAside(path: string, expected: string): Promise<void> {
  const aside = stagingName(path)
  try {
    await rename(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  try {
    if ((await readFile(aside, 'utf8')) !== expected) await placeNew(aside, path).catch(() => undefined)
  } finally {
    await rm(aside, { force: true })
  }
}

const hasEnded = (holder: LockHolder): boolean => holder.host === hostname() && !childIsAlive(holder)

const parseHolder = (text: string): LockHolder | undefined => storedJson(text, holderSchema)

async function heldError(
  path: string,
  subject: string,
  text: string,
  holder: LockHolder | undefined,
): Promise<AppError> {
  const since = holder?.since ?? (await stat(path).catch(() => undefined))?.mtime.toISOString()
  const quoted = text.trim() === '' ? '' : ` (${JSON.stringify(text.trim().slice(0, 60))})`
  const who = holder ? `${holder.program} (process ${holder.pid} on ${holder.host})` : `an unknown program${quoted}`
  return new AppError('CONFLICT', `${subject} is locked by ${who}${since === undefined ? '' : ` since ${since}`}.`, {
    hint:
      holder?.host === hostname()
        ? 'Stop it there first.'
        : `If ${holder ? 'it has ended there' : 'nothing else runs here'}, delete ${path}.`,
  })
}
