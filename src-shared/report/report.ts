import { sumByPhase, sumUse, type AgentUse, type PhaseUse } from '../agentUse'
import type { AgentRun, AgentTurn } from '../contract/agents'
import type { Commit } from '../contract/commits'
import type { FailedStart } from '../contract/loops'
import type { Run, RunNeed } from '../contract/orchestration'
import { counted, oneLine } from '../countedText'
import { CHECK_ROLE } from '../hostCheck'
import { costText } from './amounts'

const HOUR_MS = 3_600_000

export interface FailedTurn {
  readonly run: string
  readonly agent: string
  readonly role: string
  readonly task: string | null
  readonly status: string
  readonly reason: string
  /** ms since 1970; null where nobody saw it end. */
  readonly endedAt: number | null
}

export type ReportedNeed = Pick<RunNeed, 'kind' | 'title' | 'source'>

export interface RunReport extends AgentUse {
  readonly key: string | null
  readonly title: string
  readonly system: string
  readonly state: string | null
  readonly isGone: boolean
  readonly tasks: { readonly done: number; readonly total: number }
  readonly agents: Readonly<Record<string, number>>
  readonly checks: { readonly passed: number; readonly failed: number }
  readonly failures: Readonly<Record<string, number>>
  /** Failed turns after which no turn of the same kind succeeded, the newest first. */
  readonly failed: readonly FailedTurn[]
  readonly phases: readonly PhaseUse[]
  readonly changes: Changes | null
  readonly needs: readonly ReportedNeed[]
}

/** From the turns' records: a commit of the person's own is in none of them. */
export interface Changes {
  readonly commits: readonly Commit[]
  readonly hasMore: boolean
  /** Listed commits that are no longer in the repository, as after a rollback. */
  readonly gone: number
  readonly unrecorded: number
  /** For the listed commits; null where others changed the same lines in between. */
  readonly difference: { readonly files: number; readonly added: number; readonly deleted: number } | null
}

export interface ProjectReport {
  readonly project: number | null
  readonly name: string
  readonly place: string
  readonly failedStarts: readonly FailedStart[]
  readonly runs: readonly RunReport[]
}

export interface Report {
  /** ms since 1970 */
  readonly since: number
  readonly until: number
  readonly projects: readonly ProjectReport[]
  readonly otherTurns: number
}

type NamedRun = Pick<Run, 'system' | 'folder' | 'key' | 'archived' | 'id'>

const isThere = ({ place }: AgentTurn, { system, folder, key }: NamedRun): boolean =>
  place === folder || key === `${system}:${place}` || key.startsWith(`${system}:${place}/`)

/**
 * Found by the run's id wherever it lies now. A run without an id is the one in the place of the turn's loop: its
 * folder, or its marker file.
 */
export function runOfTurn<Found extends NamedRun>(turn: AgentTurn, runs: readonly Found[]): Found | undefined {
  const ofSystem = runs.filter(({ system }) => system === turn.system)
  const id = turn.run?.id ?? null
  const same = id === null ? [] : ofSystem.filter((run) => run.id.value === id)
  return (
    same.find((run) => isThere(turn, run)) ??
    same[0] ??
    ofSystem.find((run) => !run.archived && (id === null || run.id.value === null) && isThere(turn, run))
  )
}

export function runReport(
  run: Run,
  agentRuns: readonly AgentRun[],
  changes: Changes | null,
  now: number,
  plan: Parameters<typeof sumByPhase>[1] = [],
): RunReport {
  return {
    key: run.key,
    title: run.title.value ?? run.key,
    system: run.system,
    state: run.state.value,
    isGone: false,
    tasks: { done: run.work.done, total: run.work.total },
    ...resultsOf(agentRuns, plan, now),
    changes,
    needs: run.needs.map(({ kind, title, source }) => ({ kind, title, source })),
  }
}

/** @param agentRuns of a run that is not found any more, the newest first; at least one */
export function goneRunReport(agentRuns: readonly AgentRun[], now: number): RunReport {
  const turns = agentRuns.flatMap(({ turn }) => turn ?? [])
  const title = turns.map(({ run, place, folder }) => run?.title ?? run?.id ?? (place || folder)).at(0)
  return {
    key: null,
    title: title ?? '',
    system: turns.at(0)?.system ?? '',
    state: null,
    isGone: true,
    tasks: { done: 0, total: 0 },
    ...resultsOf(agentRuns, [], now),
    changes: null,
    needs: [],
  }
}

type Results = AgentUse & Pick<RunReport, 'agents' | 'checks' | 'failures' | 'failed' | 'phases'>

function resultsOf(agentRuns: readonly AgentRun[], plan: Parameters<typeof sumByPhase>[1], now: number): Results {
  const turns = agentRuns.filter((one) => !isCheck(one))
  const checks = agentRuns.filter((one) => isCheck(one) && one.state === 'ended' && one.status !== 'stopped')
  const passed = checks.filter(({ status }) => status === 'success').length
  const failures = countsOf(turns.flatMap(({ status }) => (status === null || status === 'success' ? [] : status)))
  return {
    ...sumUse(turns, now),
    agents: countsOf(turns.map(({ agent }) => agent)),
    checks: { passed, failed: checks.length - passed },
    failures,
    failed: failedTurns(agentRuns),
    phases: sumByPhase(turns, plan, now),
  }
}

function failedTurns(agentRuns: readonly AgentRun[]): FailedTurn[] {
  const kindOf = ({ turn }: AgentRun) => JSON.stringify([turn?.role, turn?.task])
  const succeeded = new Set<string>()
  return agentRuns.flatMap((one) => {
    const { run, agent, turn, status, reason, endedAt } = one
    if (status === 'success') succeeded.add(kindOf(one))
    // A person who stopped it knows of it.
    if (status === null || status === 'success' || status === 'stopped' || succeeded.has(kindOf(one))) return []
    return [{ run, agent, role: turn?.role ?? '', task: turn?.task ?? null, status, reason, endedAt }]
  })
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))
}

export function summaryOf(how: string, { tasks, changes, needs, ...use }: RunReport): string {
  const [need, ...others] = needs
  return [
    how,
    ...(need === undefined
      ? []
      : [`waits: ${others.length === 0 ? oneLine(need.title) : counted(needs.length, 'need')}`]),
    ...(tasks.total === 0 ? [] : [`${tasks.done} of ${counted(tasks.total, 'task')}`]),
    ...(changes && changes.commits.length > 0
      ? [`${changes.hasMore ? 'more than ' : ''}${counted(changes.commits.length, 'commit')}`]
      : []),
    costText(use),
  ].join(', ')
}

const isCheck = ({ turn }: AgentRun): boolean => turn?.role === CHECK_ROLE

const AGO = /^(\d+(?:\.\d+)?)\s*(m|h|d)$/
const AGO_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }

/** ms since 1970 of `8h`, `2d` or a date; undefined when it is neither, or later than now. */
export function sinceTime(text: string, now: number): number | undefined {
  const [, number, unit = ''] = AGO.exec(text) ?? []
  const time = number === undefined ? Date.parse(text) : now - Number(number) * (AGO_MS[unit] ?? 0)
  return Number.isNaN(time) || time > now || time < 0 ? undefined : Math.round(time)
}
