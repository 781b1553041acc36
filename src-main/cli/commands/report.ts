import { setTimeout as wait } from 'node:timers/promises'
import type { AgentRun } from '@shared/contract/agents'
import { MAX_COMMITS } from '@shared/contract/commits'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Project, Run } from '@shared/contract/orchestration'
import type { BridgeClient } from '../../bridge/client'
import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'
import { text } from '../parameters'
import { isTurnOf, printReport, runReport, sinceTime, type Changes, type Report } from '../report'
import { UsageError } from '../usageError'

/** How long reading a project's files may take. */
const OPEN_WAIT_MS = 20_000
const POLL_MS = 100

export const report = defineCommand({
  name: 'report',
  summary: 'Print what agents did, what it cost and what needs you, in Markdown.',
  options: { since: text('TIME', 'From when on: 8h, 2d, or a date. Default: 24h.') },
  data: {
    since: 'ms since 1970',
    until: 'ms since 1970',
    projects:
      '[{ name, place, runs }]; of each run title, system, state, turns, failures, worked, cost, unpriced, changes, needs',
    otherTurns: 'how many',
  },
  examples: ['report', 'report --since 8h'],
  run: async ({ output, signal, openSession }, { since: given = '24h' }) => {
    const until = Date.now()
    const since = sinceTime(given, until)
    if (since === undefined)
      throw new UsageError(`--since cannot be “${given}”: give 8h, 2d or a date that is past.`, 'report')
    const { client } = await openSession()
    const turns = await turnsSince(client, since, signal)
    const { projects } = await client.call('projects.list', {}, signal)
    const found: Report['projects'][number][] = []
    let listed = 0
    for (const project of projects) {
      const own = turns.filter(({ turn }) => turn?.project === project.project)
      if (own.length === 0 && project.state !== 'open') continue
      const reported = await inOpen(client, project, signal, (runs) =>
        reportRuns(client, { project: project.project, runs, turns: own, since, until }, signal),
      )
      listed += reported.reduce((sum, run) => sum + run.turns, 0)
      if (reported.length > 0) found.push({ name: project.name, place: project.place, runs: reported })
    }
    const shown: Report = { since, until, projects: found, otherTurns: turns.length - listed }
    output.result(shown, printReport(shown))
    return EXIT_OK
  },
})

async function turnsSince(client: BridgeClient, since: number, signal: AbortSignal): Promise<AgentRun[]> {
  const turns: AgentRun[] = []
  for (let before: string | null | undefined; before !== null;) {
    const page = await client.call('agentRuns.list', { before: before ?? null }, signal)
    turns.push(...page.runs.filter(({ askedAt, endedAt }) => (endedAt ?? Infinity) >= since || askedAt >= since))
    before = (page.runs.at(-1)?.askedAt ?? 0) < since ? null : page.next
  }
  return turns
}

/** The project's runs, of one that is closed by opening it meanwhile. */
async function inOpen<Result>(
  client: BridgeClient,
  { project, place, state }: Project,
  signal: AbortSignal,
  work: (runs: readonly Run[]) => Promise<Result[]>,
): Promise<Result[]> {
  if (state === 'gone') return []
  if (state === 'closed') await client.call('projects.open', { path: place }, signal)
  try {
    await untilRead(client, project, signal)
    const runs: Run[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await client.call('projects.runs', { project, after: after ?? null }, signal)
      runs.push(...page.runs)
      after = page.next
    }
    return await work(runs)
  } finally {
    if (state === 'closed') await client.call('projects.close', { project }).catch(() => undefined)
  }
}

async function untilRead(client: BridgeClient, project: number, signal: AbortSignal): Promise<void> {
  for (const deadline = performance.now() + OPEN_WAIT_MS; ;) {
    const { projects } = await client.call('projects.list', {}, signal)
    if (projects.find((one) => one.project === project)?.state !== 'reading') return
    if (performance.now() > deadline) throw new AppError('TIMEOUT', 'The project’s files were not read in time.')
    await wait(POLL_MS, undefined, { signal })
  }
}

interface ReportedRuns {
  readonly project: number
  readonly runs: readonly Run[]
  /** Of the project. */
  readonly turns: readonly AgentRun[]
  readonly since: number
  readonly until: number
}

async function reportRuns(
  client: BridgeClient,
  { project, runs, turns, since, until }: ReportedRuns,
  signal: AbortSignal,
) {
  const shown = []
  const left = new Set(turns)
  for (const run of runs) {
    const own = [...left].filter((turn) => isTurnOf(turn, run))
    for (const turn of own) left.delete(turn)
    if (run.archived || (own.length === 0 && run.needCount === 0)) continue
    const changes = own.length === 0 ? nothing : await changesOf(client, { project, run: run.key }, since, signal)
    shown.push(runReport(run, own, changes, until))
  }
  return shown
}

const nothing: Changes = { commits: [], hasMore: false, files: 0, added: 0, deleted: 0 }

/** Null where git may not run or there is no repository. */
async function changesOf(
  client: BridgeClient,
  run: { readonly project: number; readonly run: string },
  since: number,
  signal: AbortSignal,
): Promise<Changes | null> {
  try {
    const { commits, hasMore } = await client.call('projects.commits', { ...run, from: since, to: null }, signal)
    if (commits.length === 0) return nothing
    const names = commits.slice(0, MAX_COMMITS).map(({ commit }) => commit)
    const { files, moreFiles } = await client.call('projects.difference', { ...run, commits: names }, signal)
    return {
      commits: commits.map(({ subject }) => subject),
      hasMore,
      files: files.length + moreFiles,
      added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
      deleted: files.reduce((sum, { deleted }) => sum + (deleted ?? 0), 0),
    }
  } catch (error) {
    if (['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'].includes(toFailure(error).code)) return null
    throw error
  }
}
