import { AppError } from '@shared/contract/errors'
import { taskHome } from '../../../tasks/home'
import type { CommandContext } from '../../command'
import { folderPath, required, text } from '../../parameters'
import type { BridgeToStart, Session } from '../../session'

export const homeOption = folderPath('The folder of tasks.json.')

export const taskId = required(text('ID', 'The task.'))

/** @throws AppError CONFLICT when a running bridge keeps its tasks elsewhere */
export async function openTaskSession(
  { openSession, environment, signal }: CommandContext,
  named: string | undefined,
  toStart?: BridgeToStart,
): Promise<Session> {
  const session = await openSession(named, toStart)
  if (named === undefined && !environment.C64_TASK_STATE_FILE) return session
  const wanted = taskHome({ named, setting: null })
  const { home } = await session.client.call('tasks.list', { after: null }, signal)
  if (home === wanted) return session
  throw new AppError('CONFLICT', `The running Bridgedeck keeps its tasks in ${home}, not in ${wanted}.`, {
    hint: 'Close it, or do not name another folder.',
  })
}
