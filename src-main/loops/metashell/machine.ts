/**
 * The orchestrator's part, played by a table instead of a model: from the state of the session and what just happened follow the
 * writes, the next step, and whether there is one without a person. Pure; the host carries it out.
 */
import type { LogLevel } from '@shared/contract/loops'
import type { Json } from '@shared/json'
import type { LoopEnd } from '../loop'
import type { Change } from './keyPath'
import { checkpointAnswer } from '../../formats/metashell/state'
import type { Snapshot, TaskState } from './snapshot'

/** Why a session is halted, as its variables tell; the format itself has no field for it. */
type HaltReason =
  | 'task_failed'
  | 'task_blocked'
  | 'task_timeout'
  | 'task_limit'
  | 'task_error'
  | 'summary_unreadable'
  | 'commit_missing'
  | 'checkpoint'
  | 'dependency_violation'
  | 'plan_unreadable'
  | 'plan_invalid'
  | 'plan_timeout'
  | 'plan_error'
  | 'verification_unreadable'
  | 'verification_timeout'
  | 'verification_error'
  | 'phase_complete'
  | 'max_retries_exceeded'

export interface Verdict {
  readonly changes: readonly Change[]
  readonly log: readonly { readonly level: LogLevel; readonly text: string }[]
  /** Present when nothing goes on without a person. */
  readonly end?: LoopEnd
}

export type Step =
  | { readonly kind: 'research' }
  /** @param isAgain with the gaps that the last verification found */
  | { readonly kind: 'plan'; readonly isAgain: boolean }
  | { readonly kind: 'execute'; readonly task: TaskState; readonly index: number; readonly count: number }
  | { readonly kind: 'verify' }
  /** Nothing to be asked of an agent: these writes, and on. */
  | { readonly kind: 'write'; readonly verdict: Verdict }
  | { readonly kind: 'rest'; readonly end: LoopEnd }
  /** The file is in a state that the table does not know. */
  | { readonly kind: 'impossible'; readonly message: string; readonly hint: string }

interface Checkpoint {
  readonly resume_id: string | null
  readonly message: string
  readonly options: readonly string[]
  readonly task_id: string
}

export interface PlannedTask {
  readonly id: string
  readonly title: string
  readonly dependencies: readonly string[]
}

/** What became of a task, told by its executor's summary or by how the executor ended. */
export type TaskOutcome =
  | { readonly kind: 'complete'; readonly commits: readonly string[] | undefined }
  | { readonly kind: 'failed'; readonly commits: readonly string[] | undefined; readonly message: string }
  | { readonly kind: 'blocked' | 'timeout' | 'limit' | 'error' | 'unreadable'; readonly message: string }
  | { readonly kind: 'commit-missing'; readonly commits: readonly string[]; readonly message: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }

export type Event =
  | { readonly kind: 'researched' }
  | { readonly kind: 'planned'; readonly tasks: readonly PlannedTask[] }
  | {
      readonly kind: 'plan-failed'
      readonly reason: 'plan_unreadable' | 'plan_invalid' | 'plan_timeout' | 'plan_error'
      readonly message: string
    }
  | { readonly kind: 'task-ended'; readonly taskId: string; readonly outcome: TaskOutcome }
  | { readonly kind: 'verified'; readonly passed: boolean; readonly gaps: readonly string[] }
  | {
      readonly kind: 'verification-failed'
      readonly reason: 'verification_unreadable' | 'verification_timeout' | 'verification_error'
      readonly message: string
    }

/** What a session starts with. */
export const newSession = (sessionId: string): string =>
  `${JSON.stringify({ sessionId, status: 'planning', currentPhase: 1, gapCount: 0, variables: {} }, null, 2)}\n`

export function nextStep(session: Snapshot): Step {
  const { status, plan } = session
  switch (status) {
    case 'planning':
      return session.researchDone ? { kind: 'plan', isAgain: session.gapCount > 0 } : { kind: 'research' }
    case 'executing':
      return plan
        ? executing(plan.tasks, plan.cursor)
        : {
            kind: 'impossible',
            message: 'The session is “executing” but has no plan.',
            hint: 'Set its status to planning, or restore the plan.',
          }
    case 'verifying':
      return plan
        ? { kind: 'verify' }
        : {
            kind: 'impossible',
            message: 'The session is “verifying” but has no plan.',
            hint: 'Set its status to planning, or restore the plan.',
          }
    case 'halted':
      return halted(session)
    default:
      return {
        kind: 'impossible',
        message: status === undefined ? 'The session has no status.' : `Unknown session status “${status}”.`,
        hint: 'Use planning, executing, verifying or halted.',
      }
  }
}

