import { app, utilityProcess, type Details, type MessagePortMain } from 'electron'
import type { Plane } from '@shared/contract/ports'
import type { Line } from '../rpc/transport'
import { exactCopies } from './exactCopies'
import { forkBridge, type ForkOptions } from './forkedBridge'
import type { BridgeHost, RunningBridge } from './supervisor'

/** A bridge that can be handed one end of a channel whose other end the page gets. */
export interface WindowBridge extends RunningBridge {
  /** The port of this plane that came before is closed: a window has one live port of each. */
  connectPort(plane: Plane, port: MessagePortMain): void
}

const SERVICE = 'bridgedeck-bridge'

/** The product's way: a utility process, to which ports are passed on whole. */
export function utilityHost(options: Omit<ForkOptions, 'node'>): BridgeHost<WindowBridge> {
  return { start: () => startUtility(options) }
}

function startUtility({ script, environment, output }: Omit<ForkOptions, 'node'>): WindowBridge {
  const child = utilityProcess.fork(script, [], { serviceName: SERVICE, env: environment, stdio: 'pipe' })
  const endListeners: ((how: string) => void)[] = []
  let hasEnded = false
  // `exit` says 0 for a crash on old Electron; whichever of the two comes first tells.
  const ended = (how: string) => {
    if (hasEnded) return
    hasEnded = true
    app.off('child-process-gone', onGone)
    for (const listener of endListeners) listener(how)
  }
  const onGone = (_event: unknown, { name, serviceName, reason, exitCode }: Details) => {
    if (name === SERVICE || serviceName === SERVICE) ended(`ended (${reason}, code ${exitCode})`)
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
    kill: () => {
      if (hasEnded) return
      // SIGTERM, which `kill` sends, does not end a process that is stuck.
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
    // It has ended meanwhile.
  }
}

/** Under the stand-in Electron only: the bridge runs in a Node of its own, and main passes on what goes over the ports. */
export function forkedHost(options: ForkOptions): BridgeHost<WindowBridge> {
  return {
    start() {
      const bridge = forkBridge(options)
      const current: Partial<Record<Plane, Line>> = {}
      return {
        post: (message) => bridge.post(message),
        onMessage: (listener) => bridge.onMessage(listener),
        onEnd: (listener) => bridge.onEnd(listener),
        kill: () => bridge.kill(),
        connectPort(plane, port) {
          current[plane]?.close()
          relay(port, (current[plane] = bridge.openLine(plane)))
        },
      }
    },
  }
}

/** Nothing queues up here: the page's credits bound what is under way. */
function relay(port: MessagePortMain, line: Line): void {
  port.on('message', ({ data }: { data: unknown }) => line.post(data))
  port.on('close', () => line.close())
  line.onMessage((message) => port.postMessage(exactCopies(message)))
  line.onClose(() => port.close())
  port.start()
}
