/** Shared by task run and task start. */
import type { Task } from '@shared/contract/tasks'
import type { CommandContext } from '../../command'
import { machine, required, text } from '../../parameters'
import type { Session } from '../../session'
import { catalogue, readTaskArguments } from './catalogue'
import { homeOption, openTaskSession } from './taskSession'

export const operationName = required(text('OPERATION', 'The operation; task operations lists all.'))

export const newTaskOptions = {
  machine: machine('The machine to work on.'),
  name: text('NAME', 'The name of the task.'),
  args: text('JSON', 'The arguments as a JSON object; each is also an option of its own.'),
  home: homeOption,
}

interface NewTask {
  readonly type: Task['type']
  readonly operation: string
  readonly machine: string
  readonly name: string | undefined
  readonly args: string | undefined
  readonly home: string | undefined
  readonly schedule?: { readonly intervalMs?: number; readonly maxIterations?: number }
}

export async function startTask(
  context: CommandContext,
  { type, operation, machine, name, home, schedule, ...task }: NewTask,
  more: ReadonlyMap<string, string>,
): Promise<{ session: Session; id: string }> {
  const args = readTaskArguments(operation, task.args, more, context.folder)
  // Reports invalid arguments before connecting the machine.
  catalogue.prepare(operation, type, args)
  const session = await openTaskSession(context, home)
  await session.connect(machine, context.signal)
  const { id } = await session.client.call(
    'tasks.start',
    { operation, machine, type, args, ...(name === undefined ? {} : { name }), ...schedule },
    context.signal,
  )
  return { session, id }
}
