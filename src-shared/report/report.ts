/** What agents did in a span of time, as Markdown for a person who was away. */
import {
  amountText,
  kindsText,
  sumByPhase,
  sumCostText,
  sumUse,
  sumTokensText,
  type AgentUse,
  type PhaseUse,
} from './agentUse'
import type { AgentRun, AgentTurn } from './contract/agents'
import type { Run } from './contract/orchestration'
import { counted, oneLine } from './countedText'
import { CHECK_ROLE } from './hostCheck'
import { localTime } from './localTime'

const HOUR_MS = 3_600_000

export interface RunReport extends AgentUse {
  readonly title: string
  readonly system: string
  /** As its files say; null when unknown. */
  readonly state: string | null
  /** Its files are not found any more: deleted, renamed, or of a project that is gone. */
  readonly isGone: boolean
  /** Of its plan. */
  readonly tasks: { readonly done: number; readonly total: number }
  /** How many turns each agent took, the most first. */
  readonly agents: Readonly<Record<string, number>>
  /** That Bridgedeck ran itself once a task was reported done. */
  readonly checks: { readonly passed: number; readonly failed: number }
  /** Turns that were no success, by what they were: `timeout`, `error` … */
  readonly failures: Readonly<Record<string, number>>
  /** The same of its phases and tasks, of which there were turns. */
  readonly phases: readonly PhaseUse[]
  /** Null where git may not or cannot tell. */
  readonly changes: Changes | null
  readonly needs: readonly string[]
}

/** What turns of a run committed, by their records; a commit of the person's own is in none of them. */
export interface Changes {
  /** Whole hashes and subjects, the newest first. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[]
  readonly hasMore: boolean
  /** Of those that are listed, how many are not in the repository any more, as after a rollback. */
  readonly gone: number
  /** Turns of which nobody knows whether they committed. */
  readonly unrecorded: number
  /** Of what is listed; null where others changed the same lines in between. */
  readonly difference: { readonly files: number; readonly added: number; readonly deleted: number } | null
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

/** @param agentRuns of this run, checks among them. @param plan its phases and tasks */
export function runReport(
  run: Run,
  agentRuns: readonly AgentRun[],
  changes: Changes | null,
  now: number,
  plan: Parameters<typeof sumByPhase>[1] = [],
): RunReport {
  return {
    title: run.title.value ?? run.key,
    system: run.system,
    state: run.state.value,
    isGone: false,
    tasks: { done: run.work.done, total: run.work.total },
    ...resultsOf(agentRuns, plan, now),
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
    ...resultsOf(agentRuns, [], now),
    changes: null,
    needs: [],
  }
}

type Results = AgentUse & Pick<RunReport, 'agents' | 'checks' | 'failures' | 'phases'>

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
    phases: sumByPhase(turns, plan, now),
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))
}

/** What came of a run that ended, in one line: `done, 5 of 5 tasks, 3 commits, $1.20`. @param how it ended */
export function summaryOf(how: string, { tasks, changes, needs, ...use }: RunReport): string {
  const [need, ...others] = needs
  return [
    how,
    ...(need === undefined ? [] : [`waits: ${others.length === 0 ? oneLine(need) : counted(needs.length, 'need')}`]),
    ...(tasks.total === 0 ? [] : [`${tasks.done} of ${counted(tasks.total, 'task')}`]),
    ...(changes && changes.commits.length > 0
      ? [`${changes.hasMore ? 'more than ' : ''}${counted(changes.commits.length, 'commit')}`]
      : []),
    costText(use),
  ].join(', ')
}

const isCheck = ({ turn }: AgentRun): boolean => turn?.role === CHECK_ROLE

