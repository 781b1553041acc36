import type { TaskStatus, TaskType } from '@shared/contract/tasks'
import { isJsonObject, type Json, type JsonObject } from '@shared/json'
import { folderOf } from './taskId'
import { formatTimestamp, parseTimestamp } from './timestamps'
import { ownStart } from '../storage/children'

/** Times are ms since 1970; null stands for what is missing or not understood. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly type: TaskType
  readonly operation: string
  readonly args: Json
  readonly intervalMs: number | null
  readonly maxIterations: number | null
  readonly iterations: number | null
  readonly status: TaskStatus
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly stoppedAt: number | null
  readonly lastError: string | null
  readonly nextRunAt: number | null
  readonly folder: string | null
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
const count = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
const statuses: readonly unknown[] = ['running', 'completed', 'stopped', 'error'] satisfies TaskStatus[]
const isStatus = (value: unknown): value is TaskStatus => statuses.includes(value)

export function readEntry(raw: JsonObject): Entry {
  const intervalMs = typeof raw.intervalMs === 'number' && raw.intervalMs >= 0 ? raw.intervalMs : null
  const isOfAType = raw.type === 'foreground' || raw.type === 'background'
  const id = text(raw.id) ?? ''
  return {
    id,
    name: text(raw.name) ?? id,
    // The oldest c64bridge wrote none and had recurring tasks only.
    type: isOfAType ? (raw.type as TaskType) : intervalMs === null ? 'foreground' : 'background',
    operation: text(raw.operation) ?? '',
    args: raw.args ?? {},
    intervalMs,
    maxIterations: count(raw.maxIterations),
    iterations: count(raw.iterations),
    status: isStatus(raw.status) ? raw.status : 'unknown',
    startedAt: parseTimestamp(raw.startedAt),
    updatedAt: parseTimestamp(raw.updatedAt),
    stoppedAt: parseTimestamp(raw.stoppedAt),
    lastError: text(raw.lastError),
    nextRunAt: parseTimestamp(raw.nextRunAt),
    folder: text(raw.folder),
  }
}

export interface NewTask {
  readonly name: string
  readonly type: TaskType
  readonly operation: string
  readonly args: JsonObject
  readonly intervalMs?: number
  /** Background only; without it the task goes on until it is stopped. */
  readonly maxIterations?: number
  /** ms since 1970. */
  readonly startedAt: number
}

export function newEntry(id: string, task: NewTask): JsonObject {
  const { name, type, operation, args, intervalMs, maxIterations, startedAt } = task
  const now = formatTimestamp(startedAt)
  return {
    id,
    name,
    type,
    operation,
    args,
    ...(type === 'background'
      ? { intervalMs: intervalMs ?? 1000, ...(maxIterations === undefined ? {} : { maxIterations }), iterations: 0 }
      : {}),
    status: 'running',
    startedAt: now,
    updatedAt: now,
    stoppedAt: null,
    lastError: null,
    folder: folderOf(type, id),
  }
}

/** What changes in an entry while its task lives; times are ms since 1970. */
export interface EntryChanges {
  readonly status?: Exclude<TaskStatus, 'unknown'>
  readonly iterations?: number
  readonly updatedAt?: number
  readonly stoppedAt?: number | null
  readonly lastError?: string | null
}

/** All other fields, also those of other programs, stay as they are. */
export function changeEntry(raw: JsonObject, { updatedAt, stoppedAt, ...others }: EntryChanges): JsonObject {
  return {
    ...raw,
    ...others,
    ...(updatedAt === undefined ? {} : { updatedAt: formatTimestamp(updatedAt) }),
    ...(stoppedAt === undefined ? {} : { stoppedAt: stoppedAt === null ? null : formatTimestamp(stoppedAt) }),
  }
}

/** A process by its id and when it started, since ids are used again. */
export interface ProcessIdentity {
  readonly pid: number
  /** ms since 1970. */
  readonly startedAt: number
}

export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  startedAt: ownStart(),
})

export interface OwnPart {
  readonly machine: string | null
  readonly owner: ProcessIdentity | null
  /** Of two versions of a task the one with the higher revision counts. */
  readonly revision: number
  readonly interrupted?: boolean
  readonly recorded?: RecordedTotal
}

export interface RecordedTotal {
  readonly frames: number
  readonly durationMs: number
}

export interface TaskFile {
  readonly entry: JsonObject
  readonly own: OwnPart | null
}

export function readTaskFile(json: Json): TaskFile | undefined {
  if (!isJsonObject(json)) return undefined
  const {
    resultPath: _resultPath,
    machine = null,
    owner = null,
    revision = null,
    interrupted,
    recorded,
    ...entry
  } = json
  const ownRevision = count(revision)
  if (ownRevision === null || !isJsonObject(owner)) {
    const { resultPath: _ignored, ...foreign } = json
    return { entry: foreign, own: null }
  }
  const total = readRecorded(recorded)
  const [pid, startedAt] = [count(owner.pid), parseTimestamp(owner.startTime)]
  return {
    entry,
    own: {
      machine: text(machine),
      owner: pid === null || startedAt === null ? null : { pid, startedAt },
      revision: ownRevision,
      ...(interrupted === true ? { interrupted } : {}),
      ...(total ? { recorded: total } : {}),
    },
  }
}

function readRecorded(recorded: Json | undefined): RecordedTotal | undefined {
  const { frames, durationMs } = isJsonObject(recorded) ? recorded : {}
  const [frameCount, duration] = [count(frames), count(durationMs)]
  return frameCount === null || duration === null ? undefined : { frames: frameCount, durationMs: duration }
}

export function taskFileOf(
  entry: JsonObject,
  folder: string | null,
  { machine, owner, revision, interrupted, recorded }: OwnPart,
): JsonObject {
  return {
    ...entry,
    ...(folder === null ? {} : { resultPath: `${folder}/result.json` }),
    machine,
    owner: owner && { pid: owner.pid, startTime: formatTimestamp(owner.startedAt) },
    revision,
    ...(interrupted === true ? { interrupted } : {}),
    ...(recorded ? { recorded: { ...recorded } } : {}),
  }
}
