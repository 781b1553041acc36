import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { TurnRecord } from '@shared/turnRecord'
import { isWithoutAnswer, type AgentResult } from '../../../agents/agent'
import { containedPath } from '../../../files/containedPath'
import { PRIVATE, replaceFile } from '../../../files/stagedWrite'
import { within } from '../../../formats/listing'
import type { MaestroRun, SessionPhase } from '../../../formats/maestro/actions/maestroRun'
import type { PhaseChange } from '../../../formats/maestro/session/phaseChange'
import { plannedText } from '../../../formats/maestro/session/planTable'
import {
  fileKinds,
  parseTaskReport,
  type PhaseFiles,
  type TaskReport,
} from '../../../formats/maestro/session/taskReport'
import type { HostChecks } from '../../hostChecks'
import { describeResult, type StartLimits } from '../../limits'
import type { Lanes } from '../../lanes'
import type { LaneState, LaneTrees } from '../../laneTrees'
import type { RunGuard } from '../../runGuard'
import type { TurnObserver } from '../../turnObserver'
import type { TurnsTogether } from '../../turnsTogether'
import type { TurnStore } from '../../turnStore'
import { agentFor, environmentFor, requireProgram, type MaestroWork } from '../agentChoice'
import type { DispatchSettings } from '../dispatch/dispatchSettings'
import { payload } from '../dispatch/prompts'
import { runBatch, WRITER } from '../dispatch/runBatch'
import { checkOf, withCheck } from './checkedPhase'
import { gitView, type GitSpan, type GitView } from './gitView'
import { judgeReport, type Strictness } from './judgeReport'
import { delegationPrompt, repeatPrompt } from './prompts'
import type { UncountedRuns } from './uncountedRuns'

export interface PhaseWork {
  readonly work: MaestroWork
  readonly stateDir: string
  readonly strictness: Strictness
  readonly dispatch: DispatchSettings
  readonly limits: StartLimits
  readonly guard: RunGuard
  readonly turns: TurnStore<unknown>
  readonly observer: TurnObserver
  readonly lanes: Lanes
  readonly together: TurnsTogether
  readonly trees: LaneTrees
  readonly checks: HostChecks
  readonly uncounted: UncountedRuns
}

/** @throws AppError CANCELLED when it was stopped */
export async function runPhase(deps: PhaseWork, run: MaestroRun, phase: SessionPhase): Promise<PhaseChange> {
  const agent = agentOf(phase)
  const prompt = payload(deps.work.workFolder, promptOf(run, phase))
  const asked = await ask(deps, phase, agent, prompt)
  const end = (ended: Omit<PhaseChange, 'phase'>): PhaseChange => ({ phase: phase.details.key, ...ended })
  const failure = failureOf(asked.result)
  if (failure)
    return end({ status: 'failed', errors: [{ agent, ...failure }], log: { agent, output: asked.result.data } })
  const report = await reportOf(deps, phase, agent, asked.result.data)
  const files = ownFiles(deps.work, report)
  const seen = await gitView(deps.work, deps.stateDir, asked.record, files)
  const change = judged(deps, agent, asked.result, report, files, seen)
  return end(withCheck(agent, change, await checkOf(deps.checks, [phase.details.key], [change], report)))
}

/**
 * Continues a batch that a crash interrupted.
 * @returns by key, the phases that ended; a missing one was not started
 * @throws AppError where it cannot be dispatched
 */
