import type { Input } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Task } from '@shared/contract/tasks'
import type { CommandContext } from '../../command'
import { json, machine, required, text } from '../../parameters'
import type { Session } from '../../session'
import { catalogue, operationNames, readTaskArguments } from './catalogue'
import { haveLabels, withAddresses } from './labelArguments'
import { homeOption, openTaskSession } from './taskSession'

export const operationName = required({
  ...text('OPERATION', 'The operation; task operations lists all.'),
  completes: operationNames,
})

export const newTaskOptions = {
  machine: machine('The machine to work on.'),
  name: text('NAME', 'The name of the task.'),
  args: json('The arguments as a JSON object; each is also an option of its own.'),
  home: homeOption,
}

interface NewTask {
  readonly type: Task['type']
  readonly operation: string
  readonly machine: string
  readonly name: string | undefined
  readonly args: string | undefined
  readonly home: string | undefined
  readonly detach?: boolean
  readonly schedule?: { readonly intervalMs?: number; readonly maxIterations?: number }
}

export async function startTask(
  context: CommandContext,
  { type, operation, machine, name, home, detach = false, schedule, ...task }: NewTask,
  more: ReadonlyMap<string, string>,
): Promise<{ session: Session; id: string }> {
  const written = readTaskArguments(operation, task.args, more, context.folder)
  const isReady = !haveLabels(operation, written)
  // Reports invalid arguments before connecting the machine, and where no label is to be looked up, before a bridge starts.
  if (isReady) catalogue.prepare(operation, type, written)
  const session = await openTaskSession(context, home, detach ? 'untilIdle' : 'own')
  const args = isReady ? written : await withAddresses(session, machine, operation, written, context.signal)
  if (!isReady) catalogue.prepare(operation, type, args)
  const asked = { operation, machine, type, args, ...(name === undefined ? {} : { name }), ...schedule }
  try {
    await session.connect(machine, context.signal)
  } catch (error) {
    if (context.signal.aborted) throw error
    throw await keepAsFailed(session, asked, error)
  }
  const { id } = await session.client.call('tasks.start', asked, context.signal)
  return { session, id }
}

async function keepAsFailed(session: Session, asked: Input<'tasks.start'>, error: unknown): Promise<AppError> {
  const { code, message, hint, details } = toFailure(error)
  const { id } = await session.client.call('tasks.startFailed', { ...asked, reason: message.slice(0, 1000) })
  return new AppError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...details, task: id },
    cause: error,
  })
}
