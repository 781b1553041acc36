import type { LoopEnd } from '../loop'
import type { Snapshot, TaskState } from './snapshot'
import { breakerEnd, failedEnd, clearHalt, halt, info, phaseEnd, type Verdict } from './verdict'

export type AgentStep =
  | { readonly kind: 'research' }
  | { readonly kind: 'plan'; readonly isAgain: boolean }
  | { readonly kind: 'execute'; readonly task: TaskState; readonly index: number; readonly count: number }
  | { readonly kind: 'verify' }

export type Step =
  | AgentStep
  | { readonly kind: 'write'; readonly verdict: Verdict }
  | { readonly kind: 'rest'; readonly end: LoopEnd }
  | { readonly kind: 'impossible'; readonly message: string; readonly hint: string }

export const newSession = (sessionId: string): string =>
  `${JSON.stringify({ sessionId, status: 'planning', currentPhase: 1, gapCount: 0, variables: {} }, null, 2)}\n`

export function nextStep(session: Snapshot): Step {
  const { status, plan } = session
  switch (status) {
    case 'planning':
      return session.researchDone ? { kind: 'plan', isAgain: session.gapCount > 0 } : { kind: 'research' }
    case 'executing':
      return plan ? executing(plan.tasks, plan.cursor) : withoutPlan(status)
    case 'verifying':
      return plan ? { kind: 'verify' } : withoutPlan(status)
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

const withoutPlan = (status: string): Step => ({
  kind: 'impossible',
  message: `The session is “${status}” but has no plan.`,
  hint: 'Set its status to planning, or restore the plan.',
})

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

function halted(session: Snapshot): Step {
  const { plan, variables, haltReason, gapCount, maxGapRetries, passed } = session
  const rest = (end: LoopEnd): Step => ({ kind: 'rest', end })
  const resume = (status: 'planning' | 'executing' | 'verifying', text: string): Step => ({
    kind: 'write',
    verdict: { changes: [['status', status], ...clearHalt(variables)], log: [info(text)] },
  })
  const checkpoint = variables.get('pending_checkpoint') ?? variables.get('checkpoint')
  if (checkpoint !== undefined && checkpoint !== null)
    return rest({ outcome: 'waiting', message: messageOf(checkpoint), hint: 'Answer it to continue.' })
  const failed = plan?.tasks.find(({ status }) => status === 'failed')
  if (failed) return rest(failedEnd(failed.id, ''))
  if (!plan || haltReason?.startsWith('plan_')) return resume('planning', 'Planning again.')
  const task = plan.tasks[plan.cursor]
  if (!task) {
    if (haltReason === 'phase_complete' || (haltReason === undefined && passed === true)) return rest(phaseEnd(session))
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

export const clearOldHalt = ({ status, variables }: Snapshot): Verdict => ({
  changes: status === 'halted' ? [] : clearHalt(variables),
  log: [],
})

const messageOf = (checkpoint: unknown): string =>
  typeof checkpoint === 'object' &&
  checkpoint !== null &&
  'message' in checkpoint &&
  typeof checkpoint.message === 'string'
    ? checkpoint.message
    : 'A task needs a decision.'
