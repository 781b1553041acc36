import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { taskGroup as group } from './group'
import { homeOption, openTaskSession } from './taskSession'

export const taskStopAll = defineCommand({
  group,
  name: 'stop-all',
  summary: 'Stop every task.',
  options: { home: homeOption },
  data: { stopped: 'how many' },
  examples: ['task stop-all'],
  run: async (context, { home }) => {
    const { client } = await openTaskSession(context, home)
    const { stopped } = await client.call('tasks.stopAll', {}, context.signal)
    context.output.result({ stopped }, `Stopped ${counted(stopped, 'task')}.`)
    return EXIT_OK
  },
})
