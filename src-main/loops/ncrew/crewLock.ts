/** `.noodlecrew/.lock`: who runs a crew. One that is left over from a process that has ended is taken over. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import { describeFileError } from '../../files/fileErrors'
import { placeNew, stagingName } from '../../files/stagedWrite'
import { childIsAlive } from '../../storage/children'
import { ownFolder } from './ownFolder'

const ownerSchema = z.object({
  program: z.string().max(200),
  host: z.string().max(300),
  pid: z.int().min(1),
  startedAt: z.string().max(40),
  since: z.string().max(40),
})
type LockOwner = z.infer<typeof ownerSchema>

export interface CrewLock {
  /** Whose lock was taken over: a run that ended without saying so. */
  readonly left: LockOwner | undefined
  release(): Promise<void>
}

/**
 * @param root of the crew, links resolved
 * @throws AppError CONFLICT when somebody runs it, or may
 */
export async function takeLock(root: string): Promise<CrewLock> {
  const path = join(await ownFolder(root, '.noodlecrew'), '.lock')
  const owner: LockOwner = {
    program: 'bridgedeck',
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    since: new Date().toISOString(),
  }
  const text = `${JSON.stringify(owner)}\n`
  // With its content at once: a lock that says nothing of its owner cannot be told from another program's.
  const staged = stagingName(path)
  try {
    await writeFile(staged, text, { flag: 'wx' })
    for (let left: LockOwner | undefined; ;) {
      try {
        await placeNew(staged, path)
        return { left, release: () => releaseLock(path, text) }
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw describeFileError(error, path, 'written')
      }
      const found = await readFile(path, 'utf8').catch(() => undefined)
      if (found === undefined) continue
      left = endedOwner(found, path)
      await setAside(path, found)
    }
  } finally {
    await rm(staged, { force: true })
  }
}

/** Only one of several that see the same left-over lock takes it away, and none takes a new one. */
async function setAside(path: string, expected: string): Promise<void> {
  const aside = stagingName(path)
  try {
    await rename(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw describeFileError(error, path, 'written')
  }
  try {
    if ((await readFile(aside, 'utf8')) !== expected) await placeNew(aside, path).catch(() => undefined)
  } finally {
    await rm(aside, { force: true })
  }
}

async function releaseLock(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true })
}

/** @throws AppError CONFLICT unless it is certain that the owner has ended */
function endedOwner(text: string, path: string): LockOwner {
  const owner = parseOwner(text)
  if (!owner)
    throw new AppError('CONFLICT', `${path} says that this crew is running, but not where.`, {
      hint: 'If it is not running, delete that file.',
    })
  const who = `${owner.program} (process ${owner.pid} on ${owner.host}, since ${owner.since})`
  if (owner.host !== hostname())
    throw new AppError('CONFLICT', `${who} is running this crew.`, { hint: `If it has ended there, delete ${path}.` })
  if (childIsAlive({ pid: owner.pid, startedAt: Date.parse(owner.startedAt) }))
    throw new AppError('CONFLICT', `${who} is already running this crew.`, { hint: 'Stop it there first.' })
  return owner
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
