import { planEntries } from '../agentUse'
import type { AgentRun } from '../contract/agents'
import { MAX_COMMITS } from '../contract/commits'
import type { Input, Output } from '../contract/contract'
import { toFailure } from '../contract/errors'
import { MAX_COMMITTING_TURNS } from '../contract/loops'
import type { Project, Run } from '../contract/orchestration'
import { CHECK_ROLE } from '../hostCheck'
import {
  goneRunReport,
  runOfTurn,
  runReport,
  type Changes,
  type ProjectReport,
  type Report,
  type RunReport,
} from './report'

type Asked =
  | 'projects.graph'
  | 'agentRuns.list'
  | 'projects.list'
  | 'projects.runs'
  | 'loops.commits'
  | 'loops.failedStarts'
  | 'projects.namedCommits'
  | 'projects.difference'
type Ask = <Name extends Asked>(name: Name, input: Input<Name>) => Promise<Output<Name>>

interface ReportRequest {
  readonly ask: Ask
  /** ms since 1970 */
  readonly since: number
  readonly until: number
  readonly inOpen: <Result>(project: Project, work: () => Promise<Result[]>) => Promise<Result[]>
}

export async function collectReport({ ask, since, until, inOpen }: ReportRequest): Promise<Report> {
  const turns = await turnsSince((input) => ask('agentRuns.list', input), since)
  const { projects } = await ask('projects.list', {})
  const found: ProjectReport[] = []
  const reported = new Set<AgentRun>()
  for (const project of projects) {
    const own = turns.filter(({ turn }) => turn?.project === project.project)
    const { starts } = await ask('loops.failedStarts', { project: project.project })
    const failedStarts = starts.filter(({ at }) => at >= since)
    if (own.length + failedStarts.length === 0 && project.state !== 'open') continue
    const reading = { isDone: false }
    const read = async () => {
      const shown = await runsOf(ask, { project: project.project, turns: own, until, reported })
      reading.isDone = true
      return shown
    }
    const runs = own.length > 0 || project.state === 'open' ? await inOpen(project, read) : []
    if (reading.isDone || project.state === 'gone') runs.push(...goneRuns(own, reported, until))
    if (runs.length + failedStarts.length > 0)
      found.push({ project: project.project, name: project.name, place: project.place, failedStarts, runs })
  }
  const listed = new Set(projects.map(({ project }) => project))
  const forgotten = goneRuns(
    turns.filter(({ turn }) => turn !== null && !listed.has(turn.project)),
    reported,
    until,
  )
  if (forgotten.length > 0)
    found.push({
      project: null,
      name: 'Projects that are no longer on the list',
      place: '',
      failedStarts: [],
      runs: forgotten,
    })
  return { since, until, projects: found, otherTurns: turns.length - reported.size }
}

export async function turnsSince(
  list: (input: Input<'agentRuns.list'>) => Promise<Output<'agentRuns.list'>>,
  since: number,
): Promise<AgentRun[]> {
  const turns: AgentRun[] = []
  for (let before: string | null | undefined; before !== null;) {
    const page = await list({ before: before ?? null })
    turns.push(...page.runs.filter(({ askedAt, endedAt }) => (endedAt ?? Infinity) >= since || askedAt >= since))
    before = (page.runs.at(-1)?.askedAt ?? 0) < since ? null : page.next
  }
  return turns
}

interface RunsRequest {
  readonly project: number
  readonly turns: readonly AgentRun[]
  readonly until: number
  readonly reported: Set<AgentRun>
}

async function runsOf(ask: Ask, { project, turns, until, reported }: RunsRequest): Promise<RunReport[]> {
  const runs: Run[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await ask('projects.runs', { project, after: after ?? null })
    runs.push(...page.runs)
    after = page.next
  }
  const asked: ChangesAsk = {
    recorded: (input) => ask('loops.commits', input),
    named: (input) => ask('projects.namedCommits', input),
    difference: (input) => ask('projects.difference', input),
  }
  const shown: RunReport[] = []
  const runOf = new Map(turns.map((one) => [one, one.turn ? runOfTurn(one.turn, runs) : undefined]))
  for (const run of runs) {
    const own = turns.filter((one) => runOf.get(one) === run)
    if (own.length === 0 && (run.archived || run.needCount === 0)) continue
    for (const turn of own) reported.add(turn)
    const changes = await changesOf(asked, { project, run: run.key }, own)
    const plan = own.length === 0 ? [] : planEntries(await ask('projects.graph', { project, run: run.key }))
    shown.push(runReport(run, own, changes, until, plan))
  }
  return shown
}

function goneRuns(turns: readonly AgentRun[], reported: Set<AgentRun>, now: number): RunReport[] {
  const left = turns.filter((one) => !reported.has(one))
  for (const turn of left) reported.add(turn)
  const keyOf = ({ turn }: AgentRun) =>
    JSON.stringify([turn?.project, turn?.system, turn?.run?.id ?? null, turn?.place])
  const byRun = new Map<string, AgentRun[]>()
  for (const turn of left) byRun.set(keyOf(turn), [...(byRun.get(keyOf(turn)) ?? []), turn])
  return [...byRun.values()].map((own) => goneRunReport(own, now))
}

const nothing: Changes = { commits: [], hasMore: false, gone: 0, unrecorded: 0, difference: null }

export interface ChangesAsk {
  readonly recorded: (input: Input<'loops.commits'>) => Promise<Output<'loops.commits'>>
  readonly named: (input: Input<'projects.namedCommits'>) => Promise<Output<'projects.namedCommits'>>
  readonly difference: (input: Input<'projects.difference'>) => Promise<Output<'projects.difference'>>
}

export async function changesOf(
  ask: ChangesAsk,
  run: { readonly project: number; readonly run: string },
  agentRuns: readonly AgentRun[],
): Promise<Changes | null> {
  const turns = agentRuns
    .filter(({ turn, startedAt, state }) => turn?.role !== CHECK_ROLE && startedAt !== null && state === 'ended')
    .map((one) => one.run)
    .slice(0, MAX_COMMITTING_TURNS)
  if (turns.length === 0) return nothing
  try {
    const { commits, moreCommits, unrecorded } = await ask.recorded({ ...run, turns })
    const wanted = commits.slice(0, MAX_COMMITS)
    const found = (await ask.named({ ...run, names: wanted })).commits
    const names = found.map(({ commit }) => commit)
    return {
      commits: found,
      hasMore: moreCommits > 0 || commits.length > wanted.length,
      gone: wanted.length - found.length,
      unrecorded,
      difference: names.length === 0 ? null : await differenceOf(ask, { ...run, commits: names }),
    }
  } catch (error) {
    if (['FORBIDDEN', 'NOT_FOUND'].includes(toFailure(error).code)) return null
    throw error
  }
}

async function differenceOf(ask: ChangesAsk, input: Input<'projects.difference'>): Promise<Changes['difference']> {
  try {
    const { files, moreFiles } = await ask.difference(input)
    return {
      files: files.length + moreFiles,
      added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
      deleted: files.reduce((sum, { deleted }) => sum + (deleted ?? 0), 0),
    }
  } catch (error) {
    if (toFailure(error).code === 'CONFLICT') return null
    throw error
  }
}
