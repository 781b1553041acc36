import { AppError } from '@shared/contract/errors'
import type { Task } from '@shared/contract/tasks'
import type { Json } from '@shared/json'
import type { CommandContext } from '../../command'
import type { Session } from '../../session'
import { taskIterations, taskState } from './taskState'

export interface WaitedTask {
  readonly task: Task
  readonly result: Json
  readonly running: boolean
}

/** @throws AppError INVALID for a task that failed, CANCELLED for one that was stopped */
export async function waitForTask(
  { signal }: Pick<CommandContext, 'signal'>,
  { client }: Session,
  id: string,
  seconds: number,
): Promise<WaitedTask> {
  const timeout = AbortSignal.timeout(seconds * 1000)
  try {
    await client.call('tasks.wait', { id }, AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error
  }
  const { task, result } = await client.call('tasks.show', { id }, signal)
  return { task, result, running: !requireWell(task) }
}

export function requireWell(task: Task): boolean {
  const { id, status, lastError } = task
  if (status === 'completed') return true
  if (status === 'error') throw new AppError('INVALID', lastError ?? `${id} failed.`, { details: { task: id } })
  if (hasEnded(task)) throw new AppError('CANCELLED', `${id} was ${status}.`, { details: { task: id } })
  return false
}

const hasEnded = ({ status }: Task): boolean => status !== 'running'

export function describeProgress(task: Task): string {
  const { id, progress } = task
  const share = progress?.share ?? null
  const iterations = taskIterations(task)
  const parts = [
    ...(iterations === '' ? [] : [`run ${iterations}`]),
    ...(share === null ? [] : [`${Math.round(share * 100)} %`]),
    ...(progress && progress.text !== '' ? [progress.text] : []),
  ]
  return `${id} is ${taskState(task)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`
}
