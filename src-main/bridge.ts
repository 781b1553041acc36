/** Does not know Electron and also runs under plain Node. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import nodeLog from 'electron-log/node'
import { AppError, diskError, toFailure } from '@shared/contract/errors'
import { readBackgroundArguments } from './bridge/backgroundBridge'
import { BridgeClient } from './bridge/client'
import { createBridge, DataFolderGone, type OwnBridge } from './bridge/createBridge'
import { endWhenIdle } from './bridge/idleEnd'
import { writePidFile } from './bridge/pidFile'
import { processTransport } from './bridge/processTransport'
import { PROTOCOL_VERSION, type FromBridge } from './bridge/messages'
import { serve, type Bridge } from './bridge/serve'
import { connect, listen, socketPath, type Listening } from './bridge/socket'
import type { BridgeSide } from './rpc/transport'
import { dataFolder } from './files/dataFolder'
import { newerData } from './files/dataVersion'
import { openLog, terminalLog } from './files/log'
import { ProcessLock } from './files/processLock'

/** Time for the socket of an ending bridge to go away, ms. */
const SOCKET_WAIT_MS = 2_000

const folder = dataFolder()
/** Newer data: nothing in the folder may be written, logs included. */
const newer = newerData(folder)
const log = newer ? terminalLog : openLog(nodeLog, join(folder, 'logs'), 'bridge')

let running: OwnBridge | undefined

for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error: unknown) => {
    // A full disk stops no machine: the write is repeated later, or its caller was told.
    const refused = diskError(error) ?? (error instanceof DataFolderGone ? error : undefined)
    if (refused) {
      log.error(refused.message, error)
      return
    }
    log.error(`The bridge stops at an unexpected error (${event}) and is restarted.`, error)
    try {
      running?.noteEnd(error)
    } finally {
      process.exit(1)
    }
  })
}

async function main(side: BridgeSide | undefined): Promise<void> {
  if (newer) throw newer
  const background = readBackgroundArguments(process.argv.slice(2))
  let staysIdle = background?.staysIdle ?? true
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void Promise.allSettled([socket.close(), bridge.close()]).then(() => {
      removePidFile?.()
      process.exit(0)
    })
  }
  const bridge = createBridge({
    dataFolder: folder,
    resources: join(import.meta.dirname, '../resources/c64'),
    workerPath: join(import.meta.dirname, 'builtinWorker.cjs'),
    recorderPath: join(import.meta.dirname, 'recorderWorker.cjs'),
    ...(background
      ? {
          lifetime: 'background',
          background: {
            endsWhenIdle: () => !staysIdle,
            listensAt: process.platform === 'win32' ? undefined : socketPath(folder),
            onStay: () => (staysIdle = true),
            onStop: end,
          },
        }
      : { lifetime: 'window' }),
    ...(background?.taskFolder === undefined ? {} : { taskFolder: background.taskFolder }),
    lastEnd: process.env.BRIDGEDECK_LAST_END,
    log: (message, error) => (error === undefined ? log.info(message) : log.error(message, error)),
  })
  running = bridge
  const socket = background ? await listenAlone(bridge) : await listenOnceFree(bridge)
  const removePidFile = background ? writePidFile(folder) : undefined
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (background) {
    const ready: FromBridge = { kind: 'ready', protocol: PROTOCOL_VERSION }
    side?.control.post(ready)
    endWhenIdle(() => staysIdle || bridge.isBusy || socket.clients > 0, end)
  } else if (side) serve(bridge, side, end)
  log.info(`The bridge runs in ${folder} under Node ${process.version}${background ? ', in the background' : ''}.`)
}

/** Guards against two processes at once: each would remove the other's socket. */
async function listenAlone(bridge: Bridge): Promise<Listening> {
  const lock = new ProcessLock(join(folder, 'bridge.lock'))
  try {
    return await lock.hold(() => listen(bridge, socketPath(folder)))
  } finally {
    await lock.close()
  }
}

async function listenOnceFree(bridge: Bridge): Promise<Listening> {
  const deadline = performance.now() + SOCKET_WAIT_MS
  for (;;) {
    try {
      return await listenAlone(bridge)
    } catch (error) {
      if (toFailure(error).code !== 'CONFLICT') throw error
      const reason = await askOther()
      if (performance.now() > deadline) throw reason ?? error
      await wait(100)
    }
  }
}

/** @returns undefined where another window's bridge runs */
async function askOther(): Promise<AppError | undefined> {
  const line = await connect(socketPath(folder))
  const client = line && new BridgeClient(line)
  try {
    const status = await client?.call('bridge.status', {})
    if (!client || status?.lifetime !== 'background') return undefined
    const { tasks } = await client.call('tasks.live', {})
    if (status.endsWhenIdle && tasks.length === 0) await client.call('bridge.stop', {})
    const work = tasks.length === 0 ? '' : ` with ${tasks.map(({ id }) => id).join(', ')}`
    return new AppError('CONFLICT', `Bridgedeck runs in the background${work}.`, {
      hint: 'Stop it with “bridgedeck bridge stop”, or wait for its tasks to end. Then start the bridge again.',
    })
  } catch {
    return undefined
  } finally {
    client?.close()
  }
}

const side = processTransport()
main(side).catch((error: unknown) => {
  log.error('The bridge could not start', error)
  const message: FromBridge = { kind: 'failed', error: toFailure(error) }
  side?.control.post(message)
  process.exitCode = 1
  setTimeout(() => process.exit(), 200)
})