function executing(tasks: readonly TaskState[], cursor: number): Step {
  const task = tasks[cursor]
  if (!task) return { kind: 'write', verdict: { changes: [['status', 'verifying']], log: [] } }
  if (task.status === 'complete')
    return {
      kind: 'write',
      verdict: { changes: [['plan.currentTaskIdx', cursor + 1]], log: [info(`Task ${task.id} is already complete.`)] },
    }
  if (task.status === 'failed')
    return { kind: 'write', verdict: halt('task_failed', `Task ${task.id} failed.`, failedEnd(task.id, '')) }
  const open = openDependency(tasks, task)
  if (open !== undefined) {
    const message = `Dependency violation: Task ${task.id} needs ${open}`
    return {
      kind: 'write',
      verdict: halt('dependency_violation', message, {
        outcome: 'waiting',
        message: `${message}.`,
        hint: 'Go to the task that it needs, or change the plan.',
      }),
    }
  }
  return { kind: 'execute', task, index: cursor, count: tasks.length }
}

const openDependency = (tasks: readonly TaskState[], { dependencies }: TaskState): string | undefined =>
  dependencies.find((id) => tasks.find((task) => task.id === id)?.status !== 'complete')

/** Starting a halted session goes on where the cause is gone, or where trying again is all that there is to do. */
function halted({ plan, variables, haltReason, gapCount, maxGapRetries, passed }: Snapshot): Step {
  const rest = (end: LoopEnd): Step => ({ kind: 'rest', end })
  const resume = (status: 'planning' | 'executing' | 'verifying', text: string): Step => ({
    kind: 'write',
    verdict: { changes: [['status', status], ...forgetHalt(variables)], log: [info(text)] },
  })
  const checkpoint = variables.get('pending_checkpoint') ?? variables.get('checkpoint')
  if (checkpoint !== undefined && checkpoint !== null)
    return rest({ outcome: 'waiting', message: messageOf(checkpoint), hint: 'Answer it to continue.' })
  const failed = plan?.tasks.find(({ status }) => status === 'failed')
  if (failed) return rest(failedEnd(failed.id, ''))
  if (!plan || haltReason?.startsWith('plan_')) return resume('planning', 'Planning again.')
  const task = plan.tasks[plan.cursor]
  if (!task) {
    // Of a session that another host halted, its artefacts tell.
    if (haltReason === 'phase_complete' || (haltReason === undefined && passed === true)) return rest(phaseEnd)
    if (
      haltReason === 'max_retries_exceeded' ||
      (haltReason === undefined && passed === false && gapCount >= maxGapRetries)
    )
      return rest(breakerEnd(gapCount))
    return resume('verifying', 'Verifying again.')
  }
  const open = openDependency(plan.tasks, task)
  if (open !== undefined)
    return rest({
      outcome: 'waiting',
      message: `Dependency violation: Task ${task.id} needs ${open}.`,
      hint: 'Go to the task that it needs, or change the plan.',
    })
  return resume('executing', `Continuing with task ${task.id}.`)
}

/** Why it was halted, of a session that somebody set going again. */
export const forgetOldHalt = ({ status, variables }: Snapshot): Verdict => ({
  changes: status === 'halted' ? [] : forgetHalt(variables),
  log: [],
})

/** What follows from something that happened, for the session as it is by then: others may have changed it meanwhile. */
export function follow(session: Snapshot, event: Event): Verdict {
  switch (event.kind) {
    case 'researched':
      return { changes: [['variables.research_done', true]], log: [] }
    case 'planned':
      return planned(session, event.tasks)
    case 'plan-failed':
      if (session.status !== 'planning') return changedMeanwhile(session)
      return halt(event.reason, event.message, {
        outcome: event.reason === 'plan_timeout' ? 'limit' : 'failed',
        message: event.message,
        hint: 'Start it again to retry planning.',
        ...outOfTime(event.reason),
      })
    case 'task-ended':
      return taskEnded(session, event.taskId, event.outcome)
    case 'verified':
      return session.status === 'verifying' ? verified(session, event.passed, event.gaps) : changedMeanwhile(session)
    case 'verification-failed':
      if (session.status !== 'verifying') return changedMeanwhile(session)
      return halt(event.reason, event.message, {
        outcome: event.reason === 'verification_timeout' ? 'limit' : 'failed',
        message: event.message,
        hint: 'Start it again to retry the verification.',
        ...outOfTime(event.reason),
      })
  }
}

