import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number } from '../../parameters'
import { attendTask } from './attendTask'
import { detach, leaveTask } from './leaveTask'
import { argumentOptions } from './catalogue'
import { taskGroup as group } from './group'
import { newTaskOptions, operationName, startTask } from './startTask'

export const taskStart = defineCommand({
  group,
  name: 'start',
  summary: 'Repeat an operation until it is done or Ctrl+C stops it.',
  details:
    'With --detach the call ends at once, and the task goes on in the open window, or else in a bridge in the background that ends after its last task. Until then all calls use that bridge and its machines.',
  positionals: { operation: operationName },
  options: {
    ...newTaskOptions,
    interval: number('MS', 'Time from one run to the next. Default: 1000.', { min: 1, max: 86_400_000 }),
    iterations: number('N', 'End after this many runs.', { min: 1, max: 1_000_000_000 }),
    detach,
  },
  moreOptions: argumentOptions,
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    'result?': 'of the operation',
    'lifetime?': '--detach: of the bridge that runs it',
    'pid?': '--detach: of that bridge',
  },
  examples: [
    "task start sample --ranges '$A0-$A2' --interval 20 --iterations 10",
    "task start sample --ranges '$A0-$A2' --detach",
  ],
  run: async (context, { interval, iterations, ...values }, more) => {
    const schedule = {
      ...(interval === undefined ? {} : { intervalMs: interval }),
      ...(iterations === undefined ? {} : { maxIterations: iterations }),
    }
    const { session, id } = await startTask(context, { type: 'background', ...values, schedule }, more)
    if (values.detach) return leaveTask(context, session, id)
    const { task, result } = await attendTask(context, session, id, { showsLog: true })
    context.output.result({ task, result }, '')
    return EXIT_OK
  },
})
