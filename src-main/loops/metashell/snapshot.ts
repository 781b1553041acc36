import { AppError } from '@shared/contract/errors'
import { booleanOf, field, itemsOf, numberOf, plain, stringOf, textOf, type Located } from '../../formats/text/located'
import {
  checkpointAnswer,
  cursorOf,
  fieldNames,
  gapsOf,
  givenAnswers,
  maxGapRetries,
  tasksOf,
  unclearBreaker,
  variable,
  variablesOf,
  verificationOf,
  type State,
} from '../../formats/metashell/state'
import { isLastPhase } from '../../formats/metashell/phases'

export interface ResumeData {
  readonly checkpoint_id: string | null
  readonly user_input: string
}

export interface PersonsAnswer extends ResumeData {
  readonly taskId: string | undefined
  readonly question: string | undefined
}

export interface TaskState {
  readonly id: string
  readonly title: string
  readonly status: string | undefined
  readonly dependencies: readonly string[]
  readonly commits: readonly string[]
}

export interface Snapshot {
  readonly status: string | undefined
  readonly phase: string
  readonly isLastPhase: boolean
  readonly gapCount: number
  readonly maxGapRetries: number
  readonly plan: { readonly tasks: readonly TaskState[]; readonly cursor: number } | undefined
  readonly variables: ReadonlyMap<string, unknown>
  readonly haltReason: string | undefined
  readonly passed: boolean | undefined
  readonly answer: PersonsAnswer | undefined
  readonly givenAnswers: readonly PersonsAnswer[]
  readonly researchDone: boolean
}

/** @throws AppError INVALID when there is no session that a loop could go by */
export function snapshotOf(state: State): Snapshot {
  const { session } = state
  if (session?.root?.kind !== 'map')
    throw new AppError('INVALID', 'session.json contains no session.', { hint: 'See its findings.' })
  const { root } = session
  const tasks = tasksOf(state).map(({ node, id, status, dependencies }): TaskState => ({
    id,
    title: textOf(field(node, 'title')) ?? '',
    status: textOf(status?.node),
    dependencies: dependencies.map((dependency) => dependency.id),
    commits: listOf(field(node, 'commits')),
  }))
  const cursorNode = cursorOf(root)
  const cursor = numberOf(cursorNode)
  const hasPlan = cursorNode !== undefined || tasks.length > 0
  if (hasPlan && (cursor === undefined || !Number.isInteger(cursor) || cursor < 0 || cursor > tasks.length)) {
    const { line } = session.source(cursorNode ?? root)
    throw new AppError(
      'INVALID',
      `${session.file}:${line ?? 1}: the index of the current task is outside the list of ${tasks.length} tasks.`,
      { hint: 'Go to the task to run next.' },
    )
  }
  const [doubt] = unclearBreaker(state)
  if (doubt) throw new AppError('INVALID', doubt.text, { hint: 'Fix the file, then start the session again.' })
  return {
    status: stringOf(field(root, 'status')),
    phase: textOf(field(root, ...fieldNames.currentPhase)) ?? '1',
    isLastPhase: isLastPhase(state),
    gapCount: numberOf(gapsOf(state)) ?? 0,
    maxGapRetries: maxGapRetries(state),
    plan: hasPlan && cursor !== undefined ? { tasks, cursor } : undefined,
    variables: new Map(variablesOf(state).map(([name, node]) => [name, plain(node)])),
    haltReason: textOf(variable(state, 'halt_reason')),
    passed: booleanOf(field(verificationOf(state)?.document.root, 'passed')),
    answer: answerIn(variable(state, checkpointAnswer)),
    givenAnswers: itemsOf(variable(state, givenAnswers)).flatMap((node) => answerIn(node) ?? []),
    researchDone: booleanOf(variable(state, 'research_done')) === true,
  }
}

function answerIn(node: Located | undefined): PersonsAnswer | undefined {
  const input = field(node, 'user_input')
  if (!input) return undefined
  return {
    checkpoint_id: textOf(field(node, 'checkpoint_id')) ?? null,
    user_input: textOf(input) ?? JSON.stringify(plain(input)),
    taskId: textOf(field(node, 'task_id')),
    question: textOf(field(node, 'question')),
  }
}

const listOf = (node: ReturnType<typeof field>): string[] =>
  node?.kind === 'list' ? node.items.flatMap((item) => textOf(item) ?? []) : []
