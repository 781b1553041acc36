import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'

export const taskLog = defineCommand({
  group,
  name: 'log',
  summary: 'Print the log of a task.',
  positionals: { id: taskId },
  options: { home: homeOption },
  data: { id: 'of the task', log: 'text' },
  examples: ['task log 0001_sample'],
  run: async (context, { id, home }) => {
    const { client } = await openTaskSession(context, home)
    let log = ''
    for (let offset = 0; ;) {
      const { text, next } = await client.call('tasks.readLog', { id, offset }, context.signal)
      log += text
      if (next <= offset) break
      offset = next
    }
    context.output.result({ id, log }, log.trimEnd())
    return EXIT_OK
  },
})
