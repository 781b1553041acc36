import { isJsonObject } from '@shared/json'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { attendTask } from './attendTask'
import { argumentOptions } from './catalogue'
import { taskGroup as group } from './group'
import { detach, leaveTask } from './leaveTask'
import { newTaskOptions, operationName, startTask } from './startTask'

export const taskRun = defineCommand({
  group,
  name: 'run',
  summary: 'Run an operation once and print its result.',
  positionals: { operation: operationName },
  options: { ...newTaskOptions, detach },
  moreOptions: argumentOptions,
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    'result?': 'of the operation',
    'lifetime?': '--detach: of the bridge that runs it',
    'pid?': '--detach: of that bridge',
  },
  examples: ["task run read --address '$E000' --length 2", 'task run extract_sprites_from_ram --machine builtin'],
  run: async (context, values, more) => {
    const { session, id } = await startTask(context, { type: 'foreground', ...values }, more)
    if (values.detach) return leaveTask(context, session, id)
    const { task, result } = await attendTask(context, session, id, { showsLog: false })
    const shown = isJsonObject(result) ? result.summary : result
    context.output.result({ task, result }, JSON.stringify(shown, null, 2))
    return EXIT_OK
  },
})
