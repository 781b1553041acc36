import { isSameCommit } from '@shared/commitName'
import type { Json } from '@shared/json'
import { SEE_LOG } from '@shared/seeLog'
import type { LoopEnd } from '../loop'
import { checkpointAnswer, givenAnswers, replacedCommits } from '../../formats/metashell/state'
import type { Change } from './keyPath'
import type { PersonsAnswer, Snapshot } from './snapshot'
import { breakerEnd, failedEnd, halt, info, phaseEnd, warn, type HaltReason, type Verdict } from './verdict'

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

export type TaskOutcome =
  | { readonly kind: 'complete'; readonly commits: readonly string[] | undefined }
  | { readonly kind: 'failed'; readonly commits: readonly string[] | undefined; readonly message: string }
  | { readonly kind: 'blocked' | 'timeout' | 'limit' | 'error' | 'unreadable'; readonly message: string }
  | {
      readonly kind: 'commit-missing' | 'commit-not-new'
      readonly commits: readonly string[]
      readonly message: string
    }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }

export type Event =
  | { readonly kind: 'researched' }
  /** @param commits whole hashes, oldest first */
  | { readonly kind: 'committed'; readonly taskId: string; readonly commits: readonly string[] }
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

/** Applies to the session as it is by then: others may have changed it meanwhile. */
export function applyEvent(session: Snapshot, event: Event): Verdict {
  switch (event.kind) {
    case 'researched':
      return { changes: [['variables.research_done', true]], log: [] }
    case 'committed':
      return committed(session, event.taskId, event.commits)
    case 'planned':
      return planned(session, event.tasks)
    case 'plan-failed':
      if (session.status !== 'planning') return changedMeanwhile(session)
      return halt(event.reason, event.message, {
        outcome: event.reason === 'plan_timeout' ? 'limit' : 'failed',
        message: event.message,
        hint: 'Start it again to retry planning.',
        ...deadlineCode(event.reason),
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
        ...deadlineCode(event.reason),
      })
  }
}

function planned(session: Snapshot, tasks: readonly PlannedTask[]): Verdict {
  if (session.status !== 'planning') return changedMeanwhile(session)
  const replaced = (session.plan?.tasks ?? []).flatMap(({ commits }) => commits)
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
      ...(session.plan
        ? ([
            ['plan', undefined],
            ['currentTaskIdx', undefined],
          ] satisfies Change[])
        : []),
      ['plan', plan],
      ['status', 'executing'],
      ...replace(session, replaced),
    ],
    log: [info(`The plan has ${tasks.length} task${tasks.length === 1 ? '' : 's'}.`)],
  }
}

const replace = ({ variables }: Snapshot, commits: readonly string[]): Change[] => {
  const earlier = variables.get(replacedCommits)
  const known = Array.isArray(earlier) ? earlier.filter((commit) => typeof commit === 'string') : []
  const all = withCommits(known, commits)
  return all.length === known.length ? [] : [[`variables.${replacedCommits}`, [...all]]]
}

/** A task keeps the commits of all its attempts; those of a task no longer in the plan are kept with the old plan's. */
function committed(session: Snapshot, taskId: string, commits: readonly string[]): Verdict {
  const task = session.plan?.tasks.find(({ id }) => id === taskId)
  if (!task) return { changes: replace(session, commits), log: [] }
  const all = withCommits(task.commits, commits)
  return { changes: all.length === task.commits.length ? [] : [[`tasks.${taskId}.commits`, [...all]]], log: [] }
}

const withCommits = (known: readonly string[], more: readonly string[]): readonly string[] => [
  ...known,
  ...more.filter((commit) => !known.some((name) => isSameCommit(name, commit))),
]

function taskEnded(session: Snapshot, taskId: string, outcome: TaskOutcome): Verdict {
  const { answer } = session
  const verdict = recordTask(session, taskId, outcome)
  return answer && (answer.taskId ?? taskId) === taskId
    ? {
        ...verdict,
        changes: [
          ...verdict.changes,
          ...keepAnswer(session, taskId, answer),
          [`variables.${checkpointAnswer}`, undefined],
        ],
      }
    : verdict
}

function keepAnswer({ variables }: Snapshot, taskId: string, answer: PersonsAnswer): Change[] {
  const { checkpoint_id, question, user_input } = answer
  const given = { checkpoint_id, task_id: taskId, ...(question === undefined ? {} : { question }), user_input }
  const before = variables.get(givenAnswers)
  if (Array.isArray(before)) return [[`variables.${givenAnswers}.${before.length}`, given]]
  return before === undefined || before === null ? [[`variables.${givenAnswers}`, [given]]] : []
}