export async function runPhases(
  deps: PhaseWork,
  run: MaestroRun,
  phases: readonly SessionPhase[],
  { place, continues }: { readonly place: string; readonly continues: boolean },
): Promise<ReadonlyMap<string, PhaseChange>> {
  const { work } = deps
  for (const phase of phases)
    await writePrompt(work.root, within(place, `prompts/${agentOf(phase)}.md`), promptOf(run, phase))
  const results = new Map<string, AgentResult>()
  const note = (role: string, result: AgentResult) => {
    deps.limits.count(result)
    deps.uncounted.add(role, result.log)
    deps.guard.noteTurn(result, null)
    results.set(role, result)
  }
  const trees = (work.options.worktreePerAgent ?? false) || deps.trees.has(place) ? deps.trees : undefined
  const observed = trees ? work : deps.together.observed(work)
  const batch: MaestroWork = {
    ...work,
    place,
    options: { ...work.options, resumes: continues },
    // No further agent is asked for at a limit; one may be waiting for its place already.
    isPausing: () => work.isPausing() || deps.guard.check() !== undefined,
    spawn: async (role, request, hooks) => {
      const follow = deps.uncounted.follow(role, hooks?.follow)
      const result = await observed.spawn(role, request, { ...hooks, follow })
      note(role, result)
      return result
    },
    adopt: async (role, run, request, hooks) => {
      const result = await observed.adopt(role, run, request, hooks)
      if (result && !isWithoutAnswer(result)) note(role, result)
      return result
    },
  }
  let records: readonly TurnRecord[]
  const unwatch = deps.together.watch()
  try {
    await runBatch(batch, { owned: deps.lanes, trees, taskOf: (agent) => keyOf(phases, agent) })
  } finally {
    records = await deps.together.close().finally(unwatch)
    await trees?.close(place)
  }
  if (results.size === 0) throw new AppError('INVALID', 'No agent of the batch was started.')
  const reported: ReportedPhase[] = []
  for (const phase of phases) {
    const agent = agentOf(phase)
    const tree = (await trees?.stateOf(place, agent)) ?? null
    const result = results.get(agent)
    if (!result || result.status === 'stopped') continue
    const failure = failureOf(result)
    const report = failure ? undefined : await reportOf(deps, phase, agent, result.data)
    const files = ownFiles(tree ? { workFolder: tree.at.path } : work, report)
    reported.push({ key: phase.details.key, agent, result, failure, report, files, tree })
  }
  if (trees) return endsApart(deps, trees, place, reported)
  const all = allOf(reported.map(({ files }) => files))
  const seen = await gitView(work, deps.stateDir, spanOf(records), all)
  if (seen.unsaid.length > 0) work.log('warn', `Changed, but claimed by no agent: ${listNames(seen.unsaid)}.`)
  const ends = new Map<string, PhaseChange>()
  for (const { key, agent, result, failure, report, files } of reported) {
    const claimed = fileKinds.flatMap((kind) => files[kind])
    const own = (paths: readonly string[]) => paths.filter((path) => claimed.includes(path))
    const change = failure
      ? { status: 'failed' as const, errors: [{ agent, ...failure }], log: { agent, output: result.data } }
      : judged(deps, agent, result, report, files, {
          unfounded: own(seen.unfounded),
          unsaid: [],
          absent: own(seen.absent),
        })
    ends.set(key, { phase: key, ...change })
  }
  const apart = withConflicts(ends, new Map(reported.map(({ key, files }) => [key, files])), phases)
  const changes = [...apart.values()]
  // They worked in one tree, so a failure there belongs to all of them.
  const record = await checkOf(deps.checks, [...apart.keys()], changes)
  return new Map(
    [...apart].map(([key, change]) => {
      const agent = reported.find((phase) => phase.key === key)?.agent ?? ''
      return [key, { phase: key, ...withCheck(agent, change, record) }] as const
    }),
  )
}

interface ReportedPhase {
  readonly key: string
  readonly agent: string
  readonly result: AgentResult
  readonly failure: ReturnType<typeof failureOf>
  readonly report: TaskReport | undefined
  readonly files: PhaseFiles
  readonly tree: LaneState | null
}

/** Agents have a tree each: completed phases are merged in the order of the phases. */
async function endsApart(
  deps: PhaseWork,
  trees: LaneTrees,
  place: string,
  reported: readonly ReportedPhase[],
): Promise<ReadonlyMap<string, PhaseChange>> {
  const { work, stateDir } = deps
  const ends = new Map<string, PhaseChange>()
  for (const { key, agent, result, failure, report, files, tree } of reported) {
    const at = tree ? { workFolder: tree.at.path, trusted: () => tree.at } : work
    const judgement: Omit<PhaseChange, 'phase'> = failure
      ? { status: 'failed' as const, errors: [{ agent, ...failure }], log: { agent, output: result.data } }
      : judged(deps, agent, result, report, files, await gitView(at, stateDir, tree?.span ?? null, files))
    const checked = withCheck(agent, judgement, await checkOf(deps.checks, [key], [judgement], report, tree?.at.path))
    const problem = checked.status === 'completed' ? await trees.merge(place, agent) : null
    const change: Omit<PhaseChange, 'phase'> =
      problem === null
        ? checked
        : { ...checked, status: 'failed', errors: [{ agent, type: 'file_conflict', message: problem }] }
    ends.set(key, { phase: key, ...change })
  }
  return ends
}