function planned(session: Snapshot, tasks: readonly PlannedTask[]): Verdict {
  if (session.status !== 'planning') return changedMeanwhile(session)
  const replaced = (session.plan?.tasks ?? []).flatMap(({ commits }) => commits)
  const earlier = session.variables.get('replaced_commits')
  const plan: Json = {
    tasks: tasks.map(({ id, title, dependencies }) => ({
      id,
      title,
      status: 'pending',
      dependencies: [...dependencies],
    })),
    currentTaskIdx: 0,
  }
  return {
    changes: [
      // A plan at hand is taken away whole, also where another version has its cursor.
      ...(session.plan
        ? ([
            ['plan', undefined],
            ['currentTaskIdx', undefined],
          ] satisfies Change[])
        : []),
      ['plan', plan],
      ['status', 'executing'],
      // What a plan of the same phase committed can still be rolled back.
      ...(replaced.length > 0
        ? [
            [
              'variables.replaced_commits',
              [...(Array.isArray(earlier) ? earlier.filter((commit) => typeof commit === 'string') : []), ...replaced],
            ] satisfies Change,
          ]
        : []),
    ],
    log: [info(`The plan has ${tasks.length} task${tasks.length === 1 ? '' : 's'}.`)],
  }
}

/** With the answer to its checkpoint taken away, as it was handed over. */
function taskEnded(session: Snapshot, taskId: string, outcome: TaskOutcome): Verdict {
  const { answer } = session
  const verdict = recordTask(session, taskId, outcome)
  return answer && (answer.taskId ?? taskId) === taskId
    ? { ...verdict, changes: [...verdict.changes, [`variables.${checkpointAnswer}`, undefined]] }
    : verdict
}

function recordTask(session: Snapshot, taskId: string, outcome: TaskOutcome): Verdict {
  const { plan, status } = session
  const index = plan?.tasks.findIndex(({ id }) => id === taskId) ?? -1
  const task = plan?.tasks[index]
  if (!plan || !task) return changedMeanwhile(session)
  const isCurrent = status === 'executing' && plan.cursor === index
  const at = (name: string) => `tasks.${taskId}.${name}`
  // Absent, empty and filled stay what they are unless there is something to record.
  const commits =
    'commits' in outcome && outcome.commits !== undefined && outcome.commits.length > 0
      ? [[at('commits'), [...outcome.commits]] satisfies Change]
      : []
  if (!isCurrent) {
    // The task is as done as its summary says; where it goes on is for whoever moved the cursor or halted it to say.
    const finished: Change[] =
      outcome.kind === 'complete' || outcome.kind === 'failed' ? [[at('status'), outcome.kind], ...commits] : []
    const { log, ...rest } = changedMeanwhile(session)
    return { ...rest, changes: finished, log: [...log, info(`Task ${taskId} ended: ${outcome.kind}.`)] }
  }
  switch (outcome.kind) {
    case 'complete':
      return {
        changes: [[at('status'), 'complete'], ...commits, ['plan.currentTaskIdx', index + 1]],
        log: [info(`Task ${taskId} is complete.`)],
      }
    case 'failed': {
      const verdict = halt('task_failed', outcome.message, failedEnd(taskId, outcome.message))
      const rollback =
        outcome.commits !== undefined && outcome.commits.length > 0
          ? [warn(`To roll task ${taskId} back: ${rollbackCommand(outcome.commits)}`)]
          : []
      return {
        ...verdict,
        changes: [[at('status'), 'failed'], ...commits, ...verdict.changes],
        log: [...verdict.log, ...rollback],
      }
    }
    case 'checkpoint': {
      const { checkpoint } = outcome
      const verdict = halt('checkpoint', checkpoint.message, {
        outcome: 'waiting',
        message: checkpoint.message,
        hint: 'Answer it to continue.',
      })
      return {
        ...verdict,
        changes: [
          ['variables.pending_checkpoint', { ...checkpoint, options: [...checkpoint.options] }],
          ...verdict.changes.filter(([path]) => path !== 'variables.last_error'),
        ],
      }
    }
    case 'commit-missing': {
      const verdict = halt('commit_missing', outcome.message, {
        outcome: 'waiting',
        message: outcome.message,
        hint: 'Review its changes, then start it again to rerun the task.',
      })
      return { ...verdict, changes: [...commits, ...verdict.changes] }
    }
    case 'blocked':
      return halt('task_blocked', outcome.message, {
        outcome: 'waiting',
        message: outcome.message,
        hint: 'Remove what blocks it, then start it again.',
      })
    case 'timeout':
      return halt('task_timeout', outcome.message, {
        outcome: 'limit',
        message: outcome.message,
        hint: 'Its changes so far are kept. Start it again to rerun the task.',
        ...outOfTime('task_timeout'),
      })
    case 'limit':
      return halt('task_limit', outcome.message, {
        outcome: 'limit',
        message: outcome.message,
        hint: 'Its changes so far are kept. Start it again to rerun the task.',
      })
    case 'error':
      return halt('task_error', outcome.message, {
        outcome: 'failed',
        message: outcome.message,
        hint: 'See the agent’s log. Start it again to rerun the task.',
      })
    case 'unreadable':
      return halt('summary_unreadable', outcome.message, {
        outcome: 'failed',
        message: outcome.message,
        hint: 'See the agent’s log. Start it again to rerun the task.',
      })
  }
}

