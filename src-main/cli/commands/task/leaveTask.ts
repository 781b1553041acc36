import type { CommandContext } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import type { Session } from '../../session'

export const detach = flag('Leave the task running in the background.')

export async function leaveTask(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  session: Session,
  id: string,
): Promise<number> {
  const { task } = await session.client.call('tasks.show', { id }, signal)
  const { lifetime, pid } = await session.status(signal)
  const place = lifetime === 'window' ? 'in the open window' : `in the background (pid ${pid})`
  output.result({ task, lifetime, pid }, `${id} runs ${place}. Stop it with: bridgedeck task stop ${id}`)
  return EXIT_OK
}