async function reportOf(
  deps: PhaseWork,
  phase: SessionPhase,
  agent: string,
  answer: string,
): Promise<TaskReport | undefined> {
  const report = parseTaskReport(answer)
  if (report) return report
  deps.work.log('warn', `No readable Task Report from ${agent}; asking once more.`)
  const { result } = await ask(deps, phase, agent, repeatPrompt(answer))
  return parseTaskReport(result.data)
}

function spanOf(records: readonly TurnRecord[]): GitSpan | null {
  const [first, ...others] = records
  if (!first) return null
  const last = others.reduce((latest, record) => (record.endedAt > latest.endedAt ? record : latest), first)
  return { before: first.before, after: last.after, uncommitted: records.flatMap(({ uncommitted }) => uncommitted) }
}

const allOf = (lists: readonly PhaseFiles[]): PhaseFiles => ({
  created: lists.flatMap(({ created }) => created),
  modified: lists.flatMap(({ modified }) => modified),
  deleted: lists.flatMap(({ deleted }) => deleted),
})

/** Where two agents changed one file, neither can be trusted, and a person decides. */
function withConflicts(
  ends: ReadonlyMap<string, PhaseChange>,
  files: ReadonlyMap<string, PhaseFiles>,
  phases: readonly SessionPhase[],
): ReadonlyMap<string, PhaseChange> {
  const all = (key: string) => fileKinds.flatMap((kind) => files.get(key)?.[kind] ?? [])
  return new Map(
    [...ends].map(([key, end]) => {
      const rivals = phases.filter(
        ({ details }) => details.key !== key && all(details.key).some((file) => all(key).includes(file)),
      )
      if (rivals.length === 0) return [key, end] as const
      const shared = all(key).filter((file) => rivals.some(({ details }) => all(details.key).includes(file)))
      const message = `${[...new Set(shared)].join(', ')} was changed by ${rivals.map(({ title }) => `“${title}”`).join(', ')} at the same time.`
      const phase = phases.find(({ details }) => details.key === key)
      const agent = phase ? agentOf(phase) : 'unknown'
      const errors = [...(end.errors ?? []), { agent, type: 'file_conflict' as const, message }]
      return [key, { ...end, status: 'failed' as const, errors }] as const
    }),
  )
}

const keyOf = (phases: readonly SessionPhase[], agent: string): string | undefined =>
  phases.find((phase) => agentOf(phase) === agent)?.details.key

/** @throws AppError INVALID for a phase without an agent */
export function agentOf({ details, title }: SessionPhase): string {
  const [first] = details.agents.flatMap(({ value }) => value ?? [])
  if (first !== undefined && /^[A-Za-z0-9_-]+$/.test(first)) return first.toLowerCase().replaceAll('-', '_')
  throw new AppError('INVALID', `Phase “${title}” names no agent.`, { hint: 'Name one under agents, in an editor.' })
}

