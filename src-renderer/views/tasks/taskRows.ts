import type { Task } from '@shared/contract/tasks'
import { isJsonObject, type Json } from '@shared/json'
import { durationText } from '@shared/durationText'
import { titleOfMachine, type MachineTitles } from '../../client/machines'
import type { ChosenOf } from '../../client/viewChoices'

export type Filter = ChosenOf<'tasks.filter'>

export const columns = [
  'state',
  'kind',
  'name',
  'operation',
  'machine',
  'progress',
  'next',
  'started',
  'duration',
  'error',
] as const
export type Column = (typeof columns)[number]

export interface Order {
  readonly column: Column
  readonly descending: boolean
}

export type Tone = 'ok' | 'warn' | 'bad' | 'muted'

export function stateOf({ status, interrupted, orphan, waiting, runner, recorded }: Task): {
  word: string
  tone: Tone
} {
  if (orphan === 'noEntry') return { word: 'no entry', tone: 'warn' }
  if (orphan === 'noFolder') return { word: 'no folder', tone: 'warn' }
  if (interrupted !== null) return { word: 'interrupted', tone: 'warn' }
  if (waiting !== null) return { word: 'waiting', tone: 'warn' }
  if (recorded !== null && (status === 'stopped' || status === 'completed'))
    return recorded.frames > 0 ? { word: 'recorded', tone: 'muted' } : { word: 'nothing recorded', tone: 'warn' }
  switch (status) {
    case 'running':
      return { word: runner === 'elsewhere' ? 'runs elsewhere' : 'running', tone: 'ok' }
    case 'completed':
      return { word: 'completed', tone: 'muted' }
    case 'stopped':
      return { word: 'stopped', tone: 'muted' }
    case 'error':
      return { word: 'failed', tone: 'bad' }
    case 'unknown':
      return { word: 'unknown', tone: 'warn' }
  }
}

const isShown: Readonly<Record<Filter, (task: Task) => boolean>> = {
  all: () => true,
  running: ({ status }) => status === 'running',
  ended: ({ status }) => status === 'completed' || status === 'stopped',
  failed: ({ status, interrupted, orphan }) => status === 'error' || interrupted !== null || orphan !== null,
}

/** Progress, 0 to 1; null where it is not known. */
export function shareOf({ progress, iterations, maxIterations }: Task): number | null {
  const share = progress?.share ?? null
  if (share !== null) return share
  return iterations !== null && maxIterations ? Math.min(1, iterations / maxIterations) : null
}

/** How long it has run, or how much was recorded, ms; null where it is not known. */
export function durationOf(task: Task, now: number): number | null {
  const { startedAt, stoppedAt, updatedAt, status, interrupted, recorded } = task
  if (recorded !== null) return recorded.durationMs
  if (startedAt === null) return null
  const end = stoppedAt ?? (status === 'running' && interrupted === null ? now : updatedAt)
  return end === null ? null : Math.max(0, end - startedAt)
}

export const kindText = ({ type, operation }: Task): string =>
  operation === 'record' ? 'recording' : type === 'background' ? 'recurring' : 'once'

export function nextText({ nextRunAt, status, intervalMs }: Task, now: number): string {
  if (nextRunAt === null || status !== 'running') return ''
  // A task that runs more often than the list is drawn is always due.
  if (intervalMs !== null && intervalMs < 1000) return 'now'
  const left = nextRunAt - now
  return left < 500 ? 'now' : `in ${durationText(left)}`
}

/** `12 of 60`, `12`, `513 frames`, or what a run under way says. */
export function progressText({ progress, iterations, maxIterations, recorded }: Task): string {
  if (recorded !== null) return recorded.frames === 1 ? '1 frame' : `${recorded.frames} frames`
  if (iterations === null) return progress?.text ?? ''
  return maxIterations === null ? String(iterations) : `${iterations} of ${maxIterations}`
}

/** Runs or samples that were due but not made, and how many were due; null where none is known to be missing. */
export function missedOf(
  { iterations, missedTicks }: Pick<Task, 'iterations' | 'missedTicks'>,
  result: Json | undefined,
): { readonly missed: number; readonly due: number } | null {
  if (missedTicks > 0) return { missed: missedTicks, due: missedTicks + (iterations ?? 0) }
  const summary = isJsonObject(result) && isJsonObject(result['summary']) ? result['summary'] : {}
  const { missed, samples } = summary
  return typeof missed === 'number' && typeof samples === 'number' && missed > 0
    ? { missed, due: missed + samples }
    : null
}

const contains = (text: string, searched: string): boolean => text.toLowerCase().includes(searched)

const keyOf: Readonly<Record<Column, (task: Task, now: number, titles: MachineTitles) => string | number>> = {
  state: (task) => stateOf(task).word,
  kind: kindText,
  name: ({ id }) => counterOf(id),
  operation: ({ operation }) => operation,
  machine: ({ machine }, _, titles) => titleOfMachine(titles, machine),
  progress: (task) => shareOf(task) ?? -1,
  next: ({ nextRunAt }) => nextRunAt ?? Infinity,
  started: ({ startedAt }) => startedAt ?? -1,
  duration: (task, now) => durationOf(task, now) ?? -1,
  error: ({ lastError }) => lastError ?? '',
}

export function rowsOf(
  tasks: Iterable<Task>,
  titles: MachineTitles,
  filter: Filter,
  search: string,
  order: Order,
  now: number,
): Task[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (task: Task): boolean => {
    const { id, operation, machine, lastError } = task
    const texts = [id, operation, machine ?? '', titleOfMachine(titles, machine), lastError ?? '', stateOf(task).word]
    return words.every((word) => texts.some((text) => contains(text, word)))
  }
  const rows = [...tasks]
    .filter((task) => isShown[filter](task) && holds(task))
    .map((task) => ({ task, key: keyOf[order.column](task, now, titles) }))
  const sign = order.descending ? -1 : 1
  rows.sort((a, b) => {
    const difference =
      typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : compareText(String(a.key), String(b.key))
    // Infinity minus Infinity is NaN.
    if (difference !== 0 && !Number.isNaN(difference)) return sign * difference
    return counterOf(b.task.id) - counterOf(a.task.id) || compareText(b.task.id, a.task.id)
  })
  return rows.map(({ task }) => task)
}

/** Ids go on after 9999 with more digits. -1 for an id of another program without a number. */
function counterOf(id: string): number {
  const [digits] = /^\d+/.exec(id) ?? []
  return digits === undefined ? -1 : Number(digits)
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