export function printReport({ since, until, projects, otherTurns }: Report): string {
  const all = projects.flatMap(({ runs }) => runs)
  const add = (name: 'turns' | 'cost' | 'estimated' | 'unpriced') => all.reduce((sum, run) => sum + run[name], 0)
  const total = { cost: add('cost'), estimated: add('estimated'), unpriced: add('unpriced') }
  const needs = all.reduce((sum, run) => sum + run.needs.length, 0)
  return [
    `# Report from ${localTime(since)} to ${localTime(until)}`,
    '',
    `${counted(add('turns'), 'turn')}, ${costText(total)}, ${needs === 0 ? 'nothing needs you' : `${counted(needs, 'need')} for you`}.`,
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

function runLines(run: RunReport): string[] {
  const { title, system, state, isGone, turns, agents, checks, failures, worked, changes, needs } = run
  const failed = Object.entries(failures).map(([status, number]) => `${number} ${status}`)
  const by = Object.entries(agents).map(([agent, number]) => `${inline(agent)} ${number}`)
  return [
    '',
    `### ${inline(title)} (${system}, ${isGone ? 'no longer there' : (state ?? 'unknown')})`,
    '',
    `- Ran: ${counted(turns, 'turn')}${failed.length === 0 ? '' : ` (${failed.join(', ')})`}, ${workText(worked)} of work`,
    ...(by.length < 2 ? [] : [`- Agents: ${by.join(', ')}`]),
    ...(checks.passed + checks.failed === 0 ? [] : [`- Checked: ${checks.passed} passed, ${checks.failed} failed`]),
    ...amountLines(run),
    `- Changed: ${changes ? changesText(changes) : 'unknown'}`,
    ...(changes?.commits.map(({ commit, subject }) => `  - ${commit.slice(0, 10)} ${inline(subject)}`) ?? []),
    ...(needs.length === 0 ? ['- Needs: nothing'] : ['- Needs you:', ...needs.map((need) => `  - ${inline(need)}`)]),
  ]
}

function amountLines(run: RunReport): string[] {
  const { tokens, kinds, uncounted, phases } = run
  const silent = uncounted === 0 ? '' : `; ${counted(uncounted, 'turn')} of unknown tokens`
  return [
    ...(run.turns === 0
      ? []
      : [`- Tokens: ${tokens === null ? 'unknown' : `${amountText(tokens)} (${kindsText(kinds)})${silent}`}`]),
    `- Cost: ${costText(run)}`,
    ...(phases.some(({ phase, tasks }) => phase !== null || tasks.some(({ task }) => task !== null))
      ? ['', ...phaseTable(phases), '']
      : []),
  ]
}

const phaseTable = (phases: readonly PhaseUse[]): string[] => [
  '| Phase or task | Turns | Tokens | Cost |',
  '| --- | ---: | ---: | ---: |',
  ...phases.flatMap((phase) => [
    amountRow(`**${inline(phase.title)}**`, phase),
    ...phase.tasks
      .filter(({ task }) => task !== null || phase.tasks.length > 1 || phase.phase === null)
      .map((task) =>
        amountRow(
          inline(task.task === null || task.title === task.task ? task.title : `${task.task} ${task.title}`),
          task,
        ),
      ),
  ]),
]

const amountRow = (title: string, use: AgentUse): string =>
  `| ${title} | ${use.turns} | ${sumTokensText(use)} | ${sumCostText(use)} |`

function changesText({ commits, hasMore, gone, unrecorded, difference }: Changes): string {
  const made =
    commits.length === 0
      ? 'nothing committed'
      : `${hasMore ? `more than ${counted(commits.length, 'commit')}; of these` : `${counted(commits.length, 'commit')},`} ${difference ? `${counted(difference.files, 'file')}, +${difference.added} -${difference.deleted}` : 'files unknown'}`
  return [
    made,
    ...(gone === 0 ? [] : [`${counted(gone, 'commit')} no longer in the repository`]),
    ...(unrecorded === 0 ? [] : [`${counted(unrecorded, 'turn')} of unknown commits`]),
  ].join('; ')
}

const workText = (worked: number): string =>
  worked < HOUR_MS ? `${(worked / 60_000).toFixed(1)} min` : `${(worked / HOUR_MS).toFixed(1)} h`

const costText = ({ cost, estimated, unpriced }: Pick<AgentUse, 'cost' | 'estimated' | 'unpriced'>): string =>
  `${estimated > 0 ? '≈ ' : ''}$${cost.toFixed(2)}${estimated > 0 ? ` ($${estimated.toFixed(2)} of it from your prices)` : ''}${unpriced === 0 ? '' : `, and ${counted(unpriced, 'turn')} of unknown cost`}`

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
