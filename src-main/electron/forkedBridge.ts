import { fork, type ChildProcess } from 'node:child_process'
import type { Plane } from '@shared/contract/ports'
import { bridgeExecArgv } from '../bridge/processMemory'
import type { Line } from '../rpc/transport'
import { isStoppedProcess } from './stoppedProcess'
import type { RunningBridge } from './supervisor'

export interface ForkedBridge extends RunningBridge {
  readonly pid: number | undefined
  openLine(plane: Plane): Line
}

export interface ForkOptions {
  /** At least Node 22. */
  readonly node: string
  readonly script: string
  readonly environment: NodeJS.ProcessEnv
  readonly output: (stream: NodeJS.ReadableStream) => void
}

/** Several lines share the process's one IPC channel; line 0 is the control line. */
interface Envelope {
  readonly line: number
  readonly message?: unknown
  readonly open?: Plane
  readonly closed?: true
}

/** The stand-in Electron's Node is too old for SQLite. */
export const forkBridge = (options: ForkOptions): ForkedBridge => new BridgeChild(options)

class BridgeChild implements ForkedBridge {
  readonly #child: ChildProcess
  readonly #controlListeners: ((message: unknown) => void)[] = []
  readonly #endListeners: ((how: string) => void)[] = []
  readonly #lines = new Map<number, PortLine>()
  #lastLine = 0
  #hasEnded = false

  constructor({ node, script, environment, output }: ForkOptions) {
    const child = fork(script, {
      execPath: node,
      execArgv: [...bridgeExecArgv],
      env: environment,
      serialization: 'advanced',
      silent: true,
    })
    this.#child = child
    if (child.stdout) output(child.stdout)
    if (child.stderr) output(child.stderr)
    child.on('exit', (code, signal) =>
      this.#end(signal === null ? `ended with code ${code ?? 'unknown'}` : `was killed by ${signal}`),
    )
    child.on('error', (error) => this.#end(`could not be started (${error.message})`))
    child.on('message', (raw: unknown) => this.#receive(raw))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  post(message: unknown): void {
    this.#send({ line: 0, message })
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#controlListeners.push(listener)
  }

  onEnd(listener: (how: string) => void): void {
    this.#endListeners.push(listener)
  }

  isStopped(): boolean {
    return this.pid !== undefined && isStoppedProcess(this.pid)
  }

  kill(): void {
    if (!this.#hasEnded) this.#child.kill('SIGKILL')
  }

  openLine(plane: Plane): Line {
    const number = ++this.#lastLine
    const line = new PortLine(
      (message) => this.#send({ line: number, message }),
      () => {
        this.#lines.delete(number)
        this.#send({ line: number, closed: true })
      },
    )
    if (this.#hasEnded) line.closed()
    else {
      this.#lines.set(number, line)
      this.#send({ line: number, open: plane })
    }
    return line
  }

  #send(envelope: Envelope): void {
    // The channel can close between the check and the write; `exit` then reports that the process ended.
    if (this.#child.connected) this.#child.send(envelope, () => undefined)
  }

  #receive(raw: unknown): void {
    const envelope = parseEnvelope(raw)
    if (!envelope) return
    if (envelope.line === 0) {
      for (const listener of this.#controlListeners) listener(envelope.message)
      return
    }
    const line = this.#lines.get(envelope.line)
    if (envelope.closed) line?.closed()
    else line?.deliver(envelope.message)
  }

  #end(how: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const line of this.#lines.values()) line.closed()
    this.#lines.clear()
    for (const listener of this.#endListeners) listener(how)
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