async function ask(deps: PhaseWork, { details, title }: SessionPhase, agent: string, prompt: string) {
  const { work, turns, observer, limits, guard, dispatch, uncounted } = deps
  const { timeout, model, writerModel, extraArgs } = dispatch
  const chosen = agentFor(work, agent)
  requireProgram(work, chosen.agent)
  const chosenModel = agent === WRITER ? (writerModel ?? model) : model
  const timeLimit = limits.turnTime(timeout * 60_000)
  const { result, record, hasChanged } = await observer.observe(
    { role: agent, task: details.key, taskTitle: title, timeLimit },
    async (follow) => {
      await turns.keepPrompt(`${agent}-${details.key.replaceAll(/[^\w.-]/g, '')}`, prompt)
      const request = {
        ...chosen,
        prompt,
        purpose: `${agent} ${details.key}`,
        task: details.key,
        environment: environmentFor(work, agent),
        printsOneObject: true,
        notesEnd: true,
        args: extraArgs,
        ...(chosenModel === null ? {} : { model: chosenModel }),
        ...(timeLimit === undefined ? {} : { timeLimit }),
      }
      return work.spawn(agent, request, { follow: uncounted.follow(agent, follow) })
    },
  )
  limits.count(result)
  uncounted.add(agent, result.log)
  guard.noteTurn(result, hasChanged)
  work.signal.throwIfAborted()
  if (result.status === 'stopped')
    throw new AppError('CANCELLED', `The ${agent} was stopped.`, { hint: 'Run the session again to continue.' })
  work.log('info', describeResult(agent, result))
  return { result, record }
}

function failureOf({ status, reason }: AgentResult): { type: 'timeout' | 'runtime'; message: string } | undefined {
  if (status === 'success') return undefined
  return {
    type: status === 'timeout' ? 'timeout' : 'runtime',
    message: reason === '' ? `The agent ended with ${status}.` : reason,
  }
}

function judged(
  { work, strictness }: PhaseWork,
  agent: string,
  { data }: AgentResult,
  report: TaskReport | undefined,
  files: PhaseFiles,
  { unfounded, unsaid, absent }: GitView,
): Omit<PhaseChange, 'phase'> {
  const { status, error, warning } = judgeReport(report, { unfounded, absent }, strictness)
  if (warning !== undefined) work.log('warn', `${agent}: ${warning}`)
  if (unsaid.length > 0) work.log('warn', `${agent}: changed, but not claimed: ${unsaid.slice(0, 20).join(', ')}.`)
  const validation = [
    report?.validation ?? 'The agent did not say.',
    ...(error ? [error.message] : warning === undefined ? [] : [warning]),
    ...(unsaid.length === 0 ? [] : [`Changed, but not claimed: ${unsaid.slice(0, 100).join(', ')}.`]),
  ]
  return {
    status,
    files,
    context: report?.context,
    errors: error ? [{ agent, ...error }] : [],
    log: { agent, output: data, validation: validation.join('\n') },
  }
}

/** Relative to the folder in which the agents work, though they often name files by absolute paths. */
function ownFiles({ workFolder }: Pick<MaestroWork, 'workFolder'>, report: TaskReport | undefined): PhaseFiles {
  const base = `${workFolder}/`
  const inside = (paths: readonly string[] = []) =>
    paths.map((path) => (path.startsWith(base) ? path.slice(base.length) : path).replace(/^\.\//, ''))
  return {
    created: inside(report?.files.created),
    modified: inside(report?.files.modified),
    deleted: inside(report?.files.deleted),
  }
}

function promptOf({ state, files, session, phases }: MaestroRun, phase: SessionPhase): string {
  const { details, title } = phase
  const id = details.id.value ?? details.key
  const plan = state.details.plans.find(({ kind }) => kind === 'implementation')?.path
  const text = plan === undefined || plan === null ? '' : (files.files.get(plan)?.text ?? '')
  const waited = new Set(details.blockedBy.map(({ value }) => value))
  return delegationPrompt({
    agent: agentOf(phase),
    task: state.details.session?.task.value ?? session.file,
    phase: { id, title, files: details.files.planned.flatMap(({ value }) => value ?? []) },
    plan: plannedText(text, id),
    before: phases.filter((other) => waited.has(other.details.key)).map((other) => other.details),
    errors: phase.errors.map(({ message }) => message),
    wasInterrupted: phase.status === 'in_progress',
  })
}

async function writePrompt(root: string, file: string, text: string): Promise<void> {
  try {
    const path = await containedPath(file, { root, isStrict: true })
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await replaceFile(path, `${text}\n`, PRIVATE)
  } catch (error) {
    throw new AppError('INVALID', `Cannot write ${file}: ${toFailure(error).message}`, { cause: error })
  }
}
