import { isJsonObject } from '@shared/json'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number, withDefault } from '../../parameters'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'
import { describeProgress, waitForTask } from './waitForTask'

/** Clients of agents give up on a call after a minute. */
export const DEFAULT_WAIT_S = 45

export const taskWait = defineCommand({
  group,
  name: 'wait',
  summary: 'Wait for a task to end, and print its result or progress.',
  positionals: { id: taskId },
  options: {
    timeout: withDefault(
      number('S', 'How long to wait, in seconds. The task goes on.', { min: 0, max: 3600 }),
      DEFAULT_WAIT_S,
    ),
    home: homeOption,
  },
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    result: 'of the operation, or null',
    running: 'whether it still runs',
  },
  examples: ['task wait 0001_sample --timeout 1'],
  run: async (context, { id, timeout, home }) => {
    const session = await openTaskSession(context, home)
    const waited = await waitForTask(context, session, id, timeout)
    const { task, result, running } = waited
    const shown = isJsonObject(result) ? result.summary : result
    context.output.result(
      { task, result, running },
      running || result === null ? describeProgress(task) : JSON.stringify(shown, null, 2),
    )
    return EXIT_OK
  },
})