function verified({ gapCount, maxGapRetries }: Snapshot, passed: boolean, gaps: readonly string[]): Verdict {
  if (passed) {
    const verdict = halt('phase_complete', '', phaseEnd)
    return {
      ...verdict,
      changes: [
        ['gapCount', 0],
        ['variables.last_verification_failed', false],
        ...verdict.changes.filter(([path]) => path !== 'variables.last_error'),
        ['variables.last_error', undefined],
      ],
    }
  }
  const found = gaps.map((gap) => warn(`Gap: ${gap}`))
  // Compared before it is counted up: two re-plans, three verifications.
  if (gapCount >= maxGapRetries) {
    const end = breakerEnd(gapCount)
    const verdict = halt('max_retries_exceeded', end.message, end)
    return {
      ...verdict,
      changes: [['variables.last_verification_failed', true], ...verdict.changes],
      log: [...found, ...verdict.log],
    }
  }
  return {
    changes: [
      ['gapCount', gapCount + 1],
      ['variables.last_verification_failed', true],
      ['status', 'planning'],
    ],
    log: [...found, warn(`Verification failed: planning again, ${gapCount + 1} of ${maxGapRetries}.`)],
  }
}

/** As it is logged; a rollback itself takes the newest first. */
const rollbackCommand = (commits: readonly string[]): string => `git revert --no-edit ${commits.join(' ')}`

/** The command line's code for a deadline. */
const outOfTime = (reason: HaltReason): { code?: number } => (reason.endsWith('_timeout') ? { code: 5 } : {})

const halt = (reason: HaltReason, lastError: string, end: LoopEnd): Verdict => ({
  changes: [
    ['status', 'halted'],
    ['variables.halt_reason', reason],
    ['variables.last_error', lastError === '' ? undefined : lastError],
  ],
  log: [],
  end,
})

function forgetHalt(variables: ReadonlyMap<string, unknown>): Change[] {
  return ['halt_reason', 'last_error'].flatMap((name): Change[] =>
    variables.has(name) ? [[`variables.${name}`, undefined]] : [],
  )
}

const changedMeanwhile = ({ status }: Snapshot): Verdict => ({
  changes: [],
  log: [
    warn(`Another program changed session.json while the agent ran; continuing from its status (${status ?? 'none'}).`),
  ],
})

const failedEnd = (id: string, why: string): LoopEnd => ({
  outcome: 'failed',
  message: `Task ${id} failed${why === '' ? '.' : `: ${why}`}`,
  hint: 'Retry it, roll it back, or change the plan.',
})
const phaseEnd: LoopEnd = {
  outcome: 'gate',
  message: 'Phase Complete',
  hint: 'Review this phase, then start the next one.',
}
const breakerEnd = (gapCount: number): LoopEnd => ({
  outcome: 'limit',
  message: `Max Retries Exceeded: verification still fails after ${gapCount} re-plan${gapCount === 1 ? '' : 's'}.`,
  hint: 'Review the gaps, fix their cause, then reset the circuit breaker.',
})

const messageOf = (checkpoint: unknown): string =>
  typeof checkpoint === 'object' &&
  checkpoint !== null &&
  'message' in checkpoint &&
  typeof checkpoint.message === 'string'
    ? checkpoint.message
    : 'A task needs a decision.'

const info = (text: string) => ({ level: 'info' as const, text })
const warn = (text: string) => ({ level: 'warn' as const, text })
