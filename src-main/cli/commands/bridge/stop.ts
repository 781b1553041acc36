import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { childIsAlive } from '../../../storage/children'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { bridgeGroup as group } from './group'

/** Its tasks have stopped by then; what is left is closing files and machines. */
const END_WAIT_MS = 15_000

export const bridgeStop = defineCommand({
  group,
  name: 'stop',
  summary: 'Stop the bridge in the background with its tasks and machines.',
  data: { stopped: 'true or false', 'pid?': 'number', 'tasks?': '[{ id, name, type }]: those that ended with it' },
  examples: ['bridge stop'],
  run: async ({ output, signal, findSession }) => {
    const session = await findSession()
    if (!session) {
      output.result({ stopped: false }, 'No bridge runs.')
      return EXIT_OK
    }
    const status = await session.status(signal)
    const { tasks } = await session.client.call('tasks.live', {}, signal)
    await session.client.call('bridge.stop', {}, signal).catch((error: unknown) => {
      // It ended before its answer arrived.
      if (toFailure(error).code !== 'BRIDGE_DOWN') throw error
    })
    const deadline = performance.now() + END_WAIT_MS
    while (childIsAlive(status)) {
      if (performance.now() > deadline)
        throw new AppError('TIMEOUT', `The bridge (pid ${status.pid}) has not ended after ${END_WAIT_MS / 1000} s.`, {
          hint: 'End that process.',
        })
      await wait(20, undefined, { signal })
    }
    const { length } = tasks
    output.result(
      { stopped: true, pid: status.pid, tasks },
      `Stopped the bridge${length === 0 ? '' : ` and ${counted(length, 'task')}`}.`,
    )
    return EXIT_OK
  },
})
