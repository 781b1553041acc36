import { isJsonObject } from '@shared/json'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number } from '../../parameters'
import { attendTask } from './attendTask'
import { argumentOptions } from './catalogue'
import { taskGroup as group } from './group'
import { detach, leaveTask } from './leaveTask'
import { newTaskOptions, operationName, startTask } from './startTask'
import { describeProgress, waitForTask } from './waitForTask'

export const taskRun = defineCommand({
  group,
  name: 'run',
  summary: 'Run an operation once and print its result.',
  positionals: { operation: operationName },
  options: {
    ...newTaskOptions,
    detach,
    wait: number('S', 'Wait this many seconds for its result, then leave it running in the background.', {
      min: 0,
      max: 3600,
    }),
  },
  moreOptions: argumentOptions,
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    'result?': 'of the operation',
    'running?': '--wait: true where it still runs',
    'lifetime?': '--detach: of the bridge that runs it',
    'pid?': '--detach: of that bridge',
  },
  examples: ["task run read --address '$E000' --length 2", 'task run extract_sprites_from_ram --machine builtin'],
  run: async (context, values, more) => {
    const { wait, ...asked } = values
    const detach = values.detach || wait !== undefined
    const { session, id } = await startTask(context, { type: 'foreground', ...asked, detach }, more)
    if (values.detach) return leaveTask(context, session, id)
    const waited = wait === undefined ? null : await waitForTask(context, session, id, wait)
    if (waited?.running) {
      context.output.result({ task: waited.task, result: null, running: true }, describeProgress(waited.task))
      return EXIT_OK
    }
    const { task, result } = waited ?? (await attendTask(context, session, id, { showsLog: false }))
    const shown = isJsonObject(result) ? result.summary : result
    context.output.result({ task, result }, JSON.stringify(shown, null, 2))
    return EXIT_OK
  },
})
