import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { attendTask } from './attendTask'
import { detach, leaveTask } from './leaveTask'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession, taskId } from './taskSession'

export const taskResume = defineCommand({
  group,
  name: 'resume',
  summary: 'Resume a task that was interrupted, until it is done or Ctrl+C stops it.',
  positionals: { id: taskId },
  options: { detach, home: homeOption },
  data: {
    task: '{ id, name, type, operation, status, machine, … }',
    'result?': 'of the operation',
    'lifetime?': '--detach: of the bridge that runs it',
    'pid?': '--detach: of that bridge',
  },
  examples: ['task resume 0001_sample --detach'],
  run: async (context, { id, detach, home }) => {
    const session = await openTaskSession(context, home, detach ? 'untilIdle' : 'own')
    const { machine } = (await session.client.call('tasks.show', { id }, context.signal)).task
    if (machine !== null) await session.connect(machine, context.signal)
    await session.client.call('tasks.resume', { id }, context.signal)
    if (detach) return leaveTask(context, session, id)
    const { task, result } = await attendTask(context, session, id, { showsLog: true })
    context.output.result({ task, result }, '')
    return EXIT_OK
  },
})
