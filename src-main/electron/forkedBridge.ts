import { fork } from 'node:child_process'
import type { Plane } from '@shared/contract/ports'
import type { Line } from '../rpc/transport'
import type { RunningBridge } from './supervisor'

export interface ForkedBridge extends RunningBridge {
  readonly pid: number | undefined
  /** Opens a line of one plane to the bridge. */
  openLine(plane: Plane): Line
}

export interface ForkOptions {
  /** The Node that runs the script; at least Node 22. */
  readonly node: string
  readonly script: string
  readonly environment: NodeJS.ProcessEnv
  /** Takes what the process prints. */
  readonly output: (stream: NodeJS.ReadableStream) => void
}

/** Several lines share the one IPC channel of the process; line 0 is control. */
interface Envelope {
  readonly line: number
  readonly message?: unknown
  readonly open?: Plane
  readonly closed?: true
}

/** Starts the bridge under a Node of its own: the stand-in Electron's Node is too old for SQLite. */
export function forkBridge({ node, script, environment, output }: ForkOptions): ForkedBridge {
  const child = fork(script, {
    execPath: node,
    execArgv: [],
    env: environment,
    serialization: 'advanced',
    silent: true,
  })
  if (child.stdout) output(child.stdout)
  if (child.stderr) output(child.stderr)

  const controlListeners: ((message: unknown) => void)[] = []
  const endListeners: ((how: string) => void)[] = []
  const lines = new Map<number, PortLine>()
  let lastLine = 0
  let hasEnded = false

  const send = (envelope: Envelope) => {
    // The channel can close between the check and the write: that the process ended is then told by `exit`.
    if (child.connected) child.send(envelope, () => undefined)
  }
  const ended = (how: string) => {
    if (hasEnded) return
    hasEnded = true
    for (const line of lines.values()) line.closed()
    lines.clear()
    for (const listener of endListeners) listener(how)
  }

  child.on('exit', (code, signal) =>
    ended(signal === null ? `ended with code ${code ?? 'unknown'}` : `was killed by ${signal}`),
  )
  child.on('error', (error) => ended(`could not be started (${error.message})`))
  child.on('message', (raw: unknown) => {
    const envelope = parseEnvelope(raw)
    if (!envelope) return
    if (envelope.line === 0) {
      for (const listener of controlListeners) listener(envelope.message)
      return
    }
    const line = lines.get(envelope.line)
    if (envelope.closed) line?.closed()
    else line?.deliver(envelope.message)
  })

  return {
    get pid() {
      return child.pid
    },
    post: (message) => send({ line: 0, message }),
    onMessage: (listener) => void controlListeners.push(listener),
    onEnd: (listener) => void endListeners.push(listener),
    kill() {
      if (!hasEnded) child.kill('SIGKILL')
    },
    openLine(plane) {
      const number = ++lastLine
      const line = new PortLine(
        (message) => send({ line: number, message }),
        () => {
          lines.delete(number)
          send({ line: number, closed: true })
        },
      )
      if (hasEnded) line.closed()
      else {
        lines.set(number, line)
        send({ line: number, open: plane })
      }
      return line
    },
  }
}

class PortLine implements Line {
  readonly #send: (message: unknown) => void
  readonly #sendClosed: () => void
  readonly #messages: ((message: unknown) => void)[] = []
  readonly #closes: (() => void)[] = []
  #isOpen = true

  constructor(send: (message: unknown) => void, sendClosed: () => void) {
    this.#send = send
    this.#sendClosed = sendClosed
  }

  post(message: unknown): void {
    if (this.#isOpen) this.#send(message)
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener)
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#closes.push(listener)
    else listener()
  }

  close(): void {
    if (!this.#isOpen) return
    this.closed()
    this.#sendClosed()
  }

  deliver(message: unknown): void {
    if (this.#isOpen) for (const listener of this.#messages) listener(message)
  }

  closed(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const listener of this.#closes) listener()
  }
}

function parseEnvelope(raw: unknown): Envelope | undefined {
  if (typeof raw !== 'object' || raw === null || !('line' in raw) || typeof raw.line !== 'number') return undefined
  return {
    line: raw.line,
    ...('message' in raw ? { message: raw.message } : {}),
    ...('closed' in raw && raw.closed === true ? { closed: true } : {}),
  }
}
