/** The bridge process: everything that is not the window. It knows nothing of Electron and runs under plain Node as well. */
import { join } from 'node:path'
import log from 'electron-log/node'
import { toFailure } from '@shared/contract/errors'
import { createBridge } from './bridge/createBridge'
import { processTransport } from './bridge/processTransport'
import { serve } from './bridge/serve'
import { listen, socketPath } from './bridge/socket'
import { dataFolder } from './files/dataFolder'

const MAX_LOG = 5 * 1024 * 1024

async function main(): Promise<void> {
  const folder = dataFolder()
  log.transports.file.resolvePathFn = () => join(folder, 'logs', 'bridge.log')
  log.transports.file.maxSize = MAX_LOG
  log.transports.console.level = false
  const bridge = createBridge({
    dataFolder: folder,
    resources: join(import.meta.dirname, '../resources/c64'),
    workerPath: join(import.meta.dirname, 'builtinWorker.cjs'),
    lifetime: 'window',
    log: (message, error) => (error === undefined ? log.info(message) : log.error(message, error)),
  })
  const socket = await listen(bridge, socketPath(folder)).catch((error: unknown) => {
    log.warn(`Command lines cannot reach this bridge: ${toFailure(error).message}`)
    return undefined
  })

  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void Promise.allSettled([socket?.close(), bridge.close()]).then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('unhandledRejection', (error) => {
    log.error('A promise was rejected and nobody heard it; the bridge starts afresh.', error)
    process.exit(1)
  })
  const side = processTransport()
  if (side) serve(bridge, side, end)
  log.info(`The bridge runs in ${folder} under Node ${process.version}.`)
}

void main()
