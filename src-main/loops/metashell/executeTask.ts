import { createHash } from 'node:crypto'
import { z } from 'zod'
import { checkRecord, describeCheck } from '../../formats/hostChecks'
import { checkCommands } from '../../formats/metashell/checkCommands'
import { planOf, type State } from '../../formats/metashell/state'
import { field, itemsOf, plain, textOf } from '../../formats/text/located'
import type { Json } from '@shared/json'
import { turnRecords } from '@shared/turnRecord'
import { findJson, findOrRepairJson, type FoundJson } from '../askForJson'
import { failureOf, type HostChecks } from '../hostChecks'
import type { LoopWork } from '../loop'
import type { TurnStore } from '../turnStore'
import type { TaskOutcome } from './applyEvent'
import { checkpointSchema, summarySchema, type Summary } from './answers'
import { checkCommits, type CommitCheck } from './commits'
import { executorMessage } from './prompts'
import type { RoleAgents } from './roleAgents'
import type { SessionFiles } from './sessionFiles'
import type { Snapshot, TaskState } from './snapshot'

export const attemptSchema = z.object({ task: z.string(), summaryHash: z.string().nullable() })
type Attempt = z.infer<typeof attemptSchema>

export interface ExecutorDeps {
  readonly work: LoopWork
  readonly files: SessionFiles
  readonly agents: RoleAgents
  readonly turns: TurnStore<Attempt>
  readonly checks: HostChecks
}

const SUMMARY_SHAPE =
  '{"task_id", "status": "complete" | "failed" | "blocked", "verification_result": {…}, "commits": […], "message"}'

/** Uses a summary that the last host stored but did not take, if there is one. */
export async function executeTask(
  deps: ExecutorDeps,
  state: State,
  snapshot: Snapshot,
  task: TaskState,
): Promise<TaskOutcome> {
  const { work, files, turns } = deps
  const before = await files.artefact(summaryFile(task.id))
  const begun = turns.note?.task === task.id ? turns.note : undefined
  const attempt = begun ?? { task: task.id, summaryHash: hashOf(before) }
  work.step(`Executing Task ${task.id}: ${task.title}`)
  const stored =
    before !== undefined && attempt.summaryHash !== hashOf(before) ? findJson(before, summarySchema) : undefined
  if (stored) {
    work.log('info', `Task ${task.id} was already run; using its stored summary.`)
    return judgeSummary(deps, state, task.id, stored.value)
  }
  if (!begun) turns.begin(attempt)
  return runExecutor(deps, state, task, snapshot)
}

async function runExecutor(
  deps: ExecutorDeps,
  state: State,
  task: TaskState,
  { answer, givenAnswers }: Snapshot,
): Promise<TaskOutcome> {
  const { files, agents, turns } = deps
  const { id } = task
  const resume =
    answer && (answer.taskId ?? id) === id
      ? { checkpoint_id: answer.checkpoint_id, user_input: answer.user_input }
      : undefined
  const last = checkRecord(deps.work.remembered, id)
  const failed = last && failureOf('verification_cmd', last) !== null ? describeCheck(id, last) : undefined
  const message = executorMessage(taskOf(state, task), resume, givenAnswers, failed)
  const result = await agents.run('executor', message, state, id)
  const { status, reason, data } = result
  if (status === 'timeout') return { kind: 'timeout', message: `Task ${id} did not finish: ${reason}` }
  if (status === 'limit') return { kind: 'limit', message: `Task ${id} reached a limit: ${reason}` }
  const checkpoint = findJson(data, checkpointSchema)
  const found = findJson(data, summarySchema)
  if (status !== 'success' && (!found || found.value.status === 'complete'))
    return { kind: 'error', message: `The executor of task ${id} failed: ${reason}` }
  if (checkpoint && (!found || found.value.status === 'checkpoint')) return checkpointOutcome(id, checkpoint.value)
  const fixer = agents.fixer(state, `The summary of task ${id}: ${SUMMARY_SHAPE}`, id)
  const summary =
    found ?? (await findOrRepairJson(data, summarySchema, fixer)) ?? (await writtenByAgent(files, id, turns.note))
  if (!summary) return { kind: 'unreadable', message: `No readable summary from the executor of task ${id}.` }
  const { value, json } = summary
  if (value.status === 'checkpoint') {
    const { message, notes, options, resume_id } = value
    return checkpointOutcome(id, { message: message ?? notes, options, resume_id })
  }
  if (value.task_id !== undefined && value.task_id !== id)
    return {
      kind: 'unreadable',
      message: `The executor of task ${id} returned a summary of task ${value.task_id.slice(0, 60)}.`,
    }
  await files.writeArtefact(summaryFile(id), 'task_id' in json ? json : { task_id: id, ...json })
  return judgeSummary(deps, state, id, value)
}