function recordTask(session: Snapshot, taskId: string, outcome: TaskOutcome): Verdict {
  const { plan, status } = session
  const index = plan?.tasks.findIndex(({ id }) => id === taskId) ?? -1
  if (!plan || index < 0) return changedMeanwhile(session)
  const known = plan.tasks[index]?.commits ?? []
  const commits = withCommits(known, 'commits' in outcome ? (outcome.commits ?? []) : [])
  const isDone = outcome.kind === 'complete' || outcome.kind === 'failed'
  const recorded: Change[] = [
    ...(isDone ? [[`tasks.${taskId}.status`, outcome.kind] satisfies Change] : []),
    ...(commits.length > known.length ? [[`tasks.${taskId}.commits`, [...commits]] satisfies Change] : []),
  ]
  if (status !== 'executing' || plan.cursor !== index) {
    // The task is as done as its summary says; whoever moved the cursor or halted the session decides where it goes on.
    const { log } = changedMeanwhile(session)
    return { changes: isDone ? recorded : [], log: [...log, info(`Task ${taskId} ended: ${outcome.kind}.`)] }
  }
  const verdict = outcome.kind === 'complete' ? completed(taskId, index) : halted(taskId, outcome, commits)
  return { ...verdict, changes: [...recorded, ...verdict.changes] }
}

const completed = (taskId: string, index: number): Verdict => ({
  changes: [['plan.currentTaskIdx', index + 1]],
  log: [info(`Task ${taskId} is complete.`)],
})

function halted(
  taskId: string,
  outcome: Exclude<TaskOutcome, { kind: 'complete' }>,
  commits: readonly string[],
): Verdict {
  switch (outcome.kind) {
    case 'failed': {
      const { message } = outcome
      const verdict = halt('task_failed', message, failedEnd(taskId, message))
      return commits.length === 0
        ? verdict
        : { ...verdict, log: [...verdict.log, warn(`To roll task ${taskId} back: ${rollbackCommand(commits)}`)] }
    }
    case 'checkpoint': {
      const { checkpoint } = outcome
      const { message } = checkpoint
      const end: LoopEnd = { outcome: 'waiting', message, hint: 'Answer it to continue.' }
      const verdict = halt('checkpoint', message, end)
      return {
        ...verdict,
        changes: [
          ['variables.pending_checkpoint', { ...checkpoint, options: [...checkpoint.options] }],
          ...verdict.changes.filter(([path]) => path !== 'variables.last_error'),
        ],
      }
    }
    default: {
      const { reason, ...end } = taskHalts[outcome.kind]
      return halt(reason, outcome.message, { ...end, message: outcome.message, ...deadlineCode(reason) })
    }
  }
}

const keptHint = 'Its changes so far are kept. Start it again to rerun the task.'
const logHint = `${SEE_LOG} Start it again to rerun the task.`

const taskHalts: Readonly<
  Record<
    Exclude<TaskOutcome['kind'], 'complete' | 'failed' | 'checkpoint'>,
    { readonly reason: HaltReason; readonly outcome: LoopEnd['outcome']; readonly hint: string }
  >
> = {
  'commit-missing': {
    reason: 'commit_missing',
    outcome: 'waiting',
    hint: 'Review its changes, then start it again to rerun the task.',
  },
  'commit-not-new': {
    reason: 'commit_not_new',
    outcome: 'waiting',
    hint: 'Review its changes. Start it again to rerun the task, or skip the task if its work was done before.',
  },
  blocked: { reason: 'task_blocked', outcome: 'waiting', hint: 'Remove what blocks it, then start it again.' },
  timeout: { reason: 'task_timeout', outcome: 'limit', hint: keptHint },
  limit: { reason: 'task_limit', outcome: 'limit', hint: keptHint },
  error: { reason: 'task_error', outcome: 'failed', hint: logHint },
  unreadable: { reason: 'summary_unreadable', outcome: 'failed', hint: logHint },
}

function verified(session: Snapshot, passed: boolean, gaps: readonly string[]): Verdict {
  const { gapCount, maxGapRetries } = session
  if (passed) {
    const verdict = halt('phase_complete', '', phaseEnd(session))
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
  // Compared before counting up: two re-plans mean three verifications.
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

const deadlineCode = (reason: HaltReason): { code?: number } => (reason.endsWith('_timeout') ? { code: 5 } : {})

const changedMeanwhile = ({ status }: Snapshot): Verdict => ({
  changes: [],
  log: [
    warn(`Another program changed session.json while the agent ran; continuing from its status (${status ?? 'none'}).`),
  ],
})
