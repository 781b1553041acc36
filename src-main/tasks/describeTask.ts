import { machineNameSchema } from '@shared/contract/machine'
import type { Task } from '@shared/contract/tasks'
import { childIsAlive } from '../storage/children'
import type { Catalogue } from './catalogue'
import { readEntry, type Entry, type OwnPart } from './entry'
import type { LiveTask } from './liveTask'
import type { StoredTask } from './store'
import { formatTimestamp } from './timestamps'

/** A recurring task of another program may be late by this. */
const OVERDUE_GRACE_MS = 10_000

export interface Running {
  readonly runner: Task['runner']
  readonly interrupted: string | null
}

export function whoRuns({ entry, own }: StoredTask, live: LiveTask | undefined, now = Date.now()): Running {
  const read = readEntry(entry)
  if (live) return { runner: 'here', interrupted: null }
  if (read.status !== 'running')
    return { runner: 'nobody', interrupted: own?.interrupted === true ? read.lastError : null }
  const evidence = own ? evidenceOfOwner(own, read) : evidenceOfTime(read, now)
  return { runner: evidence === null ? 'elsewhere' : 'nobody', interrupted: evidence }
}

function evidenceOfOwner({ owner }: OwnPart, { updatedAt }: Entry): string | null {
  if (owner === null) return 'Interrupted: its files do not say in which process it ran.'
  if (owner.pid !== process.pid && childIsAlive(owner)) return null
  const written = updatedAt === null ? '' : ` Last updated at ${formatTimestamp(updatedAt)}.`
  return `Interrupted: its process ${owner.pid}, started at ${formatTimestamp(owner.startedAt)}, is gone.${written}`
}

/** c64bridge names no process: the only sign is a run that is overdue. */
function evidenceOfTime({ nextRunAt, updatedAt, intervalMs }: Entry, now: number): string | null {
  const toleratedMs = (intervalMs ?? 0) + OVERDUE_GRACE_MS
  if (nextRunAt !== null) {
    return now - nextRunAt > toleratedMs
      ? `Its files say it runs, but its next run has been due since ${formatTimestamp(nextRunAt)}.`
      : null
  }
  if (updatedAt === null) return 'Its files say it runs, but not since when.'
  return now - updatedAt > toleratedMs
    ? `Its files say it runs, but were last updated at ${formatTimestamp(updatedAt)}.`
    : null
}

export function describeTask(stored: StoredTask, live: LiveTask | undefined, catalogue: Catalogue): Task {
  const { own, orphan, notices } = stored
  const entry = readEntry(stored.entry)
  const { runner, interrupted } = whoRuns(stored, live)
  const state = live?.state
  const machine = machineNameSchema.safeParse(own?.machine).data ?? null
  const isKnown = catalogue.get(entry.operation) !== undefined
  return {
    id: entry.id,
    name: entry.name.slice(0, 300),
    type: entry.type,
    operation: entry.operation.slice(0, 300),
    status: entry.status,
    machine,
    intervalMs: entry.intervalMs,
    maxIterations: entry.maxIterations,
    iterations: state && entry.type === 'background' ? state.iterations : entry.iterations,
    startedAt: entry.startedAt,
    updatedAt: entry.updatedAt,
    stoppedAt: entry.stoppedAt,
    lastError: entry.lastError?.slice(0, 1000) ?? null,
    folder: (entry.folder ?? '').slice(0, 1000),
    nextRunAt: state?.nextRunAt ?? null,
    missedTicks: state?.missedTicks ?? 0,
    progress: state?.progress ?? null,
    recorded: state ? state.recorded : (own?.recorded ?? null),
    runner,
    waiting: state?.waiting?.slice(0, 1000) ?? null,
    interrupted,
    resumable:
      state?.waitsForPerson ??
      (entry.type === 'background' &&
        own !== null &&
        interrupted !== null &&
        isKnown &&
        machine !== null &&
        orphan === null),
    orphan,
    own: own !== null,
    notices: notices.slice(0, 10).map((notice) => notice.slice(0, 1000)),
  }
}
