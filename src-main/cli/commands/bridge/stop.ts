import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { runningBridge, type BridgeProcess } from '../../../bridge/pidFile'
import { dataFolder } from '../../../files/dataFolder'
import { childIsAlive } from '../../../storage/children'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { bridgeGroup as group } from './group'

/** Its tasks have stopped by then; only files and machines are left to close. */
const END_WAIT_MS = 15_000

export const bridgeStop = defineCommand({
  group,
  name: 'stop',
  summary: 'Stop the bridge in the background with its tasks and machines.',
  data: { stopped: 'true or false', 'pid?': 'number', 'tasks?': '[{ id, name, type }]: those that ended with it' },
  examples: ['bridge stop'],
  run: async ({ output, signal, environment, findSession }) => {
    const session = await findSession()
    if (!session) {
      const lost = runningBridge(dataFolder(environment))
      if (!lost) {
        output.result({ stopped: false }, 'No bridge runs.')
        return EXIT_OK
      }
      process.kill(lost.pid, 'SIGTERM')
      await untilEnded(lost, signal)
      output.result(
        { stopped: true, pid: lost.pid },
        `Stopped the bridge (pid ${lost.pid}), which no longer answered at its socket.`,
      )
      return EXIT_OK
    }
    const status = await session.status(signal)
    const { tasks } = await session.client.call('tasks.live', {}, signal)
    await session.client.call('bridge.stop', {}, signal).catch((error: unknown) => {
      if (toFailure(error).code !== 'BRIDGE_DOWN') throw error
    })
    await untilEnded(status, signal)
    const { length } = tasks
    output.result(
      { stopped: true, pid: status.pid, tasks },
      `Stopped the bridge${length === 0 ? '' : ` and ${counted(length, 'task')}`}.`,
    )
    return EXIT_OK
  },
})

/** @throws AppError TIMEOUT */
async function untilEnded(bridge: BridgeProcess, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + END_WAIT_MS
  while (childIsAlive(bridge)) {
    if (performance.now() > deadline)
      throw new AppError('TIMEOUT', `The bridge (pid ${bridge.pid}) has not ended after ${END_WAIT_MS / 1000} s.`, {
        hint: 'End that process.',
      })
    await wait(20, undefined, { signal })
  }
}
