import type { Loop, LoopAgent } from '@shared/contract/loops'
import {
  MAX_UNBLOCKED,
  type Project,
  type Run,
  type RunMeter,
  type RunNeed,
  type RunRow,
  type Standing,
  type ValueSource,
} from '@shared/contract/orchestration'
import { visibleText } from '../../widgets/visibleText'
import { isActive, restOf, saysAtWork, stateNow } from './loopState'
import type { ChosenNeed, PlacedRun } from './store'

export type Tone = 'ok' | 'warn' | 'bad' | 'muted'

export function stateOf({ state, stale, archived }: Pick<Run, 'state' | 'stale' | 'archived'>): {
  word: string
  tone: Tone
} {
  if (stale !== null) return { word: 'unreadable', tone: 'bad' }
  const tone = (tone: Tone): Tone => (archived ? 'muted' : tone)
  switch (state.value) {
    case 'planning':
    case 'running':
      return { word: `says ${state.value}`, tone: tone('ok') }
    case 'ready':
      return { word: 'ready', tone: 'muted' }
    case 'waiting':
      return { word: 'waiting', tone: tone('warn') }
    case 'gate':
      return { word: 'at a gate', tone: tone('warn') }
    case 'done':
      return { word: 'done', tone: 'muted' }
    case 'failed':
      return { word: 'failed', tone: tone('bad') }
    case 'limit':
      return { word: 'at its limit', tone: tone('warn') }
    case null:
      return { word: 'unknown', tone: 'warn' }
  }
}

const stateMeanings: Readonly<Record<NonNullable<Run['state']['value']>, string>> = {
  planning: 'an agent is planning',
  running: 'an agent is working',
  ready: 'nothing is in its way; resume it to go on',
  waiting: 'needs an answer or a decision',
  gate: 'needs an approval',
  done: 'nothing left to do',
  failed: 'does not continue by itself',
  limit: 'a limit is used up; raise it to continue',
}

export function stateMeaning(run: Run, loop: Loop | undefined): string {
  if (run.stale !== null) return 'its files cannot be read'
  const state = stateNow(run, loop)
  if (restOf(run, loop) !== null && state !== 'ready') return 'no agent is working; resume it to go on'
  return state === null ? 'no file says, or in a word that the format does not have' : stateMeanings[state]
}

/** How long a run that says it is at work may write nothing, ms. */
const SILENCE_MS = 12 * 60_000

/**
 * Null unless the silence is too long.
 * @param loop Bridgedeck's own loop that ran it last: it knows whether an agent is at work
 */
export function silenceOf(
  run: Pick<Run, 'state' | 'stale' | 'archived' | 'writtenAt' | 'writtenBy'>,
  loop: Loop | undefined,
  now: number,
): string | null {
  const { writtenAt } = run
  if (isActive(loop) || restOf(run, loop) !== null || !saysAtWork(run)) return null
  return writtenAt === null || now - writtenAt < SILENCE_MS ? null : roughLengthText(now - writtenAt)
}

/** {@link stateOf} as Bridgedeck's own loop knows it, or doubted where the run has been silent for too long. */
export function claimOf(run: Run, loop: Loop | undefined, now: number): { word: string; tone: Tone } {
  const rest = restOf(run, loop)
  if (rest !== null) return { word: rest, tone: 'muted' }
  const claim = stateOf({ ...run, state: { ...run.state, value: stateNow(run, loop) } })
  return silenceOf(run, loop, now) === null ? claim : { word: `${claim.word}, but silent`, tone: 'warn' }
}

export function processText(run: Run, loop: Loop | undefined, now: number): string {
  const rest = restOf(run, loop)
  if (rest === 'paused' || rest === 'stopped' || (rest === 'ready' && saysAtWork(run)))
    return 'none: nobody has gone on with it since Bridgedeck wrote last'
  if (!loop || !isActive(loop)) return 'unknown: no file says whether an agent is running'
  const agents = loop.agents.map((agent) => agentText(agent, now))
  return ['run by Bridgedeck', agents.join('; ')].filter(Boolean).join(': ')
}

const agentWords = { waiting: 'waiting', running: 'at work', stopping: 'stopping' } as const

export const agentText = ({ name, role, state, since }: LoopAgent, now: number): string =>
  `${visibleText(name)} as ${visibleText(role)}, ${agentWords[state]} for ${roughLengthText(now - since)}`

