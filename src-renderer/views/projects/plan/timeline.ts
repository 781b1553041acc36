import type { AgentRun } from '@shared/contract/agents'
import type { JournalEntry, Run } from '@shared/contract/orchestration'
import type { RunDetails } from '@shared/contract/runDetails'
import type { FormatTimeline } from './formatTimeline'
import type { TimelineRow } from './timelineRow'

export type { TimelineRow } from './timelineRow'

const timelines = Object.values(import.meta.glob<FormatTimeline>('./timelines/*.ts', { eager: true, import: 'rows' }))

export function timelineOf(
  details: RunDetails | null,
  run: Pick<Run, 'needs'>,
  journal: readonly JournalEntry[],
  turns: readonly Pick<AgentRun, 'turn' | 'agent' | 'state' | 'status' | 'startedAt' | 'endedAt'>[] = [],
): TimelineRow[] {
  const rows: TimelineRow[] = details === null ? [] : timelines.flatMap((rowsOf) => rowsOf(details))
  for (const { title, kind, since } of run.needs) {
    if (since.value !== null)
      rows.push({
        label: title,
        from: since.value,
        to: null,
        tone: 'warn',
        note: `${kind}: needs you`,
        source: since.source,
        key: null,
      })
  }
  for (const { time, file, kind, field, to } of journal) {
    if (kind === 'seen') continue
    const what = kind === 'changed' ? `${field ?? 'the file'}${to === null ? '' : ` → ${to}`}` : 'removed'
    rows.push({
      label: file.slice(file.lastIndexOf('/') + 1),
      from: time,
      to: time,
      tone: 'muted',
      note: `seen: ${what}`,
      source: { file },
      key: null,
    })
  }
  for (const { turn, agent, state, status, startedAt, endedAt } of turns) {
    if (turn === null || startedAt === null) continue
    rows.push({
      label: [turn.role, turn.task].filter((word) => word !== null).join(' '),
      from: startedAt,
      to: endedAt,
      tone: state !== 'ended' ? 'accent' : status === 'success' ? 'ok' : 'bad',
      note: `by ${agent}, measured by Bridgedeck`,
      source: null,
      key: turn.task,
    })
  }
  return rows.filter(({ from, to }) => isTime(from) && (to === null || isTime(to))).sort((a, b) => a.from - b.from)
}

/** The range of a Date, ms since 1970. */
const isTime = (time: number): boolean => Math.abs(time) <= 8.64e15

export interface TimeScale {
  readonly placeOf: (time: number) => number
  readonly from: number
  readonly to: number
  /** How much was left out, ms. */
  readonly leftOut: number
}

/** Upper limit for an idle while, as a share of the time that something took. */
const IDLE_SHARE = 0.05

/**
 * Idle times are shortened. What has no end is only known to have begun.
 * @param end up to which what has no end is drawn
 */
export function timeScale(
  rows: readonly Pick<TimelineRow, 'from' | 'to'>[],
  end: number,
  leaveOutIdle: boolean,
): TimeScale {
  const spans = [
    ...rows.map(({ from, to }) => ({ from, to: Math.max(from, to ?? from) })),
    ...(rows.some(({ to }) => to === null) ? [{ from: end, to: end }] : []),
  ].sort((a, b) => a.from - b.from)
  const [first] = spans
  if (!first) return { placeOf: () => 0, from: end, to: end, leftOut: 0 }
  const busy: { from: number; to: number }[] = []
  for (const { from, to } of spans) {
    const last = busy.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else busy.push({ from, to })
  }
  const last = busy.at(-1)?.to ?? first.to
  const taken = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  const longest = leaveOutIdle ? Math.max(IDLE_SHARE * taken, 0.01 * (last - first.from)) : Infinity
  const points: { time: number; place: number }[] = []
  let place = 0
  let before = first.from
  for (const { from, to } of busy) {
    place += Math.min(from - before, longest)
    points.push({ time: from, place })
    place += to - from
    points.push({ time: to, place })
    before = to
  }
  const whole = place || 1
  const placeOf = (time: number): number => {
    const next = points.findIndex((point) => point.time >= time)
    const b = points[next]
    if (next === -1 || !b) return 1
    const a = points[next - 1]
    if (!a || b.time === a.time) return b.place / whole
    return (a.place + ((b.place - a.place) * (time - a.time)) / (b.time - a.time)) / whole
  }
  return { placeOf, from: first.from, to: last, leftOut: last - first.from - place }
}
