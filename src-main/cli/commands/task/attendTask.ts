import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { Task } from '@shared/contract/tasks'
import type { Json } from '@shared/json'
import type { CommandContext } from '../../command'
import type { Output } from '../../output'
import type { Session } from '../../session'
import { requireWell } from './waitForTask'

const LOG_INTERVAL_MS = 250

/**
 * Stops the task when the call is interrupted.
 * @throws AppError unless the task was completed
 */
export async function attendTask(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  session: Session,
  id: string,
  options: { readonly showsLog: boolean },
): Promise<{ task: Task; result: Json }> {
  const { client } = session
  const stopProgress = client.onEvent('tasks.changed', ({ changed }) => {
    const task = changed.find((one) => one.id === id)
    if (task) showProgress(output, task)
  })
  const waiting = new AbortController()
  const log = options.showsLog && !output.isJson ? followLog(session, id, output, waiting.signal) : Promise.resolve()
  try {
    await client.call('tasks.wait', { id }, signal)
  } catch (error) {
    if (signal.aborted) await client.call('tasks.stop', { id })
    throw error
  } finally {
    stopProgress()
    waiting.abort()
    await log
  }
  const { task, result } = await client.call('tasks.show', { id })
  if (!requireWell(task)) throw new AppError('CANCELLED', `${id} was ${task.status}.`, { details: { task: id } })
  return { task, result }
}

function showProgress(output: Output, { id, progress, iterations, maxIterations }: Task): void {
  const runs = maxIterations === null || iterations === null ? null : iterations / maxIterations
  const ofRun = progress === null ? '' : `, ${progress.text}`
  if (runs !== null) output.progress(runs, `${id}, run ${iterations ?? 0} of ${maxIterations ?? 0}${ofRun}`)
  else if (progress !== null) output.progress(progress.share, `${id}${ofRun}`)
}

async function followLog({ client }: Session, id: string, output: Output, signal: AbortSignal): Promise<void> {
  for (let offset = 0, isLast = false; ;) {
    const { text, next } = await client.call('tasks.readLog', { id, offset }).catch(() => ({ text: '', next: offset }))
    output.stream(text)
    offset = next
    if (isLast) return
    await wait(LOG_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
    isLast = signal.aborted
  }
}
