import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { placeNew, stagingName } from '../../files/stagedWrite'
import { childIsAlive } from '../../storage/children'

/** How long another host may hold it before the caller gives up, ms: the specification's lock_timeout_ms. */
const LOCK_TIMEOUT = 5_000
/** Between two tries, ms. */
const LOCK_RETRY_MS = 20

const ownerSchema = z.object({ program: z.string(), pid: z.int(), host: z.string(), startedAt: z.number() })

const self = {
  program: 'Bridgedeck',
  pid: process.pid,
  host: hostname(),
  startedAt: Date.now() - process.uptime() * 1000,
}

/**
 * Does the work while `session.json.lock` is there: a file whose presence is the lock. One that a Bridgedeck of this computer
 * left behind when it was killed is cleared away; any other that stays is for the person.
 * @throws AppError CONFLICT after `timeout` ms, naming who holds it as far as it says
 */
export async function withSessionLock<T>(path: string, work: () => Promise<T>, timeout = LOCK_TIMEOUT): Promise<T> {
  const deadline = performance.now() + timeout
  for (;;) {
    if (await tryTake(path)) {
      try {
        return await work()
      } finally {
        await rm(path, { force: true })
      }
    }
    const text = await textOf(path)
    if (isLeftBehind(text)) await clearAway(path, text)
    else if (performance.now() > deadline) throw await heldBySomebody(path)
    else await wait(LOCK_RETRY_MS)
  }
}

/** With its owner's name in it from the first moment on. */
async function tryTake(path: string): Promise<boolean> {
  const named = stagingName(path)
  try {
    await writeFile(named, `${JSON.stringify(self)}\n`, { flag: 'wx' })
    await placeNew(named, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(named, { force: true })
  }
}

/** One that was taken anew in between is put back. */
async function clearAway(path: string, text: string): Promise<void> {
  const taken = stagingName(path)
  await rename(path, taken).catch(() => undefined)
  if ((await textOf(taken)) !== text) await placeNew(taken, path).catch(() => undefined)
  await rm(taken, { force: true })
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

function isLeftBehind(text: string): boolean {
  const owner = ownerOf(text)
  return owner?.program === self.program && owner.host === self.host && !childIsAlive(owner)
}

function ownerOf(text: string): z.infer<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

async function heldBySomebody(path: string): Promise<AppError> {
  const text = await textOf(path)
  const owner = ownerOf(text)
  const since = await stat(path).then(
    ({ mtime }) => ` since ${mtime.toISOString()}`,
    () => '',
  )
  const who = owner
    ? `${owner.program} (process ${owner.pid} on ${owner.host})`
    : text.trim() === ''
      ? 'an unknown program'
      : `somebody (${JSON.stringify(text.trim().slice(0, 60))})`
  return new AppError('CONFLICT', `session.json is locked by ${who}${since}.`, {
    hint: 'If no host is running, delete session.json.lock.',
  })
}
