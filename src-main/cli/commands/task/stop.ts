import { recordedText } from '@shared/recordedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'

export const taskStop = defineCommand({
  group,
  name: 'stop',
  summary: 'Stop a task.',
  positionals: { id: taskId },
  options: { home: homeOption },
  data: { task: '{ id, name, type, operation, status, machine, … }' },
  examples: ['task stop 0001_sample'],
  run: async (context, { id, home }) => {
    const { client } = await openTaskSession(context, home)
    const task = await client.call('tasks.stop', { id }, context.signal)
    context.output.result(
      { task },
      task.recorded ? `${task.id}: ${recordedText(task.recorded)}.` : `${task.id} is ${task.status}.`,
    )
    return EXIT_OK
  },
})
