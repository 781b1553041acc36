/** What a report says, asked of the bridge: the same for the window and the command line. */
import { planEntries } from './agentUse'
import type { AgentRun } from './contract/agents'
import { MAX_COMMITS } from './contract/commits'
import type { Input, Output } from './contract/contract'
import { toFailure } from './contract/errors'
import type { Project, Run } from './contract/orchestration'
import { goneRunReport, runOfTurn, runReport, type Changes, type Report, type RunReport } from './report'

type Asked =
  | 'projects.graph'
  | 'agentRuns.list'
  | 'projects.list'
  | 'projects.runs'
  | 'projects.commits'
  | 'projects.difference'
type Ask = <Name extends Asked>(name: Name, input: Input<Name>) => Promise<Output<Name>>

interface ReportRequest {
  readonly ask: Ask
  /** ms since 1970 */
  readonly since: number
  readonly until: number
  /** Does something with a project that has turns and may be closed; nothing where it cannot be read. */
  readonly inOpen: <Result>(project: Project, work: () => Promise<Result[]>) => Promise<Result[]>
}

export async function collectReport({ ask, since, until, inOpen }: ReportRequest): Promise<Report> {
  const turns = await turnsSince((input) => ask('agentRuns.list', input), since)
  const { projects } = await ask('projects.list', {})
  const found: Report['projects'][number][] = []
  const reported = new Set<AgentRun>()
  for (const project of projects) {
    const own = turns.filter(({ turn }) => turn?.project === project.project)
    if (own.length === 0 && project.state !== 'open') continue
    const isRead = { current: false }
    const runs = await inOpen(project, async () => {
      const shown = await runsOf(ask, { project: project.project, turns: own, since, until, reported })
      isRead.current = true
      return shown
    })
    if (isRead.current || project.state === 'gone') runs.push(...goneRuns(own, reported, until))
    if (runs.length > 0) found.push({ name: project.name, place: project.place, runs })
  }
  const listed = new Set(projects.map(({ project }) => project))
  const forgotten = goneRuns(
    turns.filter(({ turn }) => turn !== null && !listed.has(turn.project)),
    reported,
    until,
  )
  if (forgotten.length > 0) found.push({ name: 'Projects that are no longer on the list', place: '', runs: forgotten })
  return { since, until, projects: found, otherTurns: turns.length - reported.size }
}

/** Of all runs. */
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
  /** Of the project. */
  readonly turns: readonly AgentRun[]
  readonly since: number
  readonly until: number
  /** Gets the turns that are told. */
  readonly reported: Set<AgentRun>
}

async function runsOf(ask: Ask, { project, turns, since, until, reported }: RunsRequest): Promise<RunReport[]> {
  const runs: Run[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await ask('projects.runs', { project, after: after ?? null })
    runs.push(...page.runs)
    after = page.next
  }
  const git = {
    commits: (input: Input<'projects.commits'>) => ask('projects.commits', input),
    difference: (input: Input<'projects.difference'>) => ask('projects.difference', input),
  }
  const shown: RunReport[] = []
  const runOf = new Map(turns.map((one) => [one, one.turn ? runOfTurn(one.turn, runs) : undefined]))
  for (const run of runs) {
    const own = turns.filter((one) => runOf.get(one) === run)
    if (own.length === 0 && (run.archived || run.needCount === 0)) continue
    for (const turn of own) reported.add(turn)
    const changes = own.length === 0 ? nothing : await changesOf(git, { project, run: run.key }, since)
    const plan = own.length === 0 ? [] : planEntries(await ask('projects.graph', { project, run: run.key }))
    shown.push(runReport(run, own, changes, until, plan))
  }
  return shown
}

/** Of the turns that are of no run that is reported, by what they were of. Marks them as reported. */
function goneRuns(turns: readonly AgentRun[], reported: Set<AgentRun>, now: number): RunReport[] {
  const left = turns.filter((one) => !reported.has(one))
  for (const turn of left) reported.add(turn)
  const keyOf = ({ turn }: AgentRun) =>
    JSON.stringify([turn?.project, turn?.system, turn?.run?.id ?? null, turn?.place])
  const byRun = new Map<string, AgentRun[]>()
  for (const turn of left) byRun.set(keyOf(turn), [...(byRun.get(keyOf(turn)) ?? []), turn])
  return [...byRun.values()].map((own) => goneRunReport(own, now))
}

const nothing: Changes = { commits: [], hasMore: false, files: 0, added: 0, deleted: 0 }

/** Null where git may not run or there is no repository. */
export async function changesOf(
  git: {
    readonly commits: (input: Input<'projects.commits'>) => Promise<Output<'projects.commits'>>
    readonly difference: (input: Input<'projects.difference'>) => Promise<Output<'projects.difference'>>
  },
  run: { readonly project: number; readonly run: string },
  since: number,
): Promise<Changes | null> {
  try {
    const { commits, hasMore } = await git.commits({ ...run, from: since, to: null })
    if (commits.length === 0) return nothing
    const names = commits.slice(0, MAX_COMMITS).map(({ commit }) => commit)
    const { files, moreFiles } = await git.difference({ ...run, commits: names })
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
