import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { describeBridge } from './describeBridge'
import { bridgeGroup as group } from './group'

export const bridgeStatus = defineCommand({
  group,
  name: 'status',
  summary: 'Show whether a bridge runs, where, and with which machines and tasks.',
  data: {
    running: 'true or false',
    'lifetime?': 'window, background or call',
    'pid?': 'number',
    'startedAt?': 'ISO time',
    'endsWhenIdle?': 'true or false',
    'machines?': '[{ machine, connection }]',
    'tasks?': '[{ id, name, type }]',
  },
  examples: ['bridge status'],
  run: async ({ output, signal, findSession }) => {
    const session = await findSession()
    if (session) {
      const { data, text } = await describeBridge(session, signal)
      output.result(data, text)
    } else output.result({ running: false }, 'No bridge runs. Each call starts one of its own.')
    return EXIT_OK
  },
})
