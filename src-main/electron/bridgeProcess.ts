import { app, utilityProcess, type Details, type MessagePortMain } from 'electron'
import type { Plane } from '@shared/contract/ports'
import type { Line } from '../rpc/transport'
import { exactCopies } from './exactCopies'
import { forkBridge, type ForkOptions } from './forkedBridge'
import { isStoppedProcess } from './stoppedProcess'
import type { BridgeHost, RunningBridge } from './supervisor'

export interface WindowBridge extends RunningBridge {
  /** Closes the plane's previous port: a window has one port for each. */
  connectPort(plane: Plane, port: MessagePortMain): void
}

let startedServices = 0

/** A new name for each start: Electron may report the end of one bridge when the next has begun. */
const nextService = (): string => `bridgedeck-bridge-${++startedServices}`

export function utilityHost(options: Omit<ForkOptions, 'node'>): BridgeHost<WindowBridge> {
  return { start: (lastEnd) => startUtility(withLastEnd(options, lastEnd)) }
}

const withLastEnd = <Options extends Omit<ForkOptions, 'node'>>(
  options: Options,
  lastEnd: string | undefined,
): Options =>
  lastEnd === undefined
    ? options
    : { ...options, environment: { ...options.environment, BRIDGEDECK_LAST_END: lastEnd } }

function startUtility({ script, environment, output }: Omit<ForkOptions, 'node'>): WindowBridge {
  const service = nextService()
  const child = utilityProcess.fork(script, [], { serviceName: service, env: environment, stdio: 'pipe' })
  const endListeners: ((how: string) => void)[] = []
  let hasEnded = false
  // Old Electron reports exit code 0 for a crash, so whichever of the two events comes first counts.
  const ended = (how: string) => {
    if (hasEnded) return
    hasEnded = true
    app.off('child-process-gone', onGone)
    for (const listener of endListeners) listener(how)
  }
  const onGone = (_event: unknown, { name, serviceName, reason, exitCode }: Details) => {
    if (name === service || serviceName === service) ended(`ended (${reason}, code ${exitCode})`)
  }
  app.on('child-process-gone', onGone)
  child.once('exit', (code) => ended(`ended with code ${code}`))
  child.once('spawn', () => {
    for (const stream of [child.stdout, child.stderr]) if (stream) output(stream)
  })

  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void endListeners.push(listener),
    isStopped: () => child.pid !== undefined && isStoppedProcess(child.pid),
    kill: () => {
      if (hasEnded) return
      // `kill` sends SIGTERM, which does not end a process that is stuck.
      if (child.pid === undefined) child.kill()
      else killNow(child.pid)
    },
    connectPort: (plane, port) => child.postMessage({ kind: 'port', plane }, [port]),
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Under the stand-in Electron only: the bridge runs in its own Node, and main relays the messages of the ports. */
export function forkedHost(options: ForkOptions): BridgeHost<WindowBridge> {
  return {
    start(lastEnd) {
      const bridge = forkBridge(withLastEnd(options, lastEnd))
      const current: Partial<Record<Plane, Line>> = {}
      return {
        post: (message) => bridge.post(message),
        onMessage: (listener) => bridge.onMessage(listener),
        onEnd: (listener) => bridge.onEnd(listener),
        isStopped: () => bridge.isStopped?.() ?? false,
        kill: () => bridge.kill(),
        connectPort(plane, port) {
          current[plane]?.close()
          relay(port, (current[plane] = bridge.openLine(plane)))
        },
      }
    },
  }
}

function relay(port: MessagePortMain, line: Line): void {
  port.on('message', ({ data }: { data: unknown }) => line.post(data))
  port.on('close', () => line.close())
  line.onMessage((message) => port.postMessage(exactCopies(message)))
  line.onClose(() => port.close())
  port.start()
}
