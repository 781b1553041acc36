import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'

export const taskDelete = defineCommand({
  group,
  name: 'delete',
  summary: 'Delete a task with its folder.',
  positionals: { id: taskId },
  options: { home: homeOption },
  data: { id: 'of the task' },
  examples: ['task delete 0001_sample'],
  run: async (context, { id, home }) => {
    const { client } = await openTaskSession(context, home)
    await client.call('tasks.delete', { id }, context.signal)
    context.output.result({ id }, `Deleted ${id}.`)
    return EXIT_OK
  },
})
