/** The bridge process: everything that is not the window. It knows nothing of Electron and runs under plain Node as well. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import nodeLog from 'electron-log/node'
import { toFailure } from '@shared/contract/errors'
import { createBridge } from './bridge/createBridge'
import { processTransport } from './bridge/processTransport'
import type { FromBridge } from './bridge/messages'
import { serve, type Bridge } from './bridge/serve'
import { listen, socketPath } from './bridge/socket'
import type { BridgeSide } from './rpc/transport'
import { dataFolder } from './files/dataFolder'
import { openLog } from './files/log'

/** How long the socket of a bridge that is just ending may still be there. */
const SOCKET_WAIT_MS = 2_000

const folder = dataFolder()
const log = openLog(nodeLog, join(folder, 'logs'), 'bridge')

for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error: unknown) => {
    log.error(`The bridge stops at an unexpected error (${event}) and is restarted.`, error)
    process.exit(1)
  })
}

async function main(side: BridgeSide | undefined): Promise<void> {
  const bridge = createBridge({
    dataFolder: folder,
    resources: join(import.meta.dirname, '../resources/c64'),
    workerPath: join(import.meta.dirname, 'builtinWorker.cjs'),
    recorderPath: join(import.meta.dirname, 'recorderWorker.cjs'),
    lifetime: 'window',
    log: (message, error) => (error === undefined ? log.info(message) : log.error(message, error)),
  })
  const socket = await listenOnceFree(bridge)
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void Promise.allSettled([socket.close(), bridge.close()]).then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (side) serve(bridge, side, end)
  log.info(`The bridge runs in ${folder} under Node ${process.version}.`)
}

async function listenOnceFree(bridge: Bridge): Promise<{ close(): Promise<void> }> {
  const deadline = performance.now() + SOCKET_WAIT_MS
  for (;;) {
    try {
      return await listen(bridge, socketPath(folder))
    } catch (error) {
      if (toFailure(error).code !== 'CONFLICT' || performance.now() > deadline) throw error
      await wait(100)
    }
  }
}

const side = processTransport()
main(side).catch((error: unknown) => {
  log.error('The bridge could not start', error)
  const message: FromBridge = { kind: 'failed', error: toFailure(error) }
  side?.control.post(message)
  process.exitCode = 1
  // The message goes out before the process does.
  setTimeout(() => process.exit(), 200)
})
