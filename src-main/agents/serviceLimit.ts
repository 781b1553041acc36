import type { PresetName } from '@shared/agentPresets'
import type { ServiceRefusal } from '@shared/contract/agents'
import { isOfService, kindOfFailure, type Failure } from './failureKind'

/**
 * @param didNothing the agent said and did nothing before
 * @param now ms since 1970
 */
export function serviceRefusal(
  preset: PresetName,
  failure: Failure,
  now: number,
  didNothing = false,
): ServiceRefusal | undefined {
  if (preset === 'custom') return undefined
  const { kind, resetsAt } = kindOfFailure(failure, now)
  if (kind === 'unreachable' || kind === 'person') return { kind, resetsAt: null }
  if (kind === undefined && didNothing && isOfService(failure)) return { kind: 'unknown', resetsAt: null }
  if (kind !== 'usage-limit') return undefined
  return { kind, resetsAt: believable(resetsAt, now) ?? resetTime(failure.words, now) }
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A time further off is not trusted. */
const MAX_WAIT_MS = 8 * DAY_MS

function resetTime(text: string, now: number): number | null {
  const found =
    epochTime(text) ?? writtenTime(text) ?? relativeTime(text, now) ?? datedTime(text, now) ?? clockTime(text, now)
  return believable(found, now) ?? null
}

const believable = (time: number | undefined, now: number): number | undefined =>
  time === undefined || Number.isNaN(time) || time - now > MAX_WAIT_MS ? undefined : Math.max(time, now)

/** `usage limit reached|1749924000` */
function epochTime(text: string): number | undefined {
  const [, seconds] = /reached\|(\d{10})\b/.exec(text) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** `It will reset at 2026-07-30 16:11:46 +0800 CST` */
function writtenTime(text: string): number | undefined {
  const [, day, clock, zone] =
    /\breset(?:s)?(?: at)? (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?) ?(Z|[+-]\d\d:?\d\d)?/i.exec(text) ?? []
  if (day === undefined || clock === undefined) return undefined
  const time = Date.parse(`${day}T${clock}${zone?.replace(/(\d\d):?(\d\d)$/, '$1:$2') ?? ''}`)
  return Number.isNaN(time) ? undefined : time
}

const UNITS_MS = { d: DAY_MS, h: 3_600_000, m: MINUTE_MS, s: 1_000 }

/** `reset after 3h12m5s`, `try again in 3 days 4 hours 12 minutes`, `retry in 34.07s`, `Retrying after 6173ms` */
function relativeTime(text: string, now: number): number | undefined {
  const [, length] =
    /\b(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:days?|hours?|minutes?|mins?|seconds?|secs?|ms|[dhms])[\s,]*(?:and\s+)?){1,4})/i.exec(
      text,
    ) ?? []
  if (length === undefined) return undefined
  const parts = [...length.matchAll(/(\d+(?:\.\d+)?)\s*(ms\b|[dhms])/gi)]
  const unitOf = (unit: string) =>
    unit === 'ms' ? 1 : UNITS_MS[unit === 'd' || unit === 'h' || unit === 's' ? unit : 'm']
  return now + parts.reduce((sum, [, count = '0', unit = 'm']) => sum + Number(count) * unitOf(unit.toLowerCase()), 0)
}