function describeMissing({ missing, inSubmodule }: CommitCheck): string {
  const [submodule] = missing.flatMap((name) => inSubmodule.get(name) ?? [])
  const reported = `it reports the commit ${missing.join(', ')}, which`
  return submodule !== undefined && missing.every((name) => inSubmodule.has(name))
    ? `${reported} is in the submodule ${submodule} and not in this repository.`
    : `${reported} does not exist.`
}

/** A summary is only a claim, so its verification result and the repository are checked. */
async function judgeSummary(
  deps: ExecutorDeps,
  state: State,
  taskId: string,
  { status, commits, message, notes, verification_result: verification }: Summary,
): Promise<TaskOutcome> {
  const { work } = deps
  const why = message ?? notes ?? ''
  const check = await checkCommits(work.trusted(), commits ?? [], await commitsMade(deps, taskId), work.signal)
  if (check.unknown !== undefined) work.log('warn', check.unknown)
  const isAway = check.notNew.length > 0 && check.notNew.every((commit) => check.elsewhere.includes(commit))
  for (const commit of isAway ? [] : check.elsewhere)
    work.log('warn', `Commit ${commit} of task ${taskId} is not on the checked-out branch.`)
  const existing = commits?.filter((commit) => !check.missing.includes(commit) && !check.notNew.includes(commit))
  switch (status) {
    case 'complete':
      if (check.missing.length > 0)
        return {
          kind: 'commit-missing',
          commits: existing ?? [],
          message: `Task ${taskId} needs a look: ${describeMissing(check)}`,
        }
      if (check.notNew.length > 0)
        return {
          kind: 'commit-not-new',
          commits: existing ?? [],
          message: `Task ${taskId} needs a look: it reports the commit ${check.notNew.join(', ')}, which ${isAway ? 'is not on the checked-out branch' : 'was there before'}.`,
        }
      if (verification?.success === false)
        return {
          kind: 'failed',
          commits: existing,
          message: `Task ${taskId} reports success, but its own verification failed${verification.command === undefined ? '' : `: ${verification.command}`}.`,
        }
      return (
        (await failedCheck(deps, state, taskId, verification?.success ?? null, existing)) ?? {
          kind: 'complete',
          commits: existing,
        }
      )
    case 'failed':
      return { kind: 'failed', commits: existing, message: why === '' ? `Task ${taskId} failed.` : why }
    case 'timeout':
      return { kind: 'timeout', message: `Task ${taskId} timed out${why === '' ? '.' : `: ${why}`}` }
    case 'checkpoint':
    case 'blocked':
      return { kind: 'blocked', message: `Task ${taskId} is blocked${why === '' ? '.' : `: ${why}`}` }
  }
}

/** Runs the command as it was before the executor could change it. */
async function failedCheck(
  { checks }: ExecutorDeps,
  state: State,
  taskId: string,
  claimed: boolean | null,
  commits: readonly string[] | undefined,
): Promise<TaskOutcome | undefined> {
  const command = checkCommands(state).find(({ task }) => task === taskId)
  const message = failureOf('verification_cmd', await checks.check(taskId, command, claimed))
  return message === null ? undefined : { kind: 'failed', commits, message }
}

/**
 * Null where no turn of the task is recorded. The session file counts only where older records were removed, as an
 * agent can write that file.
 */
async function commitsMade({ work, files }: ExecutorDeps, taskId: string): Promise<string[] | null> {
  const records = turnRecords(work.remembered)
  const turns = records.filter(({ task }) => task === taskId)
  if (turns.length === 0) return null
  const made = turns.flatMap(({ commits, elsewhere }) => [...commits, ...elsewhere])
  if (records[0]?.number === 1) return made
  const { plan } = (await files.read()).snapshot
  return [...made, ...(plan?.tasks.find(({ id }) => id === taskId)?.commits ?? [])]
}

async function writtenByAgent(
  files: SessionFiles,
  taskId: string,
  attempt: Attempt | undefined,
): Promise<FoundJson<Summary> | undefined> {
  const text = await files.artefact(summaryFile(taskId))
  return text === undefined || (attempt?.task === taskId && attempt.summaryHash === hashOf(text))
    ? undefined
    : findJson(text, summarySchema)
}

export const summaryFile = (taskId: string): string => `summary_${taskId}.json`

const hashOf = (summary: string | undefined): string | null =>
  summary === undefined ? null : createHash('sha256').update(summary).digest('hex')

function taskOf(state: State, { id, title, dependencies }: TaskState): Json {
  const planned = itemsOf(field(planOf(state)?.document.root, 'tasks')).find((task) => textOf(field(task, 'id')) === id)
  return planned ? (plain(planned) as Json) : { id, title, dependencies: [...dependencies] }
}

const checkpointOutcome = (
  taskId: string,
  { message, options, resume_id }: Pick<Summary, 'message' | 'options' | 'resume_id'>,
): TaskOutcome => ({
  kind: 'checkpoint',
  checkpoint: {
    resume_id: resume_id ?? null,
    message: message ?? 'The task needs a decision.',
    options: options ?? [],
    task_id: taskId,
  },
})
