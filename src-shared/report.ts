/** What agents did in a span of time, as Markdown for a person who was away. */
import type { AgentRun, AgentTurn } from './contract/agents'
import type { Run } from './contract/orchestration'
import { counted, oneLine } from './countedText'
import { CHECK_ROLE } from './hostCheck'
import { localTime } from './localTime'

const HOUR_MS = 3_600_000

export interface RunReport {
  readonly title: string
  readonly system: string
  /** As its files say; null when unknown. */
  readonly state: string | null
  /** Its files are not found any more: deleted, renamed, or of a project that is gone. */
  readonly isGone: boolean
  /** Of its plan. */
  readonly tasks: { readonly done: number; readonly total: number }
  readonly turns: number
  /** The same by the agent that took them, the most first. */
  readonly agents: Readonly<Record<string, number>>
  /** That Bridgedeck ran itself once a task was reported done. */
  readonly checks: { readonly passed: number; readonly failed: number }
  /** Turns that were no success, by what they were: `timeout`, `error` … */
  readonly failures: Readonly<Record<string, number>>
  /** ms that agents worked */
  readonly worked: number
  /** USD */
  readonly cost: number
  /** Turns whose agent did not say what it cost. */
  readonly unpriced: number
  /** Null where git may not or cannot tell. */
  readonly changes: Changes | null
  readonly needs: readonly string[]
}

export interface Changes {
  /** Subjects, the newest first. */
  readonly commits: readonly string[]
  readonly hasMore: boolean
  readonly files: number
  readonly added: number
  readonly deleted: number
}

export interface Report {
  /** ms since 1970 */
  readonly since: number
  readonly until: number
  readonly projects: readonly { readonly name: string; readonly place: string; readonly runs: readonly RunReport[] }[]
  /** Turns of runs that are not among these, and tests of agents. */
  readonly otherTurns: number
}

type NamedRun = Pick<Run, 'system' | 'folder' | 'key' | 'archived' | 'id'>

const isThere = ({ place }: AgentTurn, { system, folder, key }: NamedRun): boolean =>
  place === folder || key === `${system}:${place}` || key.startsWith(`${system}:${place}/`)

/**
 * The run of its project that a turn was of, by its id wherever it lies now. Where a run has no id, the one in the place of the
 * turn's loop: its folder, or what gives it away.
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

/** @param agentRuns of this run, checks among them */
export function runReport(run: Run, agentRuns: readonly AgentRun[], changes: Changes | null, now: number): RunReport {
  return {
    title: run.title.value ?? run.key,
    system: run.system,
    state: run.state.value,
    isGone: false,
    tasks: { done: run.work.done, total: run.work.total },
    ...useOf(agentRuns, now),
    changes,
    needs: run.needs.map(({ title }) => title),
  }
}

/** @param agentRuns of one that is not found any more, the newest first; at least one */
export function goneRunReport(agentRuns: readonly AgentRun[], now: number): RunReport {
  const turns = agentRuns.flatMap(({ turn }) => turn ?? [])
  const title = turns.map(({ run, place, folder }) => run?.title ?? run?.id ?? (place || folder)).at(0)
  return {
    title: title ?? '',
    system: turns.at(0)?.system ?? '',
    state: null,
    isGone: true,
    tasks: { done: 0, total: 0 },
    ...useOf(agentRuns, now),
    changes: null,
    needs: [],
  }
}

type Use = Pick<RunReport, 'turns' | 'agents' | 'checks' | 'failures' | 'worked' | 'cost' | 'unpriced'>

function useOf(agentRuns: readonly AgentRun[], now: number): Use {
  const turns = agentRuns.filter((one) => !isCheck(one))
  const checks = agentRuns.filter((one) => isCheck(one) && one.state === 'ended' && one.status !== 'stopped')
  const passed = checks.filter(({ status }) => status === 'success').length
  const failures = countsOf(turns.flatMap(({ status }) => (status === null || status === 'success' ? [] : status)))
  const ended = turns.filter(({ state }) => state === 'ended')
  return {
    turns: turns.length,
    agents: countsOf(turns.map(({ agent }) => agent)),
    checks: { passed, failed: checks.length - passed },
    failures,
    worked: turns.reduce(
      (sum, { startedAt, endedAt }) => sum + (startedAt === null ? 0 : (endedAt ?? now) - startedAt),
      0,
    ),
    cost: turns.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    unpriced: ended.filter(({ cost, startedAt }) => cost === null && startedAt !== null).length,
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))
}

