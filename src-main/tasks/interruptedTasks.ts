import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { isJsonObject, type Json } from '@shared/json'
import { removeAbandoned } from '../files/stagedWrite'
import { whoRuns } from './describeTask'
import { readEntry, type RecordedTotal } from './entry'
import { endAbandonedSessions } from './sessions'
import type { StoredTask, TaskStore } from './store'
import { lastKeptRun, withRuns } from './runHistory'
import { appendLog, hasResult, readResult, writeResult } from './taskFolder'
import { stopElsewhere } from './stopRequest'
import { formatTimestamp } from './timestamps'

export interface InterruptedTasksOptions {
  readonly store: TaskStore
  readonly isLive: (id: string) => boolean
  readonly recordedIn: (folder: string) => Promise<RecordedTotal | null>
  readonly log: (message: string, error?: unknown) => void
}

/**
 * Ends our tasks that say they run and whose process is gone: a single one has failed, a recurring one is stopped and
 * can be resumed. Tasks of other programs stay as they are.
 */
export async function endInterruptedTasks({ store, isLive, recordedIn, log }: InterruptedTasksOptions): Promise<void> {
  for (const id of store.ids) {
    const task = store.get(id)
    if (task?.entry.status !== 'running' || task.own === null || task.folder === null) continue
    if (isLive(id) || store.isOwnerAlive(id)) continue
    try {
      await endInterrupted(store, id, task, task.folder, recordedIn)
    } catch (error) {
      // Another process does it, or runs it again; or it was deleted meanwhile.
      if (store.get(id) !== undefined && !(error instanceof AppError && error.code === 'CONFLICT'))
        log(`The end of ${id}, which was interrupted, could not be written: ${toFailure(error).message}`)
    }
  }
}

/** Sessions with only other programs' tasks are theirs, and stay. */
export async function endInterruptedSessions(store: TaskStore): Promise<void> {
  await endAbandonedSessions(store.home, (ids) => {
    const known = ids.filter((id) => store.get(id) !== undefined)
    const isTheirs = known.length > 0 && known.every((id) => store.get(id)?.own === null)
    return isTheirs || known.some((id) => store.isOwnerAlive(id))
  })
}

/**
 * Also for a task of another program.
 * @throws AppError BUSY when another process runs it
 */
export async function stopInterrupted(store: TaskStore, id: string): Promise<void> {
  const stored = store.require(id)
  const { runner, interrupted } = whoRuns(stored, undefined)
  if (runner === 'elsewhere') {
    if (await stopElsewhere(store, id)) return
    throw new AppError('BUSY', `${id} is run by another program.`, {
      hint: 'Stop it there.',
      ...(stored.own?.owner ? { details: { pid: stored.own.owner.pid } } : {}),
    })
  }
  const now = Date.now()
  if (stored.folder !== null)
    await appendLog(stored.folder, `stopped after it was interrupted. ${interrupted ?? ''}`, now)
  await store.change(id, { status: 'stopped', updatedAt: now, stoppedAt: now })
}

async function endInterrupted(
  store: TaskStore,
  id: string,
  task: StoredTask,
  folder: string,
  recordedIn: InterruptedTasksOptions['recordedIn'],
): Promise<void> {
  const { type, operation, updatedAt, startedAt, iterations } = readEntry(task.entry)
  const reason = whoRuns(task, undefined).interrupted ?? 'Interrupted.'
  const status = type === 'background' ? 'stopped' : 'error'
  const stoppedAt = await lastSignOf(folder, updatedAt ?? startedAt ?? Date.now())
  const runs = Math.max(iterations ?? 0, await lastKeptRun(folder))
  const counted = type === 'background' ? { iterations: runs } : {}
  const recorded = operation === 'record' ? await recordedIn(folder) : null
  await store.takeOver(
    id,
    { status, updatedAt: Date.now(), stoppedAt, lastError: reason, ...counted },
    {
      interrupted: type === 'background',
      recorded: recorded ?? undefined,
      work: async () => {
        await removeAbandoned(folder, { isOurs: true })
        await endResult(folder, status, stoppedAt, { runs, recorded })
        await appendLog(folder, reason.replace(/^I/, 'i'), Date.now())
      },
    },
  )
}

/**
 * When the task wrote last, ms since 1970.
 * @param otherwise at least this
 */
async function lastSignOf(folder: string, otherwise: number): Promise<number> {
  const log = await stat(join(folder, 'log.txt')).catch(() => undefined)
  return Math.max(otherwise, log?.mtimeMs ?? 0)
}

async function endResult(
  folder: string,
  status: 'stopped' | 'error',
  completedAt: number,
  { runs, recorded }: { readonly runs: number; readonly recorded: RecordedTotal | null },
): Promise<void> {
  if (!(await hasResult(folder))) return
  const result = await readResult(folder).catch(() => null)
  if (!isJsonObject(result) || result.status !== 'running') return
  const ended = Object.entries(result).flatMap<[string, Json]>(([key, value]) =>
    key === 'status'
      ? [
          ['completed', formatTimestamp(completedAt)],
          ['status', status],
        ]
      : [[key, value]],
  )
  const summary = withRuns(result.summary, runs)
  await writeResult(folder, {
    ...Object.fromEntries(ended),
    ...(summary ? { summary: { ...summary, ...recorded } } : {}),
  })
}
