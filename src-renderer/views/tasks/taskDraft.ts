import { taskNamePattern, type OperationDescription, type Task, type TaskType } from '@shared/contract/tasks'
import { argumentFieldsOf, draftOf, type ArgumentDraft } from './argumentForm'

export interface StartedFrom {
  readonly task: Task
  readonly args: unknown
}

export interface TaskDraft {
  readonly type: TaskType
  readonly name: string
  readonly interval: string
  readonly iterations: string
  readonly args: ArgumentDraft
}

export const emptyDraft: TaskDraft = { type: 'foreground', name: '', interval: '1000', iterations: '', args: {} }

export interface Drafts {
  readonly operation: string
  readonly drafts: Readonly<Record<string, TaskDraft>>
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textsOf = (value: unknown): ArgumentDraft =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1])))
    : {}

const readDraft = (stored: unknown): TaskDraft => {
  const { type, ...texts } = textsOf(stored)
  return {
    ...emptyDraft,
    ...texts,
    type: type === 'background' ? 'background' : 'foreground',
    args: isObject(stored) ? textsOf(stored['args']) : {},
  }
}

export const readDrafts = (stored: unknown): Drafts => {
  const { operation, drafts } = isObject(stored) ? stored : {}
  return {
    operation: isText(operation) ? operation : '',
    drafts: isObject(drafts)
      ? Object.fromEntries(Object.entries(drafts).map(([name, draft]) => [name, readDraft(draft)]))
      : {},
  }
}

export function draftsOfTask({ task, args }: StartedFrom, operations: readonly OperationDescription[]): Drafts {
  const { operation, type, name, intervalMs, maxIterations } = task
  const found = operations.find((candidate) => candidate.name === operation)
  const draft: TaskDraft = {
    type,
    interval: String(intervalMs ?? 1000),
    iterations: maxIterations === null ? '' : String(maxIterations),
    name: taskNamePattern.test(name) && name !== operation ? name : '',
    args: found ? draftOf(argumentFieldsOf(found.arguments), isObject(args) ? args : {}) : {},
  }
  return { operation, drafts: { [operation]: draft } }
}