/** What came of a run that ended, in one line: `done, 5 of 5 tasks, 3 commits, $1.20`. @param how it ended */
export function summaryOf(how: string, { tasks, changes, cost, unpriced, needs }: RunReport): string {
  const [need, ...others] = needs
  return [
    how,
    ...(need === undefined ? [] : [`waits: ${others.length === 0 ? oneLine(need) : counted(needs.length, 'need')}`]),
    ...(tasks.total === 0 ? [] : [`${tasks.done} of ${counted(tasks.total, 'task')}`]),
    ...(changes && changes.commits.length > 0
      ? [`${changes.hasMore ? 'more than ' : ''}${counted(changes.commits.length, 'commit')}`]
      : []),
    costText(cost, unpriced),
  ].join(', ')
}

const isCheck = ({ turn }: AgentRun): boolean => turn?.role === CHECK_ROLE

export function printReport({ since, until, projects, otherTurns }: Report): string {
  const all = projects.flatMap(({ runs }) => runs)
  const turns = all.reduce((sum, run) => sum + run.turns, 0)
  const cost = all.reduce((sum, run) => sum + run.cost, 0)
  const unpriced = all.reduce((sum, run) => sum + run.unpriced, 0)
  const needs = all.reduce((sum, run) => sum + run.needs.length, 0)
  return [
    `# Report from ${localTime(since)} to ${localTime(until)}`,
    '',
    `${counted(turns, 'turn')}, ${costText(cost, unpriced)}, ${needs === 0 ? 'nothing needs you' : `${counted(needs, 'need')} for you`}.`,
    ...(otherTurns === 0 ? [] : [`${counted(otherTurns, 'agent run')} of no listed run.`]),
    ...projects.flatMap(({ name, place, runs }) => [
      '',
      `## ${inline(name)}`,
      '',
      inline(place),
      ...runs.flatMap(runLines),
    ]),
  ].join('\n')
}

function runLines({
  title,
  system,
  state,
  isGone,
  turns,
  agents,
  checks,
  failures,
  worked,
  cost,
  unpriced,
  changes,
  needs,
}: RunReport): string[] {
  const failed = Object.entries(failures).map(([status, number]) => `${number} ${status}`)
  const by = Object.entries(agents).map(([agent, number]) => `${inline(agent)} ${number}`)
  return [
    '',
    `### ${inline(title)} (${system}, ${isGone ? 'no longer there' : (state ?? 'unknown')})`,
    '',
    `- Ran: ${counted(turns, 'turn')}${failed.length === 0 ? '' : ` (${failed.join(', ')})`}, ${workText(worked)} of work`,
    ...(by.length < 2 ? [] : [`- Agents: ${by.join(', ')}`]),
    ...(checks.passed + checks.failed === 0 ? [] : [`- Checked: ${checks.passed} passed, ${checks.failed} failed`]),
    `- Cost: ${costText(cost, unpriced)}`,
    `- Changed: ${changes ? changesText(changes) : 'unknown'}`,
    ...(changes?.commits.map((subject) => `  - ${inline(subject)}`) ?? []),
    ...(needs.length === 0 ? ['- Needs: nothing'] : ['- Needs you:', ...needs.map((need) => `  - ${inline(need)}`)]),
  ]
}

const changesText = ({ commits, hasMore, files, added, deleted }: Changes): string =>
  commits.length === 0
    ? 'nothing committed'
    : `${hasMore ? `more than ${commits.length} commits; of these` : `${counted(commits.length, 'commit')},`} ${counted(files, 'file')}, +${added} -${deleted}`

const workText = (worked: number): string =>
  worked < HOUR_MS ? `${(worked / 60_000).toFixed(1)} min` : `${(worked / HOUR_MS).toFixed(1)} h`

const costText = (cost: number, unpriced: number): string =>
  `$${cost.toFixed(2)}${unpriced === 0 ? '' : `, and ${counted(unpriced, 'turn')} of unknown cost`}`

/** Foreign text in Markdown. */
const inline = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|]/g, '\\$&')

const AGO = /^(\d+(?:\.\d+)?)\s*(m|h|d)$/
const AGO_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }

/** ms since 1970 of `8h`, `2d` or a date; undefined when it is neither, or later than now. */
export function sinceTime(text: string, now: number): number | undefined {
  const [, number, unit = ''] = AGO.exec(text) ?? []
  const time = number === undefined ? Date.parse(text) : now - Number(number) * (AGO_MS[unit] ?? 0)
  return Number.isNaN(time) || time > now || time < 0 ? undefined : Math.round(time)
}