export const standingWords: Readonly<Record<Standing, { word: string; tone: Tone }>> = {
  ready: { word: 'ready', tone: 'ok' },
  blocked: { word: 'blocked', tone: 'warn' },
  dead: { word: 'dead-blocked', tone: 'bad' },
  cyclic: { word: 'in a ring', tone: 'bad' },
  active: { word: 'active', tone: 'ok' },
  done: { word: 'done', tone: 'muted' },
  failed: { word: 'failed', tone: 'bad' },
  skipped: { word: 'skipped', tone: 'muted' },
  unknown: { word: 'unknown', tone: 'warn' },
  missing: { word: 'missing', tone: 'bad' },
}

export const projectMeaning = ({ state, watch }: Project): string =>
  state === 'gone'
    ? 'The folder was moved, deleted, or its disk taken away'
    : state === 'closed'
      ? 'Its files are not watched'
      : state === 'reading'
        ? 'Looking for its files'
        : watch === 'polling'
          ? 'This file system reports no changes, so the files are checked'
          : 'Changes show as they are written'

export function projectWords({ state, watch }: Project): { word: string; tone: Tone } {
  if (state === 'gone') return { word: 'missing', tone: 'bad' }
  if (state === 'closed') return { word: 'closed', tone: 'muted' }
  if (state === 'reading') return { word: 'loading', tone: 'ok' }
  return watch === 'polling' ? { word: 'checked every 2 s', tone: 'warn' } : { word: 'watching', tone: 'ok' }
}

/** `just now`, `40 s ago`, `3 min ago`, `5 h ago`, `12 days ago`; also for future times. */
export function agoText(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000)
  if (seconds < -60) return 'in the future'
  return seconds < 10 ? 'just now' : `${roughLengthText(now - time)} ago`
}

