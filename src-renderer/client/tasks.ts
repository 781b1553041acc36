import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { OperationDescription, Task, TaskProblem } from '@shared/contract/tasks'
import { taskEnd } from '@shared/taskEnd'
import { call } from './call'
import { ListFollower } from './listFollower'
import { endMessages, notify, reportError } from './messages'

interface TasksState {
  /** By id; complete once `home` is there. */
  readonly tasks: ReadonlyMap<string, Task>
  readonly home: string | null
  readonly problems: readonly TaskProblem[]
  readonly operations: readonly OperationDescription[] | null
}

const nothing: TasksState = { tasks: new Map(), home: null, problems: [], operations: null }

export const useTasks = create<TasksState>(() => nothing)

type Changes = Payload<'tasks.changed'>

const follower = new ListFollower<Changes>(readAll)

const apply = (tasks: Map<string, Task>, { changed, removed }: Pick<Changes, 'changed' | 'removed'>): void => {
  for (const task of changed) tasks.set(task.id, task)
  for (const id of removed) tasks.delete(id)
}

export function receiveChanges(changes: Changes): void {
  const { tasks, home } = useTasks.getState()
  for (const task of changes.changed) notifyEnd(tasks.get(task.id), task)
  for (const id of changes.removed) endMessages(aboutTask(id))
  const next = new Map(tasks)
  apply(next, changes)
  useTasks.setState({ tasks: next })
  const wereMissed = follower.receive(changes)
  if (wereMissed && home !== null) refreshTasks().catch(reportError)
}

export function learnTask(task: Task): void {
  const known = useTasks.getState().tasks.get(task.id)
  if (known && (known.status !== 'running' || task.status === 'running')) return
  useTasks.setState(({ tasks }) => ({ tasks: new Map(tasks).set(task.id, task) }))
}

export const receiveProblems = ({ problems }: Payload<'tasks.problem'>): void => useTasks.setState({ problems })

const aboutTask = (id: string): string => `task ${id}`

function notifyEnd(before: Task | undefined, task: Task): void {
  const end = taskEnd(before, task, Date.now())
  if (task.status === 'running') endMessages(aboutTask(task.id))
  if (end?.failed) reportError(new AppError('INTERNAL', end.text), aboutTask(task.id))
  else if (end) notify(end.text, null, null, aboutTask(task.id))
}

export function forgetTasks(): void {
  follower.forget()
  useTasks.setState(nothing)
}

export const refreshTasks = (): Promise<void> => follower.refresh()

async function readAll(changesAfter: (revision: number) => readonly Changes[]): Promise<void> {
  const tasks = new Map<string, Task>()
  let oldest = Infinity
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(after)
    apply(tasks, { changed: page.tasks, removed: [] })
    oldest = Math.min(oldest, page.revision)
    useTasks.setState({ problems: page.problems })
    if (page.next === null) {
      for (const changes of changesAfter(oldest)) apply(tasks, changes)
      useTasks.setState({ tasks, home: page.home })
      return
    }
    after = page.next
  }
}

const readPage = (after: string | null) => call('tasks.list', { after })

export async function readOperations(): Promise<void> {
  if (useTasks.getState().operations !== null) return
  const { operations } = await call('tasks.operations', {})
  useTasks.setState({ operations })
}

export async function stopAllTasks(): Promise<void> {
  const { stopped } = await call('tasks.stopAll', {})
  notify(stopped === 1 ? 'Stopped 1 task.' : `Stopped ${stopped} tasks.`)
}

let open: (id: string) => Promise<void> = () => Promise.resolve()

export const setTaskOpener = (opener: typeof open): void => {
  open = opener
}

export const openTask = (id: string): Promise<void> => open(id)