const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))?\s*([ap]m)?`
const ZONE = String.raw`(?:\s*\(([A-Za-z0-9_/+-]+)\))?`

/**
 * `resets Oct 9, 5pm`, `resets Sep 15 at 7pm (Asia/Seoul)`, `try again at Oct 9th, 2025 3:45 PM`: without a zone, the
 * computer's.
 */
function datedTime(text: string, now: number): number | undefined {
  const pattern = new RegExp(
    String.raw`\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}),?)?(?: at)? ${CLOCK}${ZONE}`,
    'i',
  )
  const [, month, day, year, hour, minute, half, zone] = pattern.exec(text) ?? []
  if (month === undefined || hour === undefined) return undefined
  const [h, m] = timeOfDay(hour, minute, half)
  const inYear = (number: number | string) => {
    const time = new Date(`${month} ${day ?? ''} ${number} ${h}:${String(m).padStart(2, '0')}`).getTime()
    return Number.isNaN(time) ? time : inZone(time, zone)
  }
  const thisYear = new Date(now).getFullYear()
  const time = inYear(year ?? thisYear)
  if (Number.isNaN(time)) return undefined
  return year === undefined && time < now - DAY_MS ? inYear(thisYear + 1) : time
}

/** A session's limit lasts five hours, others a week. */
const MAX_SESSION_WAIT_MS = 6 * 3_600_000
const MAX_CLOCK_WAIT_MS = 22 * 3_600_000

/** `resets 3pm (Europe/Berlin)`, `resets at 15:00`: the next such time; at once where it has just been. */
function clockTime(text: string, now: number): number | undefined {
  const pattern = new RegExp(String.raw`(?:resets?|again)(?: at)? ${CLOCK}${ZONE}`, 'i')
  const [whole, hour, minute, half, zone] = pattern.exec(text) ?? []
  if (whole === undefined || hour === undefined || (minute === undefined && half === undefined)) return undefined
  const [h, m] = timeOfDay(hour, minute, half)
  const wait = (h * 60 + m - minutesOfDay(now, zone) + 24 * 60) % (24 * 60)
  const most = /\bsession\b|\b\d+-hour\b/i.test(text) ? MAX_SESSION_WAIT_MS : MAX_CLOCK_WAIT_MS
  return wait * MINUTE_MS > most ? now : Math.floor(now / MINUTE_MS) * MINUTE_MS + wait * MINUTE_MS
}

function timeOfDay(hour: string, minute: string | undefined, half: string | undefined): [hour: number, minute: number] {
  const isAfternoon = half?.toLowerCase() === 'pm'
  return [half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0), Number(minute ?? 0)]
}

const inZone = (time: number, zone: string | undefined): number =>
  time - wallTime(time, zone) + wallTime(time, undefined)

const minutesOfDay = (time: number, zone: string | undefined): number =>
  Math.floor(wallTime(time, zone) / MINUTE_MS) % 1440

/**
 * Clock time in whole minutes, as ms since 1970 as if it were UTC.
 * @param zone untrusted; the computer's own where there is no such zone
 */
function wallTime(time: number, zone: string | undefined): number {
  const format = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(time)
  let text: string
  try {
    text = format(zone)
  } catch {
    text = format(undefined)
  }
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}

export interface RefusedTries {
  readonly count: number
  readonly kind: ServiceRefusal['kind']
  readonly untold: number
}

const liesAhead = ({ resetsAt }: ServiceRefusal, now: number): boolean => resetsAt !== null && resetsAt > now

export function afterRefusal(before: RefusedTries | undefined, refusal: ServiceRefusal, now: number): RefusedTries {
  const { kind } = refusal
  const earlier = before?.kind === kind ? before.untold : 0
  return { count: (before?.count ?? 0) + 1, kind, untold: liesAhead(refusal, now) ? 0 : earlier + 1 }
}

const FIRST_BACKOFF_MS = 2 * MINUTE_MS
const MAX_BACKOFF_MS = 15 * MINUTE_MS
/** So many turns in a row may fail with the same error. */
const MAX_UNTOLD_TRIES = 3
const MAX_TRIES = 28
/** Tries that trust the told time: a clock of ours that is ahead would try too early. */
const TRUSTED_TRIES = 2

/** ms since 1970; undefined when the person is asked instead. */
export function retryAt(refusal: ServiceRefusal, { count, untold }: RefusedTries, now: number): number | undefined {
  if (untold >= MAX_UNTOLD_TRIES || count > MAX_TRIES) return undefined
  if (liesAhead(refusal, now))
    return Math.max((refusal.resetsAt ?? now) + MINUTE_MS, count <= TRUSTED_TRIES ? now : now + MAX_BACKOFF_MS)
  return now + (refusal.kind !== 'usage-limit' && untold === 1 ? FIRST_BACKOFF_MS : MAX_BACKOFF_MS)
}