/** @param length ms */
function roughLengthText(length: number): string {
  const seconds = Math.max(0, Math.round(length / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

export const writtenText = (time: number | null, now: number): string =>
  time === null ? 'written: unknown when' : `written ${agoText(time, now)}`

/** `state.json:12`, or with a pointer where there is no line. */
export const sourceText = ({ file, line, pointer }: ValueSource): string => {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return line !== undefined ? `${name}:${line}` : pointer ? `${name}#${pointer}` : name
}

export const runTitle = ({ title, id, folder, key }: Run): string => title.value ?? id.value ?? (folder || key)

const blockers: Readonly<Record<RunRow['blockedBy'][number]['why'], string>> = {
  unfinished: 'is not done',
  failed: 'failed',
  missing: 'is not there',
  cycle: 'waits for this in turn',
}

/** `phase 3` where the file calls it `3`; its own name otherwise. */
const numbered = (what: string, name: string): string => (/^\d+$/.test(name) ? `${what} ${name}` : name)

export const phaseText = (name: string): string => numbered('phase', name)

export function blockedText({ kind, blockedBy }: Pick<RunRow, 'kind' | 'blockedBy'>): string {
  if (blockedBy.length === 0) return ''
  const [first, ...more] = blockedBy
  const words = first ? `${numbered(kind, first.key)} ${blockers[first.why]}` : ''
  return more.length === 0 ? `blocked: ${words}` : `blocked: ${words}, and ${more.length} more`
}

export const shortHash = (commit: string): string => visibleText(commit.slice(0, 12))

export function commitsText({ commits, commitStates }: Pick<RunRow, 'commits' | 'commitStates'>): string {
  if (commits === null) return ''
  if (commits.value === null) return 'commits: unknown'
  if (commits.value.length === 0) return 'commits: none written'
  const wasAsked = commitStates.some((state) => state !== 'unknown')
  const said = { found: 'found', missing: 'not found', unknown: 'unknown' } as const
  return `says commits ${commits.value.map((commit, index) => `${shortHash(commit)}${wasAsked ? ` (${said[commitStates[index] ?? 'unknown']})` : ''}`).join(', ')}`
}

/** 0 to 1, or beyond; null where either is unknown. */
export function shareOf({ used, limit }: RunMeter): number | null {
  return used.value === null || limit.value === null || limit.value <= 0 ? null : used.value / limit.value
}

export const meterTone = (share: number | null): Tone =>
  share === null ? 'muted' : share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'ok'

/** `3 of 5 iterations`, `3 iterations of an unknown limit`. */
export function meterText({ used, limit, unit }: RunMeter): string {
  const number = (value: number | null) =>
    value === null ? 'unknown' : value.toLocaleString('en', { maximumFractionDigits: 4 })
  return limit.value === null
    ? `${number(used.value)} ${unit}, no known limit`
    : `${number(used.value)} of ${number(limit.value)} ${unit}`
}

export interface InboxItem extends PlacedRun {
  readonly need: RunNeed
  readonly index: number
  /** Stays the same while other needs come and go, and while lines of its file move. */
  readonly key: string
}

/** What waits longest first; unknown times last. */
export function inboxOf(runs: Iterable<PlacedRun>): InboxItem[] {
  const items = [...runs]
    .filter(({ run }) => !run.archived)
    .flatMap(({ project, run }) => {
      const keys = needKeys(run.needs)
      return run.needs.map((need, index): InboxItem => ({
        project,
        run,
        need,
        index,
        key: `${project} ${run.key} ${keys[index] ?? ''}`,
      }))
    })
  return items.sort((a, b) => (a.need.since.value ?? Infinity) - (b.need.since.value ?? Infinity) || 0)
}

/** Needs of one run may be alike: the second one is told apart by its number. */
function needKeys(needs: readonly RunNeed[]): string[] {
  const alike = new Map<string, number>()
  return needs.map(({ kind, title, source: { file } }) => {
    const name = `${kind} ${file} ${title}`
    const count = alike.get(name) ?? 0
    alike.set(name, count + 1)
    return count === 0 ? name : `${name} ${count}`
  })
}

/** Lines may have moved, so without a need at that place it is the only one of its file. */
export function needAt(
  items: readonly InboxItem[],
  project: number,
  run: string,
  { file, line }: ValueSource,
): InboxItem | undefined {
  const inFile = items.filter(
    (item) => item.project === project && item.run.key === run && item.need.source.file === file,
  )
  return inFile.find(({ need }) => need.source.line === line) ?? (inFile.length === 1 ? inFile[0] : undefined)
}

export function followNeed(
  items: readonly InboxItem[],
  chosen: ChosenNeed | null,
): { readonly item: InboxItem; readonly index: number } | null {
  if (chosen === null) return null
  if (chosen.firstOf !== undefined) {
    const first = items.find(({ project }) => project === chosen.firstOf)
    return first ? { item: first, index: items.indexOf(first) } : null
  }
  const at = items.findIndex(({ key }) => key === chosen.key)
  const index = at >= 0 ? at : Math.min(chosen.index, items.length - 1)
  const item = items[index]
  return item === undefined ? null : { item, index }
}

export function unblocksText({ kind, unblocks }: Pick<RunNeed, 'kind' | 'unblocks'>): string {
  if (unblocks.length > 0) {
    const orMore = unblocks.length === MAX_UNBLOCKED ? ' or more' : ''
    return `unblocks ${unblocks.length}${orMore} task${unblocks.length === 1 ? '' : 's'}`
  }
  return kind === 'unreadable' ? 'unblocks: unknown' : 'unblocks the run'
}

const urgency: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, ok: 2, muted: 3 }

export type ListRow = { readonly kind: 'project'; readonly project: Project } | ({ readonly kind: 'run' } & PlacedRun)

export function listRows(projects: Iterable<Project>, runs: Iterable<PlacedRun>): ListRow[] {
  const all = [...projects]
  const byProject = new Map<number, PlacedRun[]>()
  for (const placed of runs) byProject.set(placed.project, [...(byProject.get(placed.project) ?? []), placed])
  const rank = ({ run }: PlacedRun) =>
    (run.archived ? 10 : 0) + (run.needCount > 0 ? 0 : 1 + urgency[stateOf(run).tone])
  return [...all.filter(({ state }) => state !== 'closed'), ...all.filter(({ state }) => state === 'closed')].flatMap(
    (project): ListRow[] => [
      { kind: 'project', project },
      ...(byProject.get(project.project) ?? [])
        .sort(
          (a, b) =>
            rank(a) - rank(b) || (b.run.writtenAt ?? 0) - (a.run.writtenAt ?? 0) || (a.run.key < b.run.key ? -1 : 1),
        )
        .map((placed): ListRow => ({ kind: 'run', ...placed })),
    ],
  )
}

export const rowKey = (row: ListRow): string =>
  row.kind === 'project' ? `${row.project.project}` : `${row.project} ${row.run.key}`

/** In the former order; a new run stands behind what was before it. */
export function inFormerOrder(rows: readonly ListRow[], former: readonly string[]): readonly ListRow[] {
  const places = new Map(former.map((key, place) => [key, place]))
  let last = -1
  const placed = rows.map((row) => {
    const place = places.get(rowKey(row))
    last = place ?? last
    return { row, place: place ?? last + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ row }) => row)
}
