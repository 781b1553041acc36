import type { Fact, RunState, ValueSource } from '@shared/contract/orchestration'
import { unknown } from '../run'
import {
  booleanOf,
  field,
  itemsOf,
  numberOf,
  stringOf,
  textOf,
  type Located,
  type LocatedDocument,
} from '../text/located'
import { isLastPhase } from './phases'
import { gapsOf, maxGapRetries, unclearBreaker, variable, verificationOf, type State, type TaskNode } from './state'

interface StateWithReason {
  readonly value: RunState | null
  readonly reason: Fact<string>
}

export function runState(
  state: State,
  status: string | undefined,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
): StateWithReason {
  const written = byStatus(state, status, tasks, cursor)
  const [doubt] = unclearBreaker(state)
  return doubt && written.value !== null
    ? { value: 'waiting', reason: { value: doubt.text, source: doubt.source } }
    : written
}

function byStatus(
  state: State,
  status: string | undefined,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
): StateWithReason {
  const { session } = state
  if (!session) return { value: null, reason: { value: 'No session yet.', source: null } }
  switch (status) {
    case 'planning':
      return { value: 'planning', reason: unknown() }
    case 'executing':
      return { value: 'running', reason: unknown() }
    case 'verifying':
      return { value: 'running', reason: { value: 'Verifying the results.', source: null } }
    case 'halted':
      return halted(state, session, tasks, cursor)
    default:
      return { value: null, reason: unknown() }
  }
}

/** The format does not define `halted`: variables, tasks and artefacts tell the cause. */
function halted(
  state: State,
  session: LocatedDocument,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
): StateWithReason {
  const checkpoint = pendingCheckpoint(state, tasks, cursor)
  if (checkpoint) return { value: 'waiting', reason: { value: checkpoint.message, source: checkpoint.source } }
  const isDone = tasks.length > 0 && cursor.value === tasks.length
  const here = tasks[cursor.value ?? -1]
  return (
    afterFailure(state, tasks) ??
    afterVerification(state, session, isDone) ??
    (here && (beforeDependency(here, tasks) ?? afterSummary(state, here))) ?? {
      value: 'waiting',
      reason: session.fact(variable(state, 'last_error') ?? variable(state, 'halt_reason'), textOf),
    }
  )
}

const because = (
  value: RunState,
  document: LocatedDocument | undefined,
  node: Located | undefined,
  text: string,
): StateWithReason => ({ value, reason: { value: text, source: node && document ? document.source(node) : null } })

function afterFailure(state: State, tasks: readonly TaskNode[]): StateWithReason | undefined {
  const failed = tasks.find(({ status }) => stringOf(status?.node) === 'failed')
  if (!failed?.status) return undefined
  return because('failed', failed.status.document, failed.status.node, whyFailed(state, failed.id))
}

function whyFailed(state: State, id: string): string {
  const lastError = variable(state, 'last_error')
  if (!lastError) return `Task ${id} failed.`
  const text = textOf(lastError) ?? 'see last_error'
  return text.startsWith(`Task ${id} `) ? text : `Task ${id} failed: ${text}.`
}

function afterVerification(state: State, session: LocatedDocument, isDone: boolean): StateWithReason | undefined {
  const verification = verificationOf(state)?.document
  const passed = field(verification?.root, 'passed')
  if (isDone && booleanOf(passed) === true)
    return because(
      isLastPhase(state) ? 'done' : 'gate',
      verification,
      passed,
      `The ${isLastPhase(state) ? 'project' : 'phase'} is complete: its verification passed.`,
    )
  const gaps = gapsOf(state)
  const count = numberOf(gaps) ?? 0
  const isFailed = booleanOf(passed) === false || booleanOf(variable(state, 'last_verification_failed')) === true
  return isFailed && count >= maxGapRetries(state)
    ? because('limit', session, gaps, `Verification failed after ${count} re-plans, the maximum.`)
    : undefined
}

function beforeDependency(
  { id, document, dependencies }: TaskNode,
  tasks: readonly TaskNode[],
): StateWithReason | undefined {
  const open = dependencies.find((dependency) =>
    tasks.some((task) => task.id === dependency.id && stringOf(task.status?.node) !== 'complete'),
  )
  return open && because('waiting', document, open.node, `Task ${id} needs ${open.id}, which is not complete.`)
}

function afterSummary({ summaries }: State, { id }: TaskNode): StateWithReason | undefined {
  const summary = summaries.get(id)
  const outcome = field(summary?.root, 'status')
  const status = stringOf(outcome)
  if (status !== 'blocked' && status !== 'timeout') return undefined
  const message = textOf(field(summary?.root, 'message', 'notes'))
  const text = `Task ${id} ${status === 'timeout' ? 'timed out' : 'is blocked'}${message === undefined ? '' : `: ${message}`}.`
  return because('waiting', summary, outcome, text)
}

interface Checkpoint {
  readonly message: string
  readonly options: readonly string[]
  readonly taskId: string | undefined
  readonly source: ValueSource
}

export function pendingCheckpoint(
  state: State,
  tasks: readonly TaskNode[],
  cursor: Fact<number>,
): Checkpoint | undefined {
  const { session } = state
  const kept = variable(state, 'pending_checkpoint', 'checkpoint')
  const here = tasks[cursor.value ?? -1]
  const summary = here && state.summaries.get(here.id)
  const isOwn = ['status', 'type'].some((name) => stringOf(field(summary?.root, name)) === 'checkpoint')
  const [document, node] =
    session && kept?.kind === 'map' ? [session, kept] : summary && isOwn ? [summary, summary.root] : []
  if (!document || !node) return undefined
  return {
    message: textOf(field(node, 'message', 'reason')) ?? 'A task needs a decision.',
    options: itemsOf(field(node, 'options')).flatMap((option) => textOf(option) ?? []),
    taskId: textOf(field(node, 'task_id')) ?? here?.id,
    source: document.source(node),
  }
}
