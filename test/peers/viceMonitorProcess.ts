/** Starts the stand-in for VICE's binary monitor as a process of its own, as VICE would be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { ViceMonitorOptions } from './viceMonitor'

const lineSchema = z.union([
  z.strictObject({ port: z.int() }),
  z.strictObject({ changed: z.literal(true) }),
  z.strictObject({ request: z.strictObject({ command: z.int(), id: z.int(), api: z.int(), body: z.string() }) }),
])

export interface PeerRequest {
  readonly command: number
  readonly id: number
  readonly api: number
  /** In hex. */
  readonly body: string
}

export interface ViceMonitorPeer {
  readonly port: number
  /** What has arrived, oldest first. The list may trail the answers by a moment: poll it, or read it after `stop`. */
  requests(): readonly PeerRequest[]
  /** Changes its behaviour, from the next message on; counts such as `silentAfter` start again. */
  change(options: Partial<ViceMonitorOptions>): Promise<void>
  /** Resolves with the exit code once the process is gone; null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Ends it however it stands, also when it is stopped by a signal; safe to call twice. */
  stop(): Promise<void>
  kill(signal: NodeJS.Signals): void
}

export async function startViceMonitorPeer(options: Partial<ViceMonitorOptions> = {}): Promise<ViceMonitorPeer> {
  const program = resolve(import.meta.dirname, 'viceMonitor.ts')
  const child = spawn(process.execPath, [program, '--options', JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const requests: PeerRequest[] = []
  const changes: (() => void)[] = []
  const ended = once(child, 'close').then(() => child.exitCode)
  const port = await new Promise<number>((listening, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error('The stand-in for VICE ended before it listened.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text))
      if ('port' in line) listening(line.port)
      else if ('request' in line) requests.push(line.request)
      else changes.shift()?.()
    })
  })
  return {
    port,
    ended,
    requests: () => requests,
    change: (changed) =>
      new Promise((done) => {
        changes.push(done)
        child.stdin.write(`${JSON.stringify({ change: changed })}\n`)
      }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
    kill: (signal) => void child.kill(signal),
  }
}
