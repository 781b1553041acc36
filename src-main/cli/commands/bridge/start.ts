import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { folderPath } from '../../parameters'
import { describeBridge } from './describeBridge'
import { bridgeGroup as group } from './group'

export const bridgeStart = defineCommand({
  group,
  name: 'start',
  summary: 'Start a bridge in the background that runs until it is stopped, if none runs yet.',
  details: 'All calls then share its machines: what one call writes to builtin, the next one reads.',
  options: { home: folderPath('The folder of tasks.json.') },
  data: {
    running: 'true or false',
    lifetime: 'window, background or call',
    pid: 'number',
    startedAt: 'ISO time',
    endsWhenIdle: 'true or false',
    machines: '[{ machine, connection }]',
    tasks: '[{ id, name, type }]',
  },
  examples: ['bridge start'],
  run: async ({ output, signal, openSession }, { home }) => {
    const session = await openSession(home, 'untilStopped')
    await session.client.call('bridge.stay', {}, signal)
    const { data, text } = await describeBridge(session, signal)
    output.result(data, text)
    return EXIT_OK
  },
})
